#include "print_json.hpp"

using gomkit::core::Place;

namespace {

void add_place(Json& out, const Place& place) {
    out["file"] = place.file;
    out["part"] = place.part;
    out["byte"] = place.byte ? Json(*place.byte) : Json(nullptr);
    out["line"] = place.line ? Json(place.line->line) : Json(nullptr);
    out["column"] = place.line ? Json(place.line->column) : Json(nullptr);
}

Json error_json(const gomkit::core::Error& error) {
    Json out;
    out["code"] = static_cast<unsigned>(error.code);
    out["name"] = gomkit::core::name(error.code);
    add_place(out, error.place);
    out["what"] = error.what;
    out["found"] = error.found;
    out["expected"] = error.expected;
    out["cure"] = error.cure;
    out["notes"] = error.notes;
    out["text"] = gomkit::core::to_string(error);
    return out;
}

Json issue_json(const gomkit::core::Issue& issue) {
    const gomkit::core::IssueInfo& row = gomkit::core::info(issue.id);
    Json out;
    out["id"] = row.name;
    out["severity"] = gomkit::core::name(issue.severity);
    add_place(out, issue.place);
    out["text"] = issue.text;
    out["arguments"] = Json::object();
    for (const auto& argument : issue.arguments) {
        out["arguments"][argument.first] = argument.second;
    }
    out["count"] = issue.count;
    out["rule"] = row.requirement;
    out["cure"] = row.cure;
    return out;
}

}  // namespace

std::string json_text(const Json& document) { return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json json_document(int exit_code, const std::vector<gomkit::core::Error>& errors, const std::vector<const gomkit::core::Report*>& reports) {
    Json out;
    out["ok"] = exit_code == 0;
    out["exitCode"] = exit_code;
    out["errors"] = Json::array();
    for (const gomkit::core::Error& error : errors) {
        out["errors"].push_back(error_json(error));
    }
    bool truncated = false;
    Json issues = Json::array();
    gomkit::core::Report losses;
    for (const gomkit::core::Report* report : reports) {
        for (const gomkit::core::Issue& issue : report->issues()) {
            issues.push_back(issue_json(issue));
        }
        for (const gomkit::core::Loss& loss : report->losses()) {
            losses.add_loss(loss.kind, loss.count);
        }
        truncated = truncated || report->truncated();
    }
    out["issues"] = std::move(issues);
    out["truncated"] = truncated;
    out["lost"] = Json::array();
    for (const gomkit::core::Loss& loss : losses.losses()) {
        out["lost"].push_back({{"kind", loss.kind}, {"count", loss.count}});
    }
    return out;
}

Json vector_json(const gomkit::model::Vec3& v) { return Json::array({v.x, v.y, v.z}); }

Json counts_json(const gomkit::kit::Counts& counts) {
    Json out;
    out["meshes"] = counts.meshes;
    out["vertices"] = counts.vertices;
    out["triangles"] = counts.triangles;
    out["bones"] = counts.bones;
    out["clips"] = counts.clips;
    out["materials"] = counts.materials;
    out["textures"] = counts.textures;
    return out;
}

Json diff_json(const gomkit::kit::DiffResponse& response) {
    Json out = Json::array();
    for (const gomkit::kit::Difference& d : response.differences) {
        out.push_back({{"place", d.place}, {"what", d.what}, {"a", d.a}, {"b", d.b}});
    }
    return out;
}

Json format_json(const gomkit::kit::FormatInfo& f) {
    Json out;
    out["id"] = f.id;
    out["name"] = f.name;
    out["extensions"] = f.extensions;
    out["read"] = f.reads;
    out["write"] = f.writes;
    out["check"] = f.checks;
    out["dump"] = f.dumps;
    out["kept"] = f.kept;
    out["lost"] = f.lost;
    return out;
}

Json rule_json(const gomkit::core::IssueInfo& rule) {
    Json out;
    out["id"] = rule.name;
    out["severity"] = gomkit::core::name(rule.severity);
    out["text"] = rule.text;
    out["rule"] = rule.requirement;
    out["cure"] = rule.cure;
    return out;
}

Json versions_json(const gomkit::kit::Versions& v) {
    Json out = json_document(0, {}, {});
    out["version"] = v.gomkit;
    out["outputRevision"] = v.output_revision;
    out["compiler"] = v.compiler;
    out["fbx"] = v.with_fbx;
    out["ufbx"] = v.with_fbx ? Json(v.ufbx) : Json(nullptr);
    out["mikktspace"] = v.mikktspace;
    return out;
}
