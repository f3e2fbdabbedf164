#include "prove.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include <gomkit/core/report.hpp>
#include <gomkit/runtime/layout.hpp>
#include <gomkit/runtime/model_view.hpp>
#include <gomkit/runtime/motion_view.hpp>

#include "check.hpp"

namespace gomkit::gom {
namespace {

/// What a finding about the output means to a user: our bug, unless it is a limit.
core::Fault invalid(const std::string& part, std::uint64_t byte, const std::string& what) {
    return core::fail(core::Code::InvalidOutput, core::Place{{}, part, byte, std::nullopt},
                      "the finished file did not pass its own check: " + what, {}, {}, "this is a bug of gomkit: please report it");
}

/// By View's verify and by a checker.
template <class View, class Check>
core::Result<void> prove_as(std::span<const std::byte> given, const core::Limits& limits, Check&& run_check) {
    const AlignedBytes aligned(given);
    const std::span<const std::byte> bytes = aligned.bytes();
    View view;
    runtime::ErrorInfo info;
    const runtime::Status status = runtime::verify(bytes, limits, view, &info);
    if (status == runtime::Status::LimitExceeded) {
        return core::fail(core::Code::LimitExceeded, core::Place{{}, info.part, info.byte_offset, std::nullopt},
                          std::string("limit on ") + runtime::name(info.limit) + " exceeded", std::to_string(info.found),
                          "at most " + std::to_string(info.expected), "split the model, or raise the limits with --limits large");
    }
    if (status != runtime::Status::Ok) {
        return invalid(info.part, info.byte_offset, runtime::message(status));
    }
    core::Report report;
    codec::CheckOptions options;
    options.limits = limits;
    run_check(bytes, "", options, report);
    const auto& issues = report.issues();
    const auto error =
        std::find_if(issues.begin(), issues.end(), [](const core::Issue& i) { return i.severity == core::Severity::Error; });
    if (error != issues.end()) {
        return invalid(error->place.part, error->place.byte.value_or(0), std::string(core::info(error->id).name) + ": " + error->text);
    }
    if (report.has_errors()) {
        return invalid("", 0, "more findings than a report holds");
    }
    return {};
}

}  // namespace

void AlignedBytes::Delete::operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{runtime::layout::kAlignment}); }

AlignedBytes::AlignedBytes(std::span<const std::byte> bytes) : bytes_(bytes) {
    // std::vector promises this alignment on some systems only.
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % runtime::layout::kAlignment != 0) {
        copy_.reset(new (std::align_val_t{runtime::layout::kAlignment}) std::byte[bytes.size()]);
        std::memcpy(copy_.get(), bytes.data(), bytes.size());
        bytes_ = {copy_.get(), bytes.size()};
    }
}

core::Result<void> prove(std::span<const std::byte> bytes, const core::Limits& limits) {
    return prove_as<runtime::ModelView>(bytes, limits, check);
}

core::Result<void> prove_motion(std::span<const std::byte> bytes, const core::Limits& limits) {
    return prove_as<runtime::MotionView>(bytes, limits, check_motion);
}

}  // namespace gomkit::gom
