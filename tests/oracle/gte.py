"""The PlayStation's geometry coprocessor, written from docs/spec/gte.md alone, for many independent machines at once: every register is a numpy row
of int64 that holds the 32 stored bits, unsigned. Commands decode the registers they need and encode what they change.
"""
import numpy as np

UNR = np.array([max(0, (0x40000 // (i + 0x100) + 1) // 2 - 0x101) for i in range(0x101)], dtype=np.int64)


def signed(v, bits):
    v = v & ((1 << bits) - 1)
    return np.where(v >> (bits - 1), v - (1 << bits), v)


def divide(h, sz):
    """(q, overflow)"""
    overflow = h >= 2 * sz
    safe = np.where(overflow, 1, sz)
    zeros = np.zeros_like(safe)
    for k in range(15, 0, -1):
        zeros += (safe < (1 << k)).astype(np.int64)
    n = h << zeros
    d = safe << zeros
    u = UNR[(d - 0x7FC0) >> 7] + 0x101
    d = (0x2000080 - d * u) >> 8
    d = (0x80 + d * u) >> 8
    q = np.minimum(0x1FFFF, (n * d + 0x8000) >> 16)
    return np.where(overflow, 0x1FFFF, q), overflow


class Machines:
    def __init__(self, n):
        self.n = n
        self.D = np.zeros((32, n), dtype=np.int64)
        self.C = np.zeros((32, n), dtype=np.int64)
        self.flag = np.zeros(n, dtype=np.int64)

    # ---- registers as the processor's moves see them ----

    def write_data(self, i, v, where=True):
        D = self.D
        if i == 15:
            for to, value in ((12, D[13].copy()), (13, D[14].copy()), (14, v)):
                D[to] = np.where(where, value, D[to])
        elif i == 28:
            for c in range(3):
                D[9 + c] = np.where(where, ((v >> (5 * c)) & 31) << 7, D[9 + c])
        elif i in (7, 16, 17, 18, 19):
            D[i] = np.where(where, v & 0xFFFF, D[i])
        elif i in (1, 3, 5, 8, 9, 10, 11):
            D[i] = np.where(where, signed(v, 16) & 0xFFFFFFFF, D[i])
        elif i not in (29, 31):
            D[i] = np.where(where, v, D[i])

    def read_data(self, i):
        if i == 15:
            return self.D[14]
        if i in (28, 29):
            five = [np.clip(self.ir(c) >> 7, 0, 31) for c in (1, 2, 3)]
            return five[0] | five[1] << 5 | five[2] << 10
        if i == 31:
            v = self.D[30]
            v = np.where(v >> 31, v ^ 0xFFFFFFFF, v)
            return sum(((v >> k) == 0).astype(np.int64) for k in range(32))
        return self.D[i]

    def write_control(self, i, v):
        if i in (4, 12, 20, 26, 27, 29, 30):
            v = signed(v, 16) & 0xFFFFFFFF
        if i == 31:
            self.flag = v & 0x7FFFF000
        else:
            self.C[i] = v

    def read_control(self, i):
        if i != 31:
            return self.C[i]
        error = np.zeros(self.n, dtype=bool)
        for bit in list(range(23, 31)) + list(range(13, 19)):
            error |= (self.flag >> bit & 1) == 1
        return self.flag | np.where(error, 1 << 31, 0)

    # ---- decoded ----

    def vector(self, k):
        xy = self.D[2 * k]
        return [signed(xy, 16), signed(xy >> 16, 16), signed(self.D[2 * k + 1], 16)]

    def matrix(self, at):
        e = []
        for w in range(5):
            e += [signed(self.C[at + w], 16), signed(self.C[at + w] >> 16, 16)]
        return [e[0:3], e[3:6], e[6:9]]

    def words(self, at):
        return [signed(self.C[at + k], 32) for k in range(3)]

    def ir(self, i):
        return signed(self.D[8 + i], 16)

    def sz(self, i):
        return self.D[16 + i] & 0xFFFF

    # ---- limiters ----

    def raise_(self, bit, condition):
        self.flag = self.flag | np.where(condition, 1 << bit, 0)

    def a(self, i, v):
        self.raise_(31 - i, v > (1 << 43) - 1)
        self.raise_(28 - i, v < -(1 << 43))
        return signed(v, 44)

    def b(self, i, v, lm):
        low = np.where(lm, 0, -32768)
        self.raise_(25 - i, (v < low) | (v > 32767))
        return np.maximum(low, np.minimum(32767, v))

    def f(self, v):
        self.raise_(16, v > (1 << 31) - 1)
        self.raise_(15, v < -(1 << 31))
        return v

    def limit(self, v, low, high, bit):
        self.raise_(bit, (v < low) | (v > high))
        return np.clip(v, low, high)

    def store_mac(self, i, v):
        self.D[24 + i] = v & 0xFFFFFFFF
        return signed(v, 32)

    def store_ir(self, i, v):
        self.D[8 + i] = v & 0xFFFFFFFF

    # ---- commands; sf and lm are arrays, one value a machine ----

    def run(self, function, sf, lm, matrix=None, vector=None, translation=None):
        self.flag = np.zeros(self.n, dtype=np.int64)
        shift = 12 * sf
        if function == 0x01:
            self.project(0, shift, lm, True)
        elif function == 0x30:
            for k in range(3):
                self.project(k, shift, lm, k == 2)
        elif function == 0x06:
            xy = [(signed(self.D[12 + k], 16), signed(self.D[12 + k] >> 16, 16)) for k in range(3)]
            (x0, y0), (x1, y1), (x2, y2) = xy
            self.store_mac(0, self.f(x0 * (y1 - y2) + x1 * (y2 - y0) + x2 * (y0 - y1)))
        elif function == 0x2D:
            self.mean(29, [1, 2, 3])
        elif function == 0x2E:
            self.mean(30, [0, 1, 2, 3])
        elif function == 0x1E:
            self.light(0, shift, lm)
        elif function == 0x20:
            for k in range(3):
                self.light(k, shift, lm)
        elif function == 0x12:
            self.mvmva(shift, lm, matrix, vector, translation)
        else:
            raise ValueError("function %02X" % function)

    def mean(self, factor, which):
        v = self.f(signed(self.C[factor], 16) * sum(self.sz(k) for k in which))
        self.store_mac(0, v)
        self.D[7] = self.limit(v >> 12, 0, 65535, 18)

    def chain(self, i, t, m, v):
        s = self.a(i, (t << 12) + m[0] * v[0])
        s = self.a(i, s + m[1] * v[1])
        return self.a(i, s + m[2] * v[2])

    def project(self, k, shift, lm, last):
        v, m, t = self.vector(k), self.matrix(0), self.words(5)
        acc = [self.chain(r + 1, t[r], m[r], v) for r in range(3)]
        mac = [self.store_mac(r + 1, acc[r] >> shift) for r in range(3)]
        ir1, ir2 = self.b(1, mac[0], lm), self.b(2, mac[1], lm)
        self.store_ir(1, ir1)
        self.store_ir(2, ir2)
        z12 = acc[2] >> 12
        self.raise_(22, (z12 > 32767) | (z12 < -32768))
        self.store_ir(3, np.where(lm == 1, np.clip(mac[2], 0, 32767), np.clip(mac[2], -32768, 32767)))
        self.D[16:19] = self.D[17:20].copy()
        self.D[19] = self.limit(z12, 0, 65535, 18)
        q, overflow = divide(self.C[26] & 0xFFFF, self.D[19])
        self.raise_(17, overflow)
        x = self.f(signed(self.C[24], 32) + ir1 * q)
        y = self.f(signed(self.C[25], 32) + ir2 * q)
        self.D[12:14] = self.D[13:15].copy()
        self.D[14] = (self.limit(x >> 16, -1024, 1023, 14) & 0xFFFF) | (self.limit(y >> 16, -1024, 1023, 13) & 0xFFFF) << 16
        if last:
            d = self.f(signed(self.C[28], 32) + signed(self.C[27], 16) * q)
            self.store_mac(0, d)
            self.store_ir(0, self.limit(d >> 12, 0, 4096, 12))

    def multiply(self, m, v, t, shift, lm):
        for r in range(3):
            self.store_ir(r + 1, self.b(r + 1, self.store_mac(r + 1, self.chain(r + 1, t[r], m[r], v) >> shift), lm))

    def light(self, k, shift, lm):
        zero = np.zeros(self.n, dtype=np.int64)
        self.multiply(self.matrix(8), self.vector(k), [zero] * 3, shift, lm)
        self.multiply(self.matrix(16), [self.ir(1), self.ir(2), self.ir(3)], self.words(13), shift, lm)
        colour = self.D[6] >> 24 << 24
        for c in range(3):
            colour = colour | self.limit(signed(self.D[25 + c], 32) >> 4, 0, 255, 21 - c) << (8 * c)
        self.D[20:22] = self.D[21:23].copy()
        self.D[22] = colour

    def mvmva(self, shift, lm, matrix, vector, translation):
        red = (self.D[6] & 0xFF) << 4
        rt = self.matrix(0)
        odd = [[-red, red, self.ir(0)], [rt[0][2]] * 3, [rt[1][1]] * 3]
        choices = [rt, self.matrix(8), self.matrix(16), odd]
        m = [[np.choose(matrix, [c[r][k] for c in choices]) for k in range(3)] for r in range(3)]
        vectors = [self.vector(0), self.vector(1), self.vector(2), [self.ir(1), self.ir(2), self.ir(3)]]
        v = [np.choose(vector, [c[k] for c in vectors]) for k in range(3)]
        zero = np.zeros(self.n, dtype=np.int64)
        words = [self.words(5), self.words(13), self.words(21), [zero] * 3]
        t = [np.choose(translation, [c[k] for c in words]) for k in range(3)]
        lost = translation == 2
        for r in range(3):
            i = r + 1
            first = self.a(i, (t[r] << 12) + m[r][0] * v[0])
            value = signed(first >> shift, 32)
            self.raise_(25 - i, lost & ((value > 32767) | (value < -32768)))
            s = self.a(i, np.where(lost, 0, first) + m[r][1] * v[1])
            s = self.a(i, s + m[r][2] * v[2])
            self.store_ir(i, self.b(i, self.store_mac(i, s >> shift), lm))
