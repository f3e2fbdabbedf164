// Blend shapes (docs/spec/morph.md): bytes by hand, what each reader says about what is wrong, names, and the way through a Model.
// covers GOM-MRPC-1, GOM-MRPC-6, GOM-MRPC-7, GOM-MRPH-1, GOM-MRPH-5, GOM-MRPH-7, GOM-MRPA-2, GOM-MRPA-4, GOM-MRPA-7, GOM-MRPA-8
// covers GOM-MRPT-1, GOM-MRPT-2
#include <gomkit/gom/gom.hpp>

#include <functional>
#include <limits>

#include "import.hpp"
#include "sample.hpp"
#include "text_check.hpp"
#include "text_read.hpp"
#include "text_write.hpp"

namespace gomkit::gom {
namespace {

using namespace test;
using core::IssueId;

const codec::Codec kCodec = make_codec();

template <class T>
T get(const core::Bytes& bytes, std::size_t at) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

TEST(Morph, HandComputedBytes) {
    const core::Bytes b = encode(morph_sample());
    const std::size_t mrpc = chunk_at(b, "MRPC") + 16;
    EXPECT_EQ(get<std::uint32_t>(b, mrpc - 12), 8u + 2 * 12 + 3 * 4);
    EXPECT_EQ(get<std::uint32_t>(b, mrpc), 2u);
    EXPECT_EQ(get<std::uint32_t>(b, mrpc + 4), 3u);
    EXPECT_EQ(get<std::uint32_t>(b, mrpc + 16), 2u);
    EXPECT_EQ(get<float>(b, mrpc + 24), 0.25f);
    EXPECT_EQ(get<std::uint32_t>(b, mrpc + 28), 3u);
    EXPECT_EQ(get<float>(b, mrpc + 32), 0.5f);
    EXPECT_LT(chunk_at(b, "SKEL"), mrpc);
    EXPECT_LT(mrpc, chunk_at(b, "MSH0"));
    const std::size_t mrph = chunk_at(b, "MRPH", 1) + 16;
    EXPECT_EQ(get<std::uint32_t>(b, mrph - 12), 16u + 2 * 28);
    for (const auto& [word, value] : {std::pair{0u, 0u}, {1u, 1u}, {2u, 2u}, {3u, 0u}, {4u, 1u}, {5u, 3u}}) {
        EXPECT_EQ(get<std::uint32_t>(b, mrph + 4 * word), value) << word;
    }
    EXPECT_EQ(get<float>(b, mrph + 24 + 4), 1.0f);
    EXPECT_EQ(get<float>(b, mrph + 24 + 12), 0.25f);
    EXPECT_EQ(get<float>(b, mrph + 48 + 8), 1.0f);
    const std::size_t mrpa = chunk_at(b, "MRPA") + 16;
    EXPECT_EQ(get<std::uint32_t>(b, mrpa - 12), 8u + 8 + 2 * 8);
    EXPECT_EQ(get<std::uint32_t>(b, mrpa + 8), 1u);
    EXPECT_EQ(get<std::uint32_t>(b, mrpa + 12), 2u);
    EXPECT_EQ(get<float>(b, mrpa + 24), 1.5f);
    // Right behind its clip.
    const std::size_t clip = chunk_at(b, "CLP0", 1);
    EXPECT_EQ(mrpa - 16, (clip + 16 + get<std::uint32_t>(b, clip + 4) + 15) / 16 * 16);
    EXPECT_TRUE(check_bytes(b).issues().empty()) << check_bytes(b).issues()[0].text;
}

// One thing wrong: decode names the rule, the checker the issue, and the run-time refuses.
TEST(Morph, EveryReaderFindsWhatIsWrong) {
    const core::Bytes good = encode(morph_sample());
    const std::size_t mrpc = chunk_at(good, "MRPC") + 16;
    const std::size_t mrph = chunk_at(good, "MRPH", 1) + 16;
    const std::size_t mrpa = chunk_at(good, "MRPA") + 16;
    struct Row {
        std::size_t at;
        std::uint32_t value;
        IssueId id;
        const char* part;
    };
    const auto f = [](float v) { return std::bit_cast<std::uint32_t>(v); };
    for (const Row& row : {
             Row{mrpc, 3, IssueId::GOM_CHUNK_SIZE, "MRPC"},
             Row{mrpc + 4, 4, IssueId::GOM_CHUNK_SIZE, "MRPC"},
             Row{mrpc + 8, 0xFFFFFFFFu, IssueId::GOM_NAME_MISSING, "MRPC.channel[0].nameId"},
             Row{mrpc + 20, get<std::uint32_t>(good, mrpc + 8), IssueId::GOM_MORPH_CHANNEL_ORDER, "MRPC.channel[1].nameId"},
             Row{mrpc + 12, f(std::numeric_limits<float>::infinity()), IssueId::GOM_NOT_FINITE, "MRPC.channel[0].defaultWeight"},
             Row{mrpc + 28, 2, IssueId::GOM_MORPH_NO_SHAPE, "MRPC.channel[1].shapeEnd"},
             Row{mrpc + 16, 0, IssueId::GOM_MORPH_NO_SHAPE, "MRPC.channel[0].shapeEnd"},
             Row{mrpc + 32, f(0), IssueId::GOM_MORPH_SHAPE_WEIGHT, "MRPC.channel[0].shapeWeight[0]"},
             Row{mrpc + 36, f(0.5f), IssueId::GOM_MORPH_SHAPE_WEIGHT, "MRPC.channel[0].shapeWeight[1]"},
             Row{mrph, 2, IssueId::GOM_MORPH_CHANNEL, "MSH0[0].MRPH[1].channel"},
             Row{mrph + 4, 2, IssueId::GOM_MORPH_CHANNEL, "MSH0[0].MRPH[1].shape"},
             Row{mrph + 4, 0, IssueId::GOM_MORPH_ORDER, "MSH0[0].MRPH[1].channel"},
             Row{mrph + 8, 1, IssueId::GOM_CHUNK_SIZE, "MSH0[0].MRPH[1]"},
             Row{mrph + 20, 1, IssueId::GOM_MORPH_VERTEX, "MSH0[0].MRPH[1].vertex[1]"},
             Row{mrph + 20, 4, IssueId::GOM_MORPH_VERTEX, "MSH0[0].MRPH[1].vertex[1]"},
             Row{mrph + 48, f(std::numeric_limits<float>::quiet_NaN()), IssueId::GOM_NOT_FINITE, "MSH0[0].MRPH[1].normal[0][0]"},
             Row{mrpa, 2, IssueId::GOM_CLIP_SIZE, "CLP0[1].MRPA.track[1]"},
             Row{mrpa + 12, 1, IssueId::GOM_CLIP_SIZE, "CLP0[1].MRPA"},
             Row{mrpa + 8, 2, IssueId::GOM_MORPH_TRACK_CHANNEL, "CLP0[1].MRPA.track[0].channel"},
             Row{mrpa + 24, f(2), IssueId::GOM_KEY_TIME, "CLP0[1].MRPA.track[0].key[1].time"},
             Row{mrpa + 24, f(0), IssueId::GOM_KEY_TIME, "CLP0[1].MRPA.track[0].key[1].time"},
             Row{mrpa + 20, f(std::numeric_limits<float>::infinity()), IssueId::GOM_NOT_FINITE, "CLP0[1].MRPA.track[0].key[0].value[0]"},
             Row{chunk_at(good, "ANIM"), get<std::uint32_t>(good, mrpa - 16), IssueId::GOM_MORPH_WITHOUT_CLIP, "MRPA"},
         }) {
        SCOPED_TRACE(std::string(core::info(row.id).name) + " at " + row.part);
        core::Bytes b = good;
        patch(b, row.at, row.value);
        EXPECT_FALSE(verifies(b));
        const auto decoded = decode_bytes(b);
        ASSERT_FALSE(decoded.has_value());
        EXPECT_EQ(decoded.error().place.part, row.part);
        EXPECT_EQ(decoded.error().notes, std::vector<std::string>{std::string("rule ") + core::info(row.id).requirement});
        const core::Report report = check_bytes(b, false);
        EXPECT_TRUE(std::any_of(report.issues().begin(), report.issues().end(),
                                [&](const core::Issue& i) { return i.id == row.id && i.place.part == row.part; }))
            << (report.issues().empty() ? "nothing" : core::to_string(report.issues()[0]));
    }
}

TEST(Morph, TracksAscend) {
    Document d = morph_sample();
    d.clips[1].morph_tracks = {MorphTrack{1, {}}, MorphTrack{0, {}}};
    const core::Bytes b = encode(d);
    EXPECT_FALSE(verifies(b));
    EXPECT_FALSE(decode_bytes(b).has_value());
    EXPECT_TRUE(check_bytes(b).has(IssueId::GOM_MORPH_TRACK_ORDER));
}

TEST(Morph, CheckerWarnsAndComparesWithTheCanonicalForm) {
    struct Row {
        IssueId id;
        std::function<void(Document&)> change;
        std::function<void(core::Bytes&)> patch_bytes = [](core::Bytes&) {};
    };
    const auto word = [](const char* fourcc, std::size_t offset) {
        return [=](core::Bytes& b) { patch(b, chunk_at(b, fourcc) + 16 + offset, 7u); };
    };
    for (const Row& row : {
             Row{IssueId::GOM_MORPH_RESERVED, [](Document&) {}, word("MRPH", 12)},
             Row{IssueId::GOM_MORPH_TRACK_RESERVED, [](Document&) {}, word("MRPA", 4)},
             Row{IssueId::GOM_LOOP_OPEN, [](Document& d) { d.clips[1].loop = true; }},
             Row{IssueId::GOM_MORPH_EMPTY, [](Document& d) { d.parts[0].morphs[0].positions[0] = {0, 0, 0}; }},
             Row{IssueId::GOM_MORPH_EMPTY, [](Document& d) { d.parts[0].morphs[0] = Morph{}; }},
             Row{IssueId::GOM_MORPH_TRACK_EMPTY, [](Document& d) { d.clips[1].morph_tracks[0].keys.clear(); }},
             Row{IssueId::GOM_NEGATIVE_ZERO, [](Document& d) { d.parts[0].morphs[0].positions[0][0] = -0.0f; }},
             Row{IssueId::GOM_MORPH_CHANNELS_EMPTY, [](Document& d) { d.parts.clear(); }},
         }) {
        SCOPED_TRACE(core::info(row.id).name);
        Document d = morph_sample();
        row.change(d);
        core::Bytes b = encode(d);
        row.patch_bytes(b);
        EXPECT_TRUE(verifies(b));
        EXPECT_TRUE(decode_bytes(b).has_value());
        EXPECT_TRUE(check_bytes(b).has(row.id));
        EXPECT_FALSE(has_load_error(check_bytes(b)));
        // What a writer makes of it has none of these.
        canonicalise(d);
        EXPECT_TRUE(row.id == IssueId::GOM_LOOP_OPEN || !check_bytes(encode(d)).has(row.id));
    }
}

TEST(Morph, LimitsAreExact) {
    const core::Bytes bytes = encode(morph_sample());
    struct Row {
        const char* name;
        std::uint64_t runtime::Limits::*limit;
        std::uint64_t need;
        const char* text_path;
    };
    Document d = morph_sample();
    canonicalise(d);
    const auto text = write_text(d, 1u << 20);
    for (const Row& row : {Row{"morph channels", &runtime::Limits::max_morph_channels, 2, "MorphChannels[1]"},
                           Row{"morph shapes", &runtime::Limits::max_morph_shapes, 3, "MorphChannels[1].shapes[0]"},
                           Row{"morph vertices", &runtime::Limits::max_morph_vertices, 4, "Meshes[1].morphs[0].offsets[0]"}}) {
        SCOPED_TRACE(row.name);
        for (const std::uint64_t less : {0u, 1u}) {
            core::Limits limits;
            limits.*row.limit = row.need - less;
            const auto result = decode_bytes(bytes, false, limits);
            EXPECT_EQ(result.has_value(), less == 0);
            core::Report report;
            codec::CheckOptions options;
            options.limits = limits;
            check(bytes, "", options, report);
            EXPECT_EQ(report.has(IssueId::GOM_LIMIT), less == 1);
            runtime::ModelView view;
            EXPECT_EQ(runtime::verify(bytes, limits, view, nullptr) == runtime::Status::Ok, less == 0);
            core::Report unused;
            DecodeOptions how;
            how.limits = limits;
            const auto read = read_text(*text, "a.gomt", how, unused);
            EXPECT_EQ(read.has_value(), less == 0);
            if (less == 1) {
                EXPECT_EQ(result.error().what, std::string("limit on ") + row.name + " exceeded");
                EXPECT_EQ(read.error().what, result.error().what);
                EXPECT_EQ(read.error().place.part, row.text_path);
            }
        }
    }
}

// Text

std::string text_of(Document d) {
    canonicalise(d);
    const auto bytes = write_text(d, 1u << 20);
    return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

core::Error text_error(const std::string& text) {
    core::Report unused;
    const auto read = read_text(std::as_bytes(std::span(text)), "a.gomt", {}, unused);
    EXPECT_FALSE(read.has_value());
    return read ? core::Error{} : read.error();
}

std::string with(std::string text, std::string_view old, std::string_view changed) {
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return at == std::string::npos ? text : text.replace(at, old.size(), changed);
}

TEST(MorphText, IsThePagesForm) {
    const std::string text = text_of(morph_sample());
    EXPECT_NE(text.find(R"(
MorphChannels = [
  { name = "Blink", defaultWeight = 0, shapes = [0.5, 1] },
  { name = "Smile", defaultWeight = 0.25, shapes = [1] }
]
Meshes = [
)"),
              std::string::npos);
    EXPECT_NE(text.find(R"(
    ],
    morphs = [
      {
        channel = 0,
        shape = 0,
        offsets = [
          { v = 1, p = [0, 0.5, 0], n = [0, 0, 0] }
        ]
      },
      {
        channel = 0,
        shape = 1,
        offsets = [
          { v = 1, p = [0, 1, 0], n = [0, 1, 1] },
          { v = 3, p = [0.25, 0, 0], n = [0, 0, 0] }
        ]
      }
    ]
  },
)"),
              std::string::npos);
    EXPECT_NE(text.find(R"(
    ],
    morphTracks = [
      {
        channel = 1,
        keys = [
          { time = 0, value = 0 },
          { time = 1.5, value = 1 }
        ]
      }
    ]
  }
]
)"),
              std::string::npos);
    EXPECT_EQ(text_of(sample()).find("orph"), std::string::npos);
}

TEST(MorphText, SaysWhereItIsWrong) {
    const std::string text = text_of(morph_sample());
    struct Row {
        const char* old;
        const char* changed;
        const char* path;
    };
    for (const Row& row : {Row{"name = \"Smile\"", "name = \"Blink\"", "MorphChannels[1].name"},
                           Row{"shapes = [0.5, 1]", "shapes = [0.5, 0.25]", "MorphChannels[0].shapes[1]"},
                           Row{"shapes = [1]", "shapes = []", "MorphChannels[1].shapes"},
                           Row{"shape = 1", "shape = 2", "Meshes[0].morphs[1].shape"},
                           Row{"v = 3", "v = 4", "Meshes[0].morphs[1].offsets[1].v"},
                           Row{"v = 3", "v = 1", "Meshes[0].morphs[1].offsets[1].v"},
                           Row{"time = 1.5, value = 1 ", "time = 2, value = 1 ", "Animations[1].morphTracks[0].keys[1].time"},
                           Row{"value = 1 ", "value = [1] ", "Animations[1].morphTracks[0].keys[1].value"},
                           Row{"v = 3", "w = 3", "Meshes[0].morphs[1].offsets[1].w"}}) {
        SCOPED_TRACE(row.changed);
        const std::string wrong = with(text, row.old, row.changed);
        const core::Error error = text_error(wrong);
        EXPECT_EQ(error.place.part, row.path);
        core::Report report;
        check_text(std::as_bytes(std::span(wrong)), "a.gomt", {}, report);
        EXPECT_TRUE(std::any_of(report.issues().begin(), report.issues().end(), [&](const core::Issue& i) {
            return i.severity == core::Severity::Error && i.place.part == row.path && i.place.line == error.place.line;
        })) << (report.issues().empty() ? "nothing" : core::to_string(report.issues()[0]));
    }
}

TEST(MorphText, ChannelsMayStandAnywhere) {
    std::string text = text_of(morph_sample());
    const std::size_t at = text.find("MorphChannels");
    const std::size_t end = text.find("Meshes");
    const std::string entry = text.substr(at, end - at);
    text = with(text.substr(0, at) + text.substr(end), "End = true", entry + "End = true");
    core::Report unused;
    const auto read = read_text(std::as_bytes(std::span(text)), "a.gomt", {}, unused);
    ASSERT_TRUE(read.has_value()) << core::to_string(read.error());
    EXPECT_EQ(text_of(read->document), text_of(morph_sample()));
}

// Through a Model

model::Mesh triangle(std::vector<model::MorphChannel> morphs) {
    model::Mesh mesh;
    mesh.points = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    mesh.corner_point = {0, 1, 2};
    mesh.polygon_first = {0, 3};
    mesh.morphs = std::move(morphs);
    return mesh;
}

model::MorphShape shape(double weight, std::uint32_t point) {
    model::MorphShape out;
    out.weight = weight;
    out.points = {point};
    out.offsets = {{0, 0, 1}};
    return out;
}

Document exported(model::Model model, core::Report& report) {
    const auto bytes = kCodec.write(std::move(model), {}, report);
    EXPECT_TRUE(bytes.has_value()) << (bytes ? "" : core::to_string(bytes.error()));
    return bytes ? *decode_bytes(*bytes) : Document{};
}

TEST(MorphExport, EveryInstanceHasChannelsOfItsOwn) {
    model::Model m;
    m.meshes = {triangle({{"Smile", 0, {shape(1, 0)}}, {"", 0.5, {shape(0.5, 1), shape(1, 2)}}}), triangle({{"Smile", 0, {shape(1, 2)}}})};
    for (const auto& [name, mesh] : {std::pair{"A", 0u}, {"B", 0u}, {"C", 1u}}) {
        model::MeshInstance instance;
        instance.name = name;
        instance.mesh = model::MeshId{mesh};
        m.instances.push_back(instance);
    }
    model::Clip clip;
    clip.name = "talk";
    clip.duration = 1;
    clip.morph_tracks = {{model::MeshId{0}, 0, {{0, 0, false}, {0.5, 1, true}, {0.5, 0.25, false}}},
                         {model::MeshId{1}, 0, {{0, 0, false}, {1, 0, false}}}};
    m.clips = {clip};
    core::Report report;
    const Document d = exported(m, report);
    std::vector<std::string> names;
    for (const MorphChannel& c : d.morph_channels) {
        names.push_back(c.name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"Smile", "Smile~2", "Smile~3", "shape", "shape~2"}));
    EXPECT_EQ(d.morph_channels[3].shapes, (std::vector<float>{0.5f, 1}));
    EXPECT_EQ(d.morph_channels[4].default_weight, 0.5f);
    EXPECT_EQ(report.count(core::Severity::Warning), 3u);
    EXPECT_TRUE(report.has(IssueId::MORPH_RENAMED));
    ASSERT_EQ(d.parts.size(), 3u);
    EXPECT_EQ(d.parts[0].morphs[0].channel, 0u);
    EXPECT_EQ(d.parts[1].morphs[0].channel, 1u);
    EXPECT_EQ(d.parts[2].morphs[0].channel, 2u);
    EXPECT_EQ(d.parts[1].morphs[2].channel, 4u);
    EXPECT_EQ(d.parts[1].morphs[2].shape, 1u);
    // The mesh's track moves both instances; a channel that stays at its default has no track.
    ASSERT_EQ(d.clips[0].morph_tracks.size(), 2u);
    EXPECT_EQ(d.clips[0].morph_tracks[1].channel, 1u);
    const std::vector<WeightKey>& keys = d.clips[0].morph_tracks[0].keys;
    ASSERT_EQ(keys.size(), 3u);
    EXPECT_EQ(keys[1].time, std::nextafter(0.5f, 0.0f));
    EXPECT_EQ(keys[2].value[0], 0.25f);
}

TEST(MorphExport, APartlessMeshHasNoChannels) {
    model::Model m;
    m.meshes = {triangle({{"Smile", 0, {shape(1, 0)}}}), triangle({{"Smile", 0, {shape(1, 0)}}})};
    m.meshes[0].corner_point.clear();
    m.meshes[0].polygon_first = {0};
    m.instances.resize(2);
    m.instances[0].name = "points";
    m.instances[1].name = "face";
    m.instances[0].mesh = model::MeshId{0};
    m.instances[1].mesh = model::MeshId{1};
    core::Report report;
    const Document d = exported(m, report);
    ASSERT_EQ(d.parts.size(), 1u);
    EXPECT_EQ(d.parts[0].morphs.size(), 1u);
    ASSERT_EQ(d.morph_channels.size(), 1u);
    EXPECT_EQ(d.morph_channels[0].name, "Smile");
    EXPECT_TRUE(report.has(IssueId::MESH_EMPTY));
}

// Parts that share a channel still do after a conversion, and a channel that nothing has is kept.
TEST(MorphExport, ChannelsOfAGomStayWhatTheyAre) {
    Document d = morph_sample();
    d.parts[1].morphs.insert(d.parts[1].morphs.begin(), d.parts[0].morphs[0]);
    d.morph_channels.push_back({"Unused", 1, {-1, 2}});
    d.clips[0].morph_tracks = {MorphTrack{0, {WeightKey{0, {1}}}}, MorphTrack{2, {WeightKey{0, {0.5f}}}}};
    canonicalise(d);
    d.validation_flags = compute_validation_flags(d);
    const core::Bytes bytes = encode(d);
    core::Report report;
    auto m = kCodec.read(bytes, "a.gom", {}, report);
    ASSERT_TRUE(m.has_value());
    EXPECT_EQ(m->meshes[0].morphs.size(), 2u);
    EXPECT_EQ(m->meshes[1].morphs.size(), 2u);
    EXPECT_EQ(m->meshes[0].morphs[1].name, "Unused");
    EXPECT_EQ(m->clips[0].morph_tracks.size(), 3u);
    const auto again = kCodec.write(std::move(*m), {}, report);
    ASSERT_TRUE(again.has_value());
    EXPECT_TRUE(*again == bytes);
    EXPECT_TRUE(report.issues().empty());
}

TEST(MorphExport, AMotionLosesWeights) {
    model::Model m;
    m.nodes.resize(1);
    m.nodes[0].name = "Root";
    m.nodes[0].bone = true;
    m.meshes = {triangle({{"Smile", 0, {shape(1, 0)}}})};
    m.instances.resize(1);
    m.instances[0].mesh = model::MeshId{0};
    m.clips.resize(1);
    m.clips[0].name = "talk";
    m.clips[0].morph_tracks = {{model::MeshId{0}, 0, {{0, 0, false}, {1, 1, false}}}};
    core::Report report;
    ASSERT_TRUE(make_motion_codec().write(std::move(m), {}, report).has_value());
    ASSERT_EQ(report.losses().size(), 1u);
    EXPECT_EQ(report.losses()[0].kind, "animated weights of blend shapes");
    EXPECT_EQ(report.losses()[0].count, 1u);
}

// A channel that moves two parts has one track in the file, and two in the model.
TEST(MorphExport, AMotionLosesEachTrackOfAGomOnce) {
    Document d = morph_sample();
    d.parts[1].morphs.insert(d.parts[1].morphs.begin(), d.parts[0].morphs[0]);
    d.clips[1].morph_tracks.insert(d.clips[1].morph_tracks.begin(), MorphTrack{0, {WeightKey{0, {1}}}});
    core::Report report;
    auto m = kCodec.read(encode(d), "a.gom", {}, report);
    ASSERT_TRUE(m.has_value());
    ASSERT_EQ(m->clips[1].morph_tracks.size(), 3u);
    ASSERT_TRUE(make_motion_codec().write(std::move(*m), {}, report).has_value());
    ASSERT_EQ(report.losses().size(), 1u);
    EXPECT_EQ(report.losses()[0].count, 2u);
}

}  // namespace
}  // namespace gomkit::gom
