#include "rotation.hpp"

namespace gomkit::ps1 {

model::Quat by_trace(const model::Quat& q) {
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const double leading = 3 * q.w * q.w > xx + yy + zz ? q.w : xx >= yy && xx >= zz ? q.x : yy >= zz ? q.y : q.z;   // the trace is 3ww - xx - yy - zz
    return leading < 0 ? -q : q;
}

}  // namespace gomkit::ps1
