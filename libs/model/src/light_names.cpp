#include <gomkit/model/light_names.hpp>

#include <array>

namespace gomkit::model {

const char* name_of(LightKind kind) {
    constexpr std::array<const char*, 5> kNames{"point", "directional", "spot", "area", "volume"};
    return kNames[static_cast<std::size_t>(kind)];
}

const char* name_of(LightDecay decay) {
    constexpr std::array<const char*, 4> kNames{"none", "linear", "quadratic", "cubic"};
    return kNames[static_cast<std::size_t>(decay)];
}

}  // namespace gomkit::model
