#pragma once

#include <string_view>

#include <gomkit/core/reader.hpp>

#include "fields.hpp"

/// Structs to and from bytes, by their list of fields.
namespace gomkit::mv1 {

/// The fields that frames of the first writers do not have.
[[nodiscard]] inline bool is_new_frame_field(std::string_view name) {
    return name == "FrameShape" || name == "PreRotate" || name == "PostRotate";
}

/// Reads each field at the cursor; past the end `in.failed()`.
class FieldReader {
public:
    explicit FieldReader(core::Reader& in, bool old_frame = false) : in_(in), old_frame_(old_frame) {}

    template <class T>
    void operator()(const char* name, T& v, Kind = Kind::Plain) {
        if (!(old_frame_ && is_new_frame_field(name))) {
            read(v);
        }
    }

private:
    template <class T>
    void read(T& v) {
        if constexpr (std::is_arithmetic_v<T>) {
            v = in_.get<T>();
        } else if constexpr (requires { v.size(); }) {
            for (auto& item : v) {
                read(item);
            }
        } else {
            fields(v, *this);
        }
    }
    core::Reader& in_;
    bool old_frame_;
};

/// Appends each field.
class FieldWriter {
public:
    explicit FieldWriter(core::Writer& out, bool old_frame = false) : out_(out), old_frame_(old_frame) {}

    template <class T>
    void operator()(const char* name, const T& v, Kind = Kind::Plain) {
        if (!(old_frame_ && is_new_frame_field(name))) {
            write(v);
        }
    }

private:
    template <class T>
    void write(const T& v) {
        if constexpr (std::is_arithmetic_v<T>) {
            out_.put(v);
        } else if constexpr (requires { v.size(); }) {
            for (const auto& item : v) {
                write(item);
            }
        } else {
            fields(v, *this);
        }
    }
    core::Writer& out_;
    bool old_frame_;
};

}  // namespace gomkit::mv1
