#include <gomkit/pass/select_clips.hpp>

#include <algorithm>
#include <utility>

#include <gomkit/core/text.hpp>
#include <gomkit/model/skeleton.hpp>
#include <gomkit/pass/morph_tracks.hpp>
#include <gomkit/pass/stored_clip.hpp>

#include "cut_clip.hpp"

namespace gomkit::pass {
namespace {

using core::Code;
using model::Clip;

// Errors list at most this many clips.
constexpr std::size_t kMostListed = 20;

// --- Names ----------------------------------------------------------------------------------------------------------------

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80; }

std::size_t next_character(std::string_view text, std::size_t at) {
    ++at;
    while (at < text.size() && is_continuation(text[at])) {
        ++at;
    }
    return at;
}

bool matches(std::string_view pattern, std::string_view text) {
    constexpr std::size_t kNone = std::string_view::npos;
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = kNone;  // behind the last '*', and where its match ends so far
    std::size_t star_end = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = ++p;
            star_end = t;
        } else if (p < pattern.size() && pattern[p] == '?') {
            ++p;
            t = next_character(text, t);
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != kNone) {
            p = star;
            star_end = next_character(text, star_end);
            t = star_end;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') {
        ++p;
    }
    return p == pattern.size();
}

std::string_view short_name(std::string_view name) {
    const std::size_t bar = name.rfind('|');
    return bar == std::string_view::npos ? name : name.substr(bar + 1);
}

std::string quoted(std::string_view name) { return "'" + core::printable(name) + "'"; }

std::string list_clips(const std::vector<Clip>& clips) {
    std::string out;
    for (std::size_t i = 0; i < clips.size() && i < kMostListed; ++i) {
        out += (i == 0 ? "" : ", ") + quoted(clips[i].name);
    }
    if (clips.size() > kMostListed) {
        out += " and " + std::to_string(clips.size() - kMostListed) + " more";
    }
    return out.empty() ? "none" : out;
}

core::Fault no_such_clip(const std::string& what, const std::vector<Clip>& clips) {
    return core::fail(Code::Usage, {}, what, {}, {}, "the clips are: " + list_clips(clips));
}

double rate_of(const Clip& clip, const model::Model& model) { return clip.source_fps.value_or(model.source.fps); }

core::Result<std::size_t> find_source(const std::vector<Clip>& clips, const ClipRange& range) {
    const auto whole = std::find_if(clips.begin(), clips.end(), [&](const Clip& c) { return c.name == range.source; });
    if (whole != clips.end()) {
        return static_cast<std::size_t>(whole - clips.begin());
    }
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < clips.size(); ++i) {
        if (short_name(clips[i].name) == range.source) {
            found.push_back(i);
        }
    }
    if (found.empty()) {
        return no_such_clip("--clip-range " + quoted(range.name) + ": there is no clip " + quoted(range.source), clips);
    }
    if (found.size() > 1) {
        return no_such_clip("--clip-range " + quoted(range.name) + ": " + quoted(range.source) + " names " + std::to_string(found.size()) +
                                " clips; give the whole name", clips);
    }
    return found[0];
}

// --- Loops ----------------------------------------------------------------------------------------------------------------

bool same(double a, double b) { return a == b; }
bool same(const model::Vec3& a, const model::Vec3& b) { return a == b; }
bool same(const model::Quat& a, const model::Quat& b) { return a == b || a == -b; }

void check_loop(const Clip& clip, const model::Model& model, const model::Skeleton& skeleton, const ClipStore& store, core::Report& report) {
    const std::vector<const model::Track*> tracks = tracks_of_bones(clip, skeleton);
    std::uint64_t count = 0;
    std::string bone;
    const char* channel = "";
    const auto look_at = [&](const auto& keys, const std::string& path, const char* name) {
        if (keys.size() > 1 && !same(keys.front().value, keys.back().value)) {
            if (count++ == 0) {
                bone = path;
                channel = name;
            }
        }
    };
    const auto look_at_all = [&](const auto& track, const std::string& path) {
        look_at(track.translation, path, "translation");
        look_at(track.rotation, path, "rotation");
        look_at(track.scale, path, "scale");
    };
    if (skeleton.bones.empty()) {  // a motion file: bones have a number only
        for (const model::Track& track : clip.tracks) {
            look_at_all(track, "#" + std::to_string(track.node.value));
        }
    }
    for (std::size_t b = 0; b < tracks.size(); ++b) {
        if (tracks[b] != nullptr) {
            look_at_all(store.store(b, tracks[b], clip), skeleton.bones[b].path);
        }
    }
    for (const model::MorphTrack& track : clip.morph_tracks) {
        const model::Mesh& mesh = model.meshes[track.mesh.value];
        look_at(track.keys, mesh.morphs[track.channel].name, "weight");
    }
    if (count != 0) {
        report.add(core::IssueId::CLIP_LOOP_OPEN, {},
                   {{"clip", clip.name}, {"count", std::to_string(count)}, {"channel", channel}, {"bone", bone}});
    }
}

// --- Bones ----------------------------------------------------------------------------------------------------------------

// Which nodes are bones also depends on which the clips move and which meshes there are.
void keep_bones(model::Model& model, const model::Skeleton& skeleton) {
    for (const model::SkeletonBone& bone : skeleton.bones) {
        model.nodes[bone.node.value].bone = true;
    }
}
core::Result<void> keep_bones(model::Model& model, const core::Limits& limits) {
    const core::Result<model::Skeleton> skeleton = model::build_skeleton(model, limits);
    if (!skeleton) {
        return core::Fault(skeleton.error());
    }
    keep_bones(model, *skeleton);
    return {};
}

core::Result<double> parse_time(std::string_view text, const std::string& where) {
    const std::optional<double> value = core::parse_number(text);
    if (!value) {
        return core::fail(Code::Usage, {}, where + "not a number", quoted(text), "seconds, or frames as in 12f");
    }
    return *value;
}

// Reads "a..b"; `form` is how the whole value looks.
core::Result<ClipTimes> parse_times(std::string_view numbers, const std::string& where, const char* form) {
    const std::size_t dots = numbers.find("..");
    if (dots == std::string_view::npos) {
        return core::fail(Code::Usage, {}, where + "there is no '..' between two times", quoted(numbers), form);
    }
    std::string_view begin = numbers.substr(0, dots);
    std::string_view end = numbers.substr(dots + 2);
    const auto drop_suffix = [](std::string_view& number) {
        const bool has = !number.empty() && number.back() == 'f';
        number.remove_suffix(has ? 1 : 0);
        return has;
    };
    const bool begin_frames = drop_suffix(begin);
    const bool end_frames = drop_suffix(end);
    const auto a = parse_time(begin, where + "the begin is ");
    if (!a) {
        return core::Fault(a.error());
    }
    const auto b = parse_time(end, where + "the end is ");
    if (!b) {
        return core::Fault(b.error());
    }
    if (begin_frames != end_frames) {
        return core::fail(Code::Usage, {}, where + "one time is in frames, the other in seconds", {}, "both with an f, or none");
    }
    if (!(*a >= 0)) {
        return core::fail(Code::Usage, {}, where + "the begin is negative", quoted(numbers), "times from the clip's own start");
    }
    if (!(*a <= *b)) {
        return core::fail(Code::Usage, {}, where + "the end comes before the begin", quoted(numbers));
    }
    return ClipTimes{*a, *b, begin_frames};
}

// The clip as `trim` cuts it.
core::Result<Clip> trimmed(const Clip& clip, const ClipTrim& trim, double fps, core::Report& report) {
    if (trim.times) {
        const auto stretch = stretch_of(clip, *trim.times, fps, "--trim " + quoted(trim.clips) + ": ");
        if (!stretch) {
            return core::Fault(stretch.error());
        }
        return cut_clip(clip, *stretch);
    }
    const std::optional<Stretch> stretch = moving_stretch(clip);
    if (!stretch) {
        return Clip(clip);
    }
    report.add(core::IssueId::CLIP_TRIMMED, {},
               {{"clip", clip.name}, {"begin", core::short_number(stretch->begin)}, {"end", core::short_number(clip.duration - stretch->end)}});
    Clip out = cut_clip(clip, *stretch);
    out.loop = clip.loop;   // both ends are what they were, jumps aside
    return out;
}

}  // namespace

core::Result<ClipRange> parse_clip_range(std::string_view text) {
    const std::string where = "--clip-range " + quoted(text) + ": ";
    const char* form = "NEW=OLD:a..b, as in Walk=Take 001:10f..40f";
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) {
        return core::fail(Code::Usage, {}, where + "there is no '='", {}, form);
    }
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon < equals) {
        return core::fail(Code::Usage, {}, where + "there is no ':' after the clip's name", {}, form);
    }
    ClipRange out;
    out.name = std::string(text.substr(0, equals));
    out.source = std::string(text.substr(equals + 1, colon - equals - 1));
    const std::string_view numbers = text.substr(colon + 1);
    if (out.name.empty() || out.source.empty()) {
        return core::fail(Code::Usage, {}, where + (out.name.empty() ? "the new clip has no name" : "the clip to cut has no name"), {}, form);
    }
    if (core::find_text_fault(out.name) != core::TextFault::None) {
        return core::fail(Code::Usage, {}, where + "the new name is not UTF-8 or holds control characters");
    }
    auto times = parse_times(numbers, where, form);
    if (!times) {
        return core::Fault(std::move(times.error()));
    }
    out.times = *times;
    return out;
}

core::Result<ClipTrim> parse_clip_trim(std::string_view text) {
    const std::string where = "--trim " + quoted(text) + ": ";
    ClipTrim out;
    const std::size_t colon = text.rfind(':');
    const bool has_times = colon != std::string_view::npos && text.find("..", colon) != std::string_view::npos;
    out.clips = std::string(text.substr(0, has_times ? colon : text.size()));
    if (out.clips.empty()) {
        return core::fail(Code::Usage, {}, where + "no clip is named", {}, "CLIP or CLIP:a..b, as in Walk:10f..40f");
    }
    if (has_times) {
        auto times = parse_times(text.substr(colon + 1), where, "CLIP:a..b");
        if (!times) {
            return core::Fault(std::move(times.error()));
        }
        out.times = *times;
    }
    return out;
}

bool matches_clip(std::string_view pattern, std::string_view name) {
    return matches(pattern, name) || matches(pattern, short_name(name));
}

core::Result<void> select_clips(model::Model& model, const ClipSelection& selection, const core::Limits& limits, core::Report& report) {
    if (selection.empty()) {
        return {};
    }
    const core::Result<model::Skeleton> skeleton = model::build_skeleton(model, limits);
    if (!skeleton) {
        return core::Fault(skeleton.error());
    }
    name_clips(model, report);
    const std::size_t old_count = model.clips.size();
    std::vector<Clip> added;
    for (const ClipRange& range : selection.ranges) {
        const auto source = find_source(model.clips, range);
        if (!source) {
            return core::Fault(source.error());
        }
        const auto has_name = [&](const Clip& c) { return c.name == range.name; };
        if (std::any_of(model.clips.begin(), model.clips.end(), has_name) || std::any_of(added.begin(), added.end(), has_name)) {
            return core::fail(Code::Usage, {}, "--clip-range " + quoted(range.name) + ": there is a clip of that name already", {}, {},
                              "give the new clip another name");
        }
        const Clip& from = model.clips[*source];
        const auto stretch = stretch_of(from, range.times, rate_of(from, model), "--clip-range " + quoted(range.name) + ": ");
        if (!stretch) {
            return core::Fault(stretch.error());
        }
        added.push_back(cut_clip(from, *stretch));
        added.back().name = range.name;
    }
    std::vector<const Clip*> all;
    for (std::size_t i = 0; i < old_count + added.size(); ++i) {
        all.push_back(i < old_count ? &model.clips[i] : &added[i - old_count]);
    }
    const auto mark = [&](const std::vector<std::string>& patterns, const char* option) -> core::Result<std::vector<bool>> {
        std::vector<bool> marked(all.size());
        for (const std::string& pattern : patterns) {
            bool any = false;
            for (std::size_t i = 0; i < all.size(); ++i) {
                if (matches_clip(pattern, all[i]->name)) {
                    any = marked[i] = true;
                }
            }
            if (!any) {
                std::vector<Clip> named;
                for (const Clip* clip : all) {
                    named.emplace_back().name = clip->name;
                }
                return no_such_clip(std::string(option) + " " + quoted(pattern) + " names no clip", named);
            }
        }
        return marked;
    };
    auto kept = mark(selection.clips, "--clip");
    const auto looping = mark(selection.loops, "--loop");
    if (!kept || !looping) {
        return core::Fault(!kept ? kept.error() : looping.error());
    }
    if (selection.clips.empty()) {
        kept->assign(all.size(), true);
    }
    std::vector<std::optional<Clip>> cut(all.size());
    for (const ClipTrim& trim : selection.trims) {
        const auto marked = mark({trim.clips}, "--trim");
        if (!marked) {
            return core::Fault(marked.error());
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!(*marked)[i] || !(*kept)[i]) {
                continue;
            }
            auto clip = trimmed(cut[i] ? *cut[i] : *all[i], trim, rate_of(*all[i], model), report);
            if (!clip) {
                return core::Fault(std::move(clip.error()));
            }
            cut[i] = std::move(*clip);
        }
    }
    keep_bones(model, *skeleton);
    std::move(added.begin(), added.end(), std::back_inserter(model.clips));
    std::vector<Clip> out;
    const ClipStore store(model, *skeleton);
    for (std::size_t i = 0; i < model.clips.size(); ++i) {
        if (!(*kept)[i]) {
            continue;
        }
        Clip& clip = cut[i] ? *cut[i] : model.clips[i];
        if ((*looping)[i]) {
            clip.loop = true;
            check_loop(clip, model, *skeleton, store, report);
        }
        out.push_back(std::move(clip));
    }
    model.clips = std::move(out);
    return {};
}

void name_clips(model::Model& model, core::Report& report) {
    std::vector<Clip>& clips = model.clips;
    std::vector<std::string> names;
    for (Clip& clip : clips) {
        names.push_back(clip.name.empty() ? "clip" : clip.name);
    }
    const std::vector<std::string> numbered = model::number_duplicates(names);
    for (std::size_t i = 0; i < clips.size(); ++i) {
        if (numbered[i] != names[i]) {
            report.add(core::IssueId::CLIP_RENAMED, {}, {{"name", names[i]}, {"written", numbered[i]}});
        }
        clips[i].name = numbered[i];
    }
}

core::Result<void> remove_clips(model::Model& model, const core::Limits& limits) {
    auto kept = keep_bones(model, limits);
    if (kept) {
        model.clips.clear();
    }
    return kept;
}

core::Result<void> remove_meshes(model::Model& model, const core::Limits& limits, core::Report& report) {
    auto kept = keep_bones(model, limits);
    if (kept) {
        remove_morph_tracks(model, report);
        model.instances.clear();
        model.meshes.clear();
        model.materials.clear();
        model.textures.clear();
    }
    return kept;
}

}  // namespace gomkit::pass
