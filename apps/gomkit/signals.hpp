#pragma once

/// Ends the process with 128 + the signal's number (130 for Ctrl-C) on SIGINT, SIGTERM and SIGHUP, as soon as no output is
/// half-written. To be called before any thread is started. Signals that are ignored stay ignored.
void watch_signals();
