#pragma once

#include <map>
#include <string>
#include <vector>

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>
#include <gomkit/model/model.hpp>
#include <gomkit/model/skeleton.hpp>

namespace gomkit::kit {

/// A skeleton and the file that it was read from, for messages.
struct NamedSkeleton {
    std::string file;
    model::Skeleton skeleton;
};

/// A model and the motions that are used with it (mta.md 4). It lives in kit because its messages name files, and because models of
/// every format take motions.
class MotionTarget {
public:
    /// `model` is what add() adds to: of any format, no motion itself; it has to outlive the object. `file` names it in messages.
    /// Errors: LimitExceeded (the skeleton's).
    [[nodiscard]] static core::Result<MotionTarget> of(model::Model& model, std::string file, const core::Limits& limits);

    [[nodiscard]] const NamedSkeleton& skeleton() const { return skeleton_; }

    /// Moves the clips of a motion (`motion.mta` is set) to the end of the model's, as they are stored: track i of the motion goes to the
    /// node of the i-th bone in path order. Errors, after which the model is what it was: CannotConvert for a model without skeleton (MTA-SIG-2), another signature
    /// (MTA-SIG-1, MTA-SIG-3), a bone that the model does not have (MTA-BONE-3), a clip name that the model or a motion before has
    /// (MTA-SIG-4); NotThisFormat when `motion` is none.
    [[nodiscard]] core::Result<void> add(model::Model&& motion, const std::string& file);

private:
    MotionTarget(model::Model& model, NamedSkeleton skeleton);
    [[nodiscard]] core::Result<void> check_signature(const model::Model& motion, const std::string& file) const;
    [[nodiscard]] core::Result<void> check_bones(const model::Model& motion, const std::string& file) const;
    [[nodiscard]] core::Result<void> check_names(const model::Model& motion, const std::string& file) const;

    model::Model* model_;
    NamedSkeleton skeleton_;
    std::string signature_;
    std::map<std::string, std::string> file_of_clip_;
};

/// What tells two skeletons apart, one line a bone: bones that one side lacks, and those with another parent. The paths are in order; at
/// most `most` lines and one that counts the rest.
[[nodiscard]] std::vector<std::string> bone_differences(const NamedSkeleton& a, const NamedSkeleton& b, std::size_t most = 20);

}  // namespace gomkit::kit
