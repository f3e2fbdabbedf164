#!/usr/bin/env python3
"""The C++ GTE against gte.py, on random registers.

    gte_test.py DRIVER [SECONDS]      (default 20)

Every round takes all commands in turn. Registers are random bits, random small numbers, numbers at the ends of their ranges, or scenes
as a game makes them, so that limits are both met and missed. At the end every flag that a command can raise has to have been seen raised and
seen clear. Prints the number of inputs.
"""
import subprocess
import sys
import time

import numpy as np

import gte

BATCH = 4096
COMMANDS = {0x01: "RTPS", 0x30: "RTPT", 0x06: "NCLIP", 0x2D: "AVSZ3", 0x2E: "AVSZ4", 0x1E: "NCS", 0x20: "NCT", 0x12: "MVMVA"}
MAC_IR = {30, 29, 28, 27, 26, 25, 24, 23, 22}
# 16 and 15 of RTPS need sums beyond 32 bits; lights have no translation large enough for 44 bits but BK, which has.
RAISED = {"RTPS": MAC_IR | {18, 17, 16, 15, 14, 13, 12}, "RTPT": MAC_IR | {18, 17, 16, 15, 14, 13, 12}, "NCLIP": {16, 15}, "AVSZ3": {18, 16, 15},
          "AVSZ4": {18, 16, 15}, "NCS": MAC_IR | {21, 20, 19}, "NCT": MAC_IR | {21, 20, 19}, "MVMVA": MAC_IR}


def registers(random, n):
    """64 rows of 32 bits: for each machine and register one of several kinds of numbers."""
    bits = random.integers(0, 1 << 32, (64, n), dtype=np.int64)
    # Both halves small, so that pairs of 16 bits are too.
    width = random.integers(0, 16, (64, n))
    halves = [random.integers(-32768, 32768, (64, n), dtype=np.int64) >> width for _ in range(2)]
    small = (halves[0] & 0xFFFF) | (halves[1] & 0xFFFF) << 16
    long = (random.integers(-(1 << 31), 1 << 31, (64, n), dtype=np.int64) >> random.integers(0, 32, (64, n))) & 0xFFFFFFFF
    ends = random.choice(np.array([0, 1, 0xFFFF, 0xFFFFFFFF, 0x7FFF7FFF, 0x80008000, 0x7FFFFFFF, 0x80000000, 0x00018000, 0x7FFF8000, 0x10001000]), (64, n))
    # One habit a machine, with exceptions.
    habit = np.broadcast_to(random.integers(0, 4, (1, n)), (64, n))
    habit = np.where(random.random((64, n)) < 0.15, random.integers(0, 4, (64, n)), habit)
    values = np.choose(habit, [bits, small, long, ends])
    scene(random, values[:, : n // 8])
    return values


def scene(random, values):
    """Overwrites with what a game has: a bone in front of the camera, a lamp, a triangle on the screen."""
    n = values.shape[1]

    def some(low, high):
        return random.integers(low, high, n, dtype=np.int64)

    def pairs(rows, low, high):
        for row in rows:
            values[row] = (some(low, high) & 0xFFFF) | (some(low, high) & 0xFFFF) << 16

    pairs(range(0, 6), -700, 700)
    pairs(range(8, 12), 0, 4096)
    pairs(range(12, 16), -100, 400)
    for row in range(16, 20):
        values[row] = some(300, 9000)
    pairs(range(32, 37), -4096, 4097)
    for row in (37, 38):
        values[row] = some(-500, 500) & 0xFFFFFFFF
    values[39] = some(4000, 12000)
    pairs(range(40, 45), -2000, 2000)
    pairs(range(48, 53), 0, 2000)
    for row in (45, 46, 47, 53, 54, 55):
        values[row] = some(500, 1500)
    values[56], values[57], values[58] = 160 << 16, 120 << 16, some(100, 320)
    values[59], values[60] = -4194 & 0xFFFFFFFF, 0x01400000
    values[61], values[62] = 0x155, 0x100


def words(random, function, n):
    """(command words, sf, lm, matrix, vector, translation); bits that mean nothing are random."""
    word = (random.integers(0, 1 << 32, n, dtype=np.int64) & ~0x3F) | function
    return word, word >> 19 & 1, word >> 10 & 1, word >> 17 & 3, word >> 15 & 3, word >> 13 & 3


def main():
    driver = sys.argv[1]
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 20.0
    random = np.random.default_rng(20240606)
    end = time.monotonic() + seconds
    seen = {name: [0, 0xFFFFFFFF] for name in COMMANDS.values()}
    total = 0
    while time.monotonic() < end or total < 8 * 8 * BATCH:
        for function, name in COMMANDS.items():
            values = registers(random, BATCH)
            word, *fields = words(random, function, BATCH)
            effects = random.integers(0, 4, BATCH, dtype=np.int64)
            record = np.vstack([word, effects, values]).T.astype("<u4").tobytes()
            answer = subprocess.run([driver], input=record, stdout=subprocess.PIPE, check=True).stdout
            found = np.frombuffer(answer, "<u4").reshape(BATCH, 65).T.astype(np.int64)

            machines = gte.Machines(BATCH)
            for i in range(32):
                if i in (15, 28):
                    machines.write_data(i, values[i], (effects & (1 if i == 15 else 2)) != 0)
                else:
                    machines.write_data(i, values[i])
                machines.write_control(i, values[32 + i])
            machines.run(function, *fields)
            expected = np.vstack([np.ones(BATCH, dtype=np.int64)] + [machines.read_data(i) for i in range(32)] + [machines.read_control(i) for i in range(32)])
            if not np.array_equal(found, expected):
                row, column = np.argwhere(found != expected)[0]
                sys.exit("%s (word %08X): %s %d is %08X in C++, %08X in Python; registers %s" % (
                    name, word[column], "control" if row > 32 else "data", (row - 1) % 32, found[row, column], expected[row, column],
                    " ".join("%08X" % v for v in values[:, column])))
            flags = machines.read_control(31)
            seen[name][0] |= int(np.bitwise_or.reduce(flags))
            seen[name][1] &= int(np.bitwise_and.reduce(flags))
            total += BATCH
    for name, (ever, always) in seen.items():
        wanted = sum(1 << bit for bit in RAISED[name]) | 0x80000000
        if ever != wanted or always != 0:
            sys.exit("%s: flags seen %08X, expected %08X; never clear: %08X" % (name, ever, wanted, always))
    print("%d inputs, %d of each command, all flags seen: equal" % (total, total // len(COMMANDS)))


if __name__ == "__main__":
    main()
