// covers GOM-SIG-1
#include "signature.hpp"

#include "sample.hpp"

namespace gomkit::gom {
namespace {

Bone bone(std::int32_t parent, std::string path) { return Bone{parent, "", std::move(path), {}}; }

TEST(Signature, VectorsOfThePage) {
    EXPECT_EQ(signature_text(std::vector<Bone>{bone(-1, "Root"), bone(0, "Root/Spine"), bone(1, "Root/Spine/Arm_L")}),
              "71c2de0bb68c1b53d973fd76c5469a69b71e1e19a155f1508ae301b93a8b84d9");
    EXPECT_EQ(signature_text(std::vector<Bone>{bone(-1, "Root"), bone(0, "Root/Arm"), bone(0, "Root/Arm-L"), bone(2, "Root/Arm-L/Hand"),
                                               bone(1, "Root/Arm/Hand")}),
              "0e061257585b6252a425729dff6cbce148e537361263c6bc2b0638b946e5505d");
}

TEST(Signature, OrderOfBonesDoesNotMatter) {
    EXPECT_EQ(signature_text(std::vector<Bone>{bone(1, "Root/Spine/Arm_L"), bone(2, "Root/Spine"), bone(-1, "Root")}),
              "71c2de0bb68c1b53d973fd76c5469a69b71e1e19a155f1508ae301b93a8b84d9");
}

TEST(Signature, RunTimeAgrees) {
    const Document d = test::sample();
    const core::Bytes bytes = encode(d);
    runtime::ModelView view;
    ASSERT_EQ(runtime::verify(bytes, {}, view, nullptr), runtime::Status::Ok);
    EXPECT_EQ(view.skeleton_signature(), skeleton_signature(d.bones));
}

}  // namespace
}  // namespace gomkit::gom
