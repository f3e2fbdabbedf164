#include <gomkit/core/error.hpp>

#include <gomkit/core/text.hpp>

namespace gomkit::core {

int exit_code(Code code) {
    switch (code) {
        case Code::CannotOpen:
        case Code::CannotRead: return 3;
        case Code::CannotWrite: return 5;
        case Code::LimitExceeded: return 6;
        case Code::Malformed:
        case Code::Truncated:
        case Code::NotThisFormat:
        case Code::WarningsAsErrors: return 1;
        case Code::Unsupported:
        case Code::CannotConvert: return 4;
        case Code::Usage: return 2;
        case Code::Interrupted: return 130;
        case Code::InvalidOutput:
        case Code::Internal:
        case Code::OutOfMemory: return 7;
    }
    return 7;
}

const char* name(Code code) {
    switch (code) {
        case Code::CannotOpen: return "CannotOpen";
        case Code::CannotRead: return "CannotRead";
        case Code::CannotWrite: return "CannotWrite";
        case Code::LimitExceeded: return "LimitExceeded";
        case Code::Malformed: return "Malformed";
        case Code::Truncated: return "Truncated";
        case Code::NotThisFormat: return "NotThisFormat";
        case Code::WarningsAsErrors: return "WarningsAsErrors";
        case Code::Unsupported: return "Unsupported";
        case Code::CannotConvert: return "CannotConvert";
        case Code::InvalidOutput: return "InvalidOutput";
        case Code::Usage: return "Usage";
        case Code::Internal: return "Internal";
        case Code::OutOfMemory: return "OutOfMemory";
        case Code::Interrupted: return "Interrupted";
    }
    return "Internal";
}

std::string to_string(const Place& place) {
    std::string out = printable(place.part);
    if (place.byte) {
        out += out.empty() ? "byte " : " (byte ";
        out += std::to_string(*place.byte);
        if (!place.part.empty()) {
            out += ')';
        }
    }
    if (place.line) {
        out += out.empty() ? "" : ", ";
        out += "line " + std::to_string(place.line->line) + ", column " + std::to_string(place.line->column);
    }
    return out;
}

std::string to_string(const Error& error) {
    std::string out;
    if (!error.place.file.empty()) {
        out += printable(error.place.file) + ": ";
    }
    out += "error ";
    out += name(error.code);
    out += ": ";
    const std::string place = to_string(error.place);
    if (!place.empty()) {
        out += place + ": ";
    }
    out += printable(error.what);
    if (!error.found.empty()) {
        out += ": found " + printable(error.found);
    }
    if (!error.expected.empty()) {
        out += error.found.empty() ? ": expected " : ", expected ";
        out += printable(error.expected);
    }
    for (const std::string& note : error.notes) {
        out += "; " + printable(note);
    }
    if (!error.cure.empty()) {
        out += " (" + printable(error.cure) + ")";
    }
    return out;
}

}  // namespace gomkit::core
