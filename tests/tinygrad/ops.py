#!/usr/bin/env python3
"""Runs tinygrad's tests of its operators on warpsim, through tinygrad's own PTX: tools/tinygrad.sh.

Shapes: each test runs twice, on tinygrad's CPU device and on its NULL device with the PTX renderer, whose kernels warpsim
        runs and checks. What both leave is compared with the test's own tolerance; torch is not needed. A kernel of
        more than WORK instructions (threads times lines of PTX), or of more than SECONDS, is read, but not run.
        With TC=0 in the environment tinygrad does without matrix instructions.
Errors: exit code 1 if a kernel is not read, refused by something else than matrices, ends in a finding or a trap, or
        leaves something else; 3 without warpsim.
"""
import collections, contextlib, hashlib, importlib.util, io, os, pathlib, pickle, subprocess, sys, tempfile, types, unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARPSIM = os.environ.get("WARPSIM", str(ROOT / "build/release/warpsim"))
WORK, SECONDS = int(os.environ.get("WORK", "20000000")), int(os.environ.get("SECONDS", "20"))
LATER = "matrices across a warp"
FAR = ("test_sin", "test_cos", "test_tan")  # of arguments up to 10^6, which sin.approx is not made for

sys.path.insert(0, sys.argv[1])
import numpy as np  # noqa: E402

if not os.access(WARPSIM, os.X_OK):
  sys.exit(print(f"tinygrad: no {WARPSIM}: cmake --build --preset release --target warpsim", file=sys.stderr) or 3)
scratch = tempfile.TemporaryDirectory()
FROM_CPU = pathlib.Path(scratch.name, "cpu")
# tinygrad keeps what it compiled, for whatever device: a process each.
cpu = os.fork()
on_cpu = cpu == 0
os.environ.update(DEV="CPU" if on_cpu else "NULL:PTX:sm_90", NULL_ALLOW_COPYOUT="1", CACHELEVEL="0", PARALLEL="0",
                  XDG_CACHE_HOME=scratch.name)


class Anything:
  """What is left of torch: whatever it is asked for, it has. Random integers are some."""
  __name__ = "anything"
  def __init__(self, array=None): self.array = array
  def __getattr__(self, name):
    if name.startswith("__"): raise AttributeError(name)
    return (lambda: self.array) if name == "numpy" and self.array is not None else Anything(self.array)
  def __call__(self, *a, **k): return self
  def __getitem__(self, key): return Anything()
  def __iter__(self): return iter(())


for operator in "lt le gt ge ne eq add radd sub rsub mul rmul truediv rtruediv pow rpow and or xor neg invert".split():
  setattr(Anything, f"__{operator}__", lambda *a: Anything())


def randint(*given, low=0, high=None, size=None, **k):
  *bounds, size = (*given, size) if size is not None else given
  low, high = {0: (low, high), 1: (low, bounds[0] if bounds else high), 2: tuple(bounds)}[len(bounds)]
  return Anything(numbers.randint(low, high, size))


numbers = np.random.RandomState(0)
torch = types.ModuleType("torch")
torch.randint = randint
torch.__getattr__ = lambda name: Anything()
sys.modules["torch"] = torch

from tinygrad import Tensor, dtypes  # noqa: E402
from tinygrad.runtime import ops_null  # noqa: E402
from tinygrad.runtime.support import compiler_cuda  # noqa: E402
from tinygrad.tensor import _to_np_dtype  # noqa: E402

# The text is what is wanted, of every compiler.
compiler_cuda.NVPTXCompiler = compiler_cuda.PTXCompiler
compiler_cuda.PTXCompiler.compile_cached = compiler_cuda.PTXCompiler.compile
out = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2] else pathlib.Path(scratch.name, "ptx")
out.mkdir(parents=True, exist_ok=True)
kernels, faults, not_run, unread = {}, collections.Counter(), set(), {}
runs = 0
tainted = False  # what follows is not comparable: a kernel was not run


def read(text):
  """Where the text is kept, and why it is not executable throughout."""
  if text in kernels: return kernels[text]
  path = out / (hashlib.sha256(text.encode()).hexdigest()[:16] + ".ptx")
  path.write_text(text)
  said = subprocess.run([WARPSIM, "kernels", path], capture_output=True, text=True, timeout=60)
  refused = [line.strip() for line in said.stdout.splitlines() if line.startswith("  not supported: ")]
  if said.returncode != 0: refused.append(said.stderr.strip())
  for one in refused:
    if not one.endswith(LATER): unread.setdefault(one, path)
  kernels[text] = (path, refused)
  return kernels[text]


class Allocator(ops_null.NullAllocator):
  def _alloc(self, size, options): return memoryview(bytearray(size))
  def _copyin(self, dest, src): dest[:len(src)] = src.cast("B") if src.format != "B" or src.ndim != 1 else src
  def _copyout(self, dest, src): dest.cast("B")[:] = src[:dest.nbytes]
  def _offset(self, buf, size, offset): return buf[offset:offset + size]
  def _free(self, opaque, options): pass


class Program:
  def __init__(self, dev, obj):
    self.text, self.name = obj.lib.rstrip(b"\0").decode(), obj.name
    self.device, self.profile_key = dev.device, obj.profile_key

  def __call__(self, *bufs, global_size=(1, 1, 1), local_size=(1, 1, 1), vals=(), wait=False, **kw):
    global runs, tainted
    path, refused = read(self.text)
    threads = int(np.prod(global_size)) * int(np.prod(local_size))
    if refused or threads * self.text.count("\n") > WORK or any(len(one) == 0 for one in bufs):
      not_run.add(path)
      tainted = True
      return 1e-3
    files = [pathlib.Path(scratch.name, f"{k}.npy") for k in range(len(bufs))]
    words = [WARPSIM, "run", path, "--grid", "x".join(map(str, global_size)), "--block", "x".join(map(str, local_size)),
             "--json"]
    for k, (one, file) in enumerate(zip(bufs, files)):
      np.save(file, np.frombuffer(one, np.uint8))
      words += ["--input", f"b{k}=@{file}", "--output", f"b{k}=@{file}"]
    for k, value in enumerate(vals): words += ["--param", f"v{k}={value}"]
    try: said = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
      not_run.add(path)
      tainted = True
      return 1e-3
    runs += 1
    if said.returncode != 0: faults[f"{path.name}: exit code {said.returncode}: {(said.stderr or said.stdout)[:400]}"] += 1
    for one, file in zip(bufs, files):
      left = np.load(file).tobytes()
      one[:] = left
    return 1e-3


ops_null.NullAllocator, ops_null.NullProgram = Allocator, Program
with contextlib.redirect_stderr(io.StringIO()):
  spec = importlib.util.spec_from_file_location("test_ops", pathlib.Path(sys.argv[1], "test/backend/test_ops.py"))
  tests = importlib.util.module_from_spec(spec)
  spec.loader.exec_module(tests)

left = []  # of the test that runs: arrays with their tolerances


def operands(low, high, shapes, vals):
  if shapes is None:
    arrays = [np.array(one) for one in vals]
    arrays = [one.astype({"f": np.float32, "i": np.int32}.get(one.dtype.kind, one.dtype)) for one in arrays]
  else:
    np.random.seed(0)
    arrays = [np.random.uniform(low=low, high=high, size=one).astype(_to_np_dtype(dtypes.default_float)) for one in shapes]
  return [Tensor(one) for one in arrays]


def helper(shps, torch_fxn, tinygrad_fxn=None, atol=1e-6, rtol=1e-3, grad_atol=1e-4, grad_rtol=1e-3, forward_only=False,
           vals=None, low=-2, high=2):
  fxn = tinygrad_fxn or torch_fxn
  given = operands(low, high, shps, vals)
  result = fxn(*given).realize()
  left.append((result.numpy(), atol, rtol, tainted))
  if forward_only or not given: return
  for one in fxn(*given).sum().gradient(*given): left.append((one.numpy(), grad_atol, grad_rtol, tainted))


tests.helper_test_op = helper
tests.TestOps.helper_test_exception = lambda *a, **k: None  # of torch's exceptions
tests.COMPILE_ONLY = True


def run(name):
  """What a test leaves, and the error that stopped it."""
  global left, tainted
  left, tainted = [], False
  Tensor.manual_seed(0)
  numbers.seed(0)
  case = tests.TestOps(name)
  try:
    case.setUp()
    getattr(case, name)()
  except unittest.SkipTest: pass
  except Exception as one: return left, f"{type(one).__name__}: {str(one)[:200]}"
  return left, None


names = sys.argv[3:] or unittest.TestLoader().getTestCaseNames(tests.TestOps)
if on_cpu:
  FROM_CPU.write_bytes(pickle.dumps({name: run(name) for name in names}))
  os._exit(0)
by_name = {name: run(name) for name in names}
os.waitpid(cpu, 0)
by_cpu = pickle.loads(FROM_CPU.read_bytes())

compared = apart = far = stopped = 0
for name in names:
  (expected, at_cpu), (got, at_null) = by_cpu[name], by_name[name]
  if at_null or at_cpu:
    stopped += 1
    print(f"{name} stops: {at_null or at_cpu}")
  for k, ((a, atol, rtol, _), (b, _, _, skipped)) in enumerate(zip(expected, got)):
    if skipped:
      apart += 1
      continue
    compared += 1
    with np.errstate(all="ignore"):
      same = a.shape == b.shape and a.dtype == b.dtype and (
        np.allclose(b, a, atol=atol, rtol=rtol, equal_nan=True) if a.dtype.kind == "f" else np.array_equal(a, b))
    if not same and name in FAR: far += 1
    elif not same: faults[f"{name}: result {k} differs: {np.ravel(b)[:4]} and on the CPU {np.ravel(a)[:4]}"] += 1

later = sum(1 for _, refused in kernels.values() if refused and all(one.endswith(LATER) for one in refused))
print(f"kernels, each once                     {len(kernels):6}")
print(f"  executable throughout                {sum(1 for _, refused in kernels.values() if not refused):6}")
print(f"  refused by what comes later alone    {later:6}")
print(f"  refused by something else, not read  {len(kernels) - later - sum(1 for _, r in kernels.values() if not r):6}")
print(f"runs, checked                          {runs:6}")
print(f"results compared                       {compared:6}")
print(f"results of kernels that were not run   {apart:6}")
print(f"results of sin.approx far from 0       {far:6}")
print(f"tests that stop for want of torch      {stopped:6}")
for one, path in unread.items(): print(f"{path}: {one}")
for one, count in faults.items(): print(f"{count} times: {one}")
sys.exit(1 if unread or faults else 0)
