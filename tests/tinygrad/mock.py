#!/usr/bin/env python3
"""Runs tinygrad's own tests on its mock GPU, which calls libwarpsim's ptx_run: tools/tinygrad.sh --mock.

    mock.py DIR [--gpu] [MODULE...]     DIR: a checkout of github.com/tinygrad/tinygrad
                                        --gpu: those that fail once more on a GPU, whose failures must say the same
                                        MODULE: test.test_tiny, say; all of MODULES if left out

Shapes: the tests are shared out to as many processes as there are cores. mock_expected.txt has lines `TEST REASON` or
        `CLASS.TEST REASON`: what fails on an H200 in the same way, with tinygrad a9069c1 and PyTorch 2.11, and what
        Debian's PyTorch 1.13 cannot, which counts with that alone.
        tinygrad computes some values on the CPU, and needs clang for it: gcc does not take its vectors.
Errors: exit code 1 if another test fails, or has no result; 2 usage, 3 without numpy, torch, hypothesis or the library.
"""
import argparse, collections, json, os, pathlib, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = os.environ.get("WARPSIM_LIBRARY", str(ROOT / "build/release/libwarpsim.so"))
MODULES = ["test.test_tiny", "test.backend.test_ops", "test.backend.test_uops", "test.backend.test_dtype_alu"]
SECONDS = int(os.environ.get("SECONDS", "1800"))

# In a process of its own: the tests that the first file names; what becomes of each is a line of the second.
WORKER = r'''
import json, sys, unittest
out = open(sys.argv[2], "w")
class Lines(unittest.TestResult):
  def say(self, test, what, text=""):
    out.write(json.dumps({"test": test.id(), "what": what, "text": text}) + "\n")
    out.flush()
  def addSuccess(self, test): self.say(test, "pass")
  def addExpectedFailure(self, test, error): self.say(test, "pass")
  def addSkip(self, test, why): self.say(test, "skip", why)
  def addFailure(self, test, error): self.say(test, "fail", str(error[1]))
  addError = addFailure
  def addUnexpectedSuccess(self, test): self.say(test, "fail", "it passes, and should not")
  def addSubTest(self, test, part, error):
    if error is not None: self.say(test, "fail", str(error[1]))
unittest.defaultTestLoader.loadTestsFromNames(json.load(open(sys.argv[1]))).run(Lines())
'''
NAMES = r'''
import json, sys, unittest
def names(suite):
  for one in suite:
    if isinstance(one, unittest.TestSuite): yield from names(one)
    else: yield one.id()
print("\n" + json.dumps(list(names(unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:])))))  # the tests print, too
'''


def run(tests, device, given, scratch, processes):
  """What becomes of each test on one of tinygrad's devices: by name, its first failure counts."""
  workers = []
  for k in range(min(processes, len(tests))):
    share, out = scratch / f"{k}.json", scratch / f"{k}.out"
    share.write_text(json.dumps(tests[k::processes]))
    log = open(scratch / f"{k}.log", "w")
    workers.append((subprocess.Popen([sys.executable, "-c", WORKER, share, out], cwd=given.dir, env=environment(device, given),
                                     stdout=log, stderr=log), out))
  results = {}
  for worker, out in workers:
    try: worker.wait(SECONDS)
    except subprocess.TimeoutExpired: worker.kill()
    for line in out.read_text().splitlines():
      one = json.loads(line)
      if results.get(one["test"], {}).get("what") != "fail": results[one["test"]] = one
  return results


def environment(device, given):
  return dict(os.environ, DEV=device, FORWARD_ONLY="1", OCELOT_PATH=LIBRARY, CACHELEVEL="0", PYTHONDONTWRITEBYTECODE="1",
              PYTHONPATH=os.pathsep.join([given.dir, os.environ.get("PYTHONPATH", "")]))


def is_old_torch():
  said = subprocess.run([sys.executable, "-c", "import torch; print(torch.__version__)"], stdout=subprocess.PIPE, text=True, check=False)
  return said.stdout.startswith("1.")


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("dir")
  parser.add_argument("--gpu", action="store_true")
  parser.add_argument("modules", nargs="*", default=MODULES)
  given = parser.parse_args()
  given.dir = str(pathlib.Path(given.dir).resolve())
  if not os.access(LIBRARY, os.R_OK):
    sys.exit(print(f"tinygrad: no {LIBRARY}: cmake --build --preset release --target c", file=sys.stderr) or 3)
  expected = dict(line.split(" ", 1) for line in (ROOT / "tests/tinygrad/mock_expected.txt").read_text().splitlines())
  if not is_old_torch(): expected = {name: reason for name, reason in expected.items() if not reason.startswith("with PyTorch 1.13 alone")}
  listed = subprocess.run([sys.executable, "-c", NAMES, *given.modules], cwd=given.dir, env=environment("MOCK+CUDA:PTX", given),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
  tests = json.loads(listed.stdout.rstrip().split("\n")[-1] or "[]")
  if not tests or any("_FailedTest" in one for one in tests):
    sys.exit(print(listed.stderr[-2000:] or f"tinygrad: not importable: {tests}", file=sys.stderr) or 3)
  with tempfile.TemporaryDirectory() as folder:
    scratch = pathlib.Path(folder)
    results = run(tests, "MOCK+CUDA:PTX", given, scratch, os.cpu_count() or 1)
    failed = {name: one["text"] for name, one in results.items() if one["what"] == "fail"}
    counts = collections.Counter(one["what"] for one in results.values())
    print(f"{len(tests)} tests: {counts['pass']} pass, {counts['skip']} are skipped, {len(failed)} fail")
    bad = [name for name in tests if name not in results]
    for name in bad: print(f"  no result: {name}")
    for name, text in failed.items():
      reason = expected.get(name.rsplit(".", 1)[-1]) or expected.get(".".join(name.rsplit(".", 2)[-2:]))
      print(f"  {name}: " + (reason or text.strip().splitlines()[-1]))
      if reason is None: bad.append(name)
    if given.gpu and failed:
      on_gpu = run(list(failed), "CUDA:PTX", given, scratch, 1)
      same = [name for name in failed if on_gpu.get(name, {}).get("text") == failed[name]]
      print(f"of the {len(failed)} that fail, {len(same)} fail on the GPU with the same values")
      bad += [name for name in failed if name not in same]
  sys.exit(1 if bad else 0)


if __name__ == "__main__": main()
