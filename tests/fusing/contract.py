#!/usr/bin/env python3
"""How often `--contract` is what a GPU's compiler fuses: kernels of random sums and products, or given ones, on a GPU.

    tests/fusing/contract.py [--count N] [--seed S] [--out DIR]    kernels, the seed of the first, where PTX and captures are kept
    tests/fusing/contract.py [--out DIR] FILE.ptx...               these, with the .launch files beside them

Shapes: each random kernel loads four values of one type (f32, f64 or f16; .ftz or not) and makes 2 to 21 sums, differences and
        products of values that it has, none with a rounding modifier; some of them in a branch or in a loop. It stores
        one to three values. Two sentences: how many kernels leave other bytes on the GPU than without fusing, and in how
        many of these, and of the others, `--contract` leaves what the GPU does.
Errors: exit code 2 usage, 3 without warpsim, 5 without a GPU.
"""
import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARPSIM = os.environ.get("WARPSIM", str(ROOT / "build/release/warpsim"))
BYTES = {"f32": 4, "f64": 8, "f16": 2}


class Body:
    """The instructions of a kernel, in the shape in which compilers write them: each register is written once, but for
    what a branch or a loop carries."""

    def __init__(self, chance, kind, ftz):
        self.chance, self.kind, self.ftz = chance, kind, ftz
        self.lines, self.values, self.made = [], [], 0

    def fresh(self):
        self.made += 1
        return f"%v{self.made - 1}"

    def value(self):
        return self.chance.choice(self.values[-4:] if self.chance.random() < 0.7 else self.values)

    def move(self, to, what):
        self.lines.append(f"mov.{'b16' if self.kind == 'f16' else self.kind} {to}, {what};")

    def step(self):
        operation = self.chance.choices(["mul", "add", "sub"], [4, 3, 2])[0]
        left, right = self.value(), self.value()
        while right == left and operation != "mul":
            right = self.value()
        to = self.fresh()
        self.lines.append(f"{operation}{self.ftz}.{self.kind} {to}, {left}, {right};")
        self.values.append(to)

    def steps(self, most):
        for _ in range(self.chance.randint(1, most)):
            self.step()

    def branch(self):
        carried, before = self.fresh(), list(self.values)
        self.move(carried, self.value())
        self.lines.append("@%p0 bra L;")
        self.steps(6)
        self.move(carried, self.values[-1])
        self.lines.append("L:")
        self.values = before + [carried]

    def loop(self):
        carried, before = self.fresh(), list(self.values)
        self.move(carried, self.value())
        self.lines += ["mov.u32 %i1, 0;", "M:"]
        self.values.append(carried)
        self.steps(4)
        self.move(carried, self.values[-1])
        self.lines.append("add.u32 %i1, %i1, 1; setp.lt.u32 %p1, %i1, 3; @%p1 bra M;")
        self.values = before + [carried]

    def without_unused(self):
        """What no store needs a compiler leaves out, and so does this."""
        needed, known = set(), -1
        while known != len(needed):
            known = len(needed)
            for line in self.lines:
                registers = re.findall(r"%v\d+", line)
                if line.startswith("st.") or (registers and registers[0] in needed):
                    needed.update(registers)
        return [line for line in self.lines if "%v" not in line or line.startswith("st.") or re.search(r"%v\d+", line)[0] in needed]


def kernel(seed):
    """The text of a module with one kernel, and of its launch description."""
    chance = random.Random(seed)
    kind, ftz = chance.choice([("f32", ""), ("f32", ""), ("f32", ".ftz"), ("f64", ""), ("f16", "")])
    width = BYTES[kind]
    memory = "b16" if kind == "f16" else kind
    body = Body(chance, kind, ftz)
    for k in range(4):
        body.values.append(body.fresh())
        body.lines.append(f"ld.global.{memory} {body.values[-1]}, [%a2+{k * 32 * width}];")
    body.steps(7)
    for shape in chance.choice([(), (), (body.branch,), (body.loop,)]):
        shape()
    body.steps(8)
    for k, value in enumerate([body.values[-1]] + chance.sample(body.values[4:], min(len(body.values) - 4, chance.randint(0, 2)))):
        body.lines.append(f"st.global.{memory} [%a3+{k * width}], {value};")
    lines = "\n  ".join(body.without_unused())
    text = f""".version 9.0
.target sm_90
.address_size 64
.visible .entry k{seed}(.param .u64 x, .param .u64 y)
{{
  .reg .{memory} %v<{body.made}>;
  .reg .b64 %a<4>;
  .reg .b32 %i<2>;
  .reg .pred %p<2>;
  ld.param.u64 %a0, [x];
  ld.param.u64 %a1, [y];
  mov.u32 %i0, %tid.x;
  mad.wide.u32 %a2, %i0, {width}, %a0;
  mad.wide.u32 %a3, %i0, {width * 3}, %a1;
  setp.lt.u32 %p0, %i0, 16;
  {lines}
  ret;
}}
"""
    launch = f""".kernel k{seed} (in x: {kind}[128], out y: {kind}[96])
.case test
    grid = 1
    block = 32
    x = 4.0 * float((i + {seed % 1000 * 131}) * 2654435761 >> 12 & 65535) / 65536.0 - 2.0
"""
    return text, launch


def random_kernels(folder, seeds):
    files = []
    for seed in seeds:
        path = folder / f"k{seed}.ptx"
        text, launch = kernel(seed)
        path.write_text(text)
        path.with_suffix(".launch").write_text(launch)
        files.append(str(path))
    return files


def equal_ones(*arguments):
    """What `warpsim crosscheck` finds equal in every byte, of what: file, kernel and case."""
    run = subprocess.run([WARPSIM, "crosscheck", "--json", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    answer = json.loads(run.stdout) if run.stdout else {}
    if run.returncode not in (0, 1) or not answer.get("result", {}).get("compared"):
        print(run.stdout, run.stderr, file=sys.stderr)
        sys.exit(run.returncode or 1)
    runs = answer["result"]["runs"]
    return {(one["file"], one["kernel"], one["case"]) for one in runs if one["equal"]}, len(runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out")
    parser.add_argument("files", nargs="*", metavar="FILE.ptx")
    given = parser.parse_args()
    if not os.access(WARPSIM, os.X_OK):
        print(f"contract: no {WARPSIM}: cmake --build --preset release --target warpsim", file=sys.stderr)
        sys.exit(3)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(given.out or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        files = given.files or random_kernels(folder, range(given.seed, given.seed + given.count))
        captures = str(folder / "captures")
        predicted, runs = equal_ones("--contract", "--record", captures, *files)
        unfused, _ = equal_ones("--against", captures, *files)
    print(f"{runs} runs; {runs - len(unfused)} leave other bytes than without fusing: in {len(predicted - unfused)} of these")
    print(f"--contract leaves the GPU's, and in {len(predicted & unfused)} of the other {len(unfused)}.")


if __name__ == "__main__":
    main()
