#!/usr/bin/env python3
"""The program may take from the C library only mathematics that IEEE 754 makes exact (docs/decisions/0003-exact-maths.md).

    maths_symbols.py PROGRAM...      fails with the list of inexact functions among the undefined dynamic symbols of each
    maths_symbols.py --self-test     proves that a program that calls sin is found
"""
import re
import shutil
import subprocess
import sys
import tempfile

EXACT = {"sqrt", "fabs", "floor", "ceil", "trunc", "rint", "nearbyint", "round", "roundeven", "lround", "llround", "lrint", "llrint", "fmod",
         "remainder", "remquo", "copysign", "fmin", "fmax", "fdim", "fma", "nextafter", "nexttoward", "ldexp", "frexp", "scalbn", "scalbln",
         "ilogb", "logb", "modf", "nan"}
INEXACT = {"sin", "cos", "tan", "sincos", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp", "exp2",
           "exp10", "expm1", "log", "log2", "log10", "log1p", "pow", "pow10", "cbrt", "hypot", "erf", "erfc", "tgamma", "lgamma", "gamma", "j0",
           "j1", "jn", "y0", "y1", "yn", "drem", "significand", "cexp", "clog", "cpow", "csqrt", "cabs", "carg", "csin", "ccos", "ctan"}


def base_name(symbol):
    """sinf, sinl, __sin_finite, __powf_finite, sincosf@GLIBC_2.2.5 -> sin, pow, sincos"""
    symbol = symbol.split("@")[0]
    symbol = re.sub(r"^__(.*)_finite$", r"\1", symbol)
    if symbol in INEXACT or symbol in EXACT:
        return symbol
    return re.sub(r"(f|l|f32|f64|f128|f32x|f64x)$", "", symbol)


def inexact_imports(program):
    listing = subprocess.run(["nm", "-D", "--undefined-only", program], capture_output=True, text=True, check=True).stdout
    names = [line.split()[-1] for line in listing.splitlines() if line.strip()]
    if not any(name.split("@")[0] == "__libc_start_main" for name in names):
        sys.exit(f"FAILED: {program}: nm lists no __libc_start_main; the list cannot be trusted")
    vector = [name for name in names if re.match(r"_ZGV[a-e]", name)]  # libmvec
    return sorted(vector + [name for name in names if base_name(name) in INEXACT])


def self_test():
    compiler = shutil.which("cc") or shutil.which("gcc")
    with tempfile.TemporaryDirectory() as folder:
        for call, expected in (("sin(x)", ["sin"]), ("powf((float)x, 2.5f)", ["powf"]), ("sqrt(x) + floor(x) + fmod(x, 3.0)", [])):
            source, program = f"{folder}/a.c", f"{folder}/a"
            with open(source, "w") as out:
                out.write(f"#include <math.h>\nint main(int c, char** v) {{ volatile double x = c; (void)v; return (int)({call}); }}\n")
            subprocess.run([compiler, "-O0", "-fno-builtin", source, "-o", program, "-lm"], check=True)
            found = [name.split("@")[0] for name in inexact_imports(program)]
            if found != expected:
                sys.exit(f"FAILED: {call}: found {found}, expected {expected}")
    print("a program that calls sin or powf is found, one that calls sqrt, floor and fmod is not")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    failed = False
    for program in sys.argv[1:]:
        found = inexact_imports(program)
        print(f"{program}: {'inexact: ' + ' '.join(found) if found else 'no inexact mathematics imported'}")
        failed = failed or bool(found)
    return 1 if failed or not sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
