#!/usr/bin/env python3
"""Prints "passed failed skipped" of a JUnit file written by ctest. A test that could not be started counts as failed."""
import sys
import xml.etree.ElementTree as tree


def main() -> int:
    passed = failed = skipped = 0
    for case in tree.parse(sys.argv[1]).getroot().iter("testcase"):
        skip = case.find("skipped")
        if case.find("failure") is not None or case.get("status") == "fail":
            failed += 1
        elif skip is None and case.get("status") == "run":
            passed += 1
        elif case.get("status") == "disabled" or (skip is not None and "SKIP" in (skip.get("message") or "").upper()):
            skipped += 1
        else:
            failed += 1
    print(passed, failed, skipped)
    return 0


if __name__ == "__main__":
    sys.exit(main())
