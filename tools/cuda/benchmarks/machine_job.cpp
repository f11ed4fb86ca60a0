#include "tools/cuda/benchmarks/machine_job.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include "sim/machine/machine.h"
#include "sim/memory/memory.h"
#include "tools/cuda/recording/capture.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kAlign = 512, kApart = 4096;  // places of launches are a guard apart
constexpr std::uint64_t kLarge = 256 * 1024;          // of a buffer that all launches share, if they only read it

std::uint64_t aligned_up(std::uint64_t n) { return (n + kAlign - 1) / kAlign * kAlign; }

constexpr std::string_view kJobsMagic = "warpsim-machine-jobs 2\n";

std::string bytes_of(const Array& array) {
  const auto size = static_cast<unsigned>(bytes(array.type));
  std::string out(array.bits.size() * size, '\0');
  for (std::size_t k = 0; k < array.bits.size(); ++k)
    store_bits(reinterpret_cast<std::byte*>(out.data()) + k * size, array.bits[k], size);
  return out;
}

void put_bits(std::string& image, std::uint64_t at, std::uint64_t value, std::uint32_t size) {
  image.resize(std::max<std::size_t>(image.size(), at + size));
  store_bits(reinterpret_cast<std::byte*>(image.data()) + at, value, size);
}

// ---- jobs as bytes

class Writer {
 public:
  void number(std::uint64_t value) { put_bits(out_, out_.size(), value, sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    out_ += value;
  }
  void contents(const Contents& one) {
    if (const auto found = places_.find(*one); found != places_.end()) return number(found->second);
    number(kNew);
    text(*one);
    places_.emplace(*one, places_.size());
  }
  std::string take() { return std::move(out_); }

  static constexpr std::uint64_t kNew = ~std::uint64_t{0};

 private:
  std::string out_;
  std::unordered_map<std::string_view, std::uint64_t> places_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  bool is_good() const { return good_; }
  bool is_at_end() const { return rest_.empty(); }
  std::uint64_t number() {
    const std::string_view piece = take(sizeof(std::uint64_t));
    if (piece.empty()) return 0;
    return load_bits(reinterpret_cast<const std::byte*>(piece.data()), sizeof(std::uint64_t));
  }
  std::string text() { return std::string(take(number())); }
  Contents contents() {
    const std::uint64_t place = number();
    if (place == Writer::kNew) return all_.emplace_back(std::make_shared<const std::string>(text()));
    if (place < all_.size()) return all_[place];
    good_ = false;
    return std::make_shared<const std::string>();
  }

 private:
  std::string_view take(std::uint64_t count) {
    good_ = good_ && count <= rest_.size();
    if (!good_) return {};
    const std::string_view piece = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return piece;
  }
  std::string_view rest_;
  std::vector<Contents> all_;
  bool good_ = true;
};

constexpr std::uint64_t kCold = 1, kWhole = 2, kMayDiffer = 4, kTestSet = 8;  // flags

MachineJob read_job(Reader& in) {
  MachineJob job;
  for (std::string* text : {&job.name, &job.cls, &job.source, &job.entry, &job.params}) *text = in.text();
  const std::uint64_t flags = in.number();
  job.cold = (flags & kCold) != 0;
  job.whole = (flags & kWhole) != 0;
  job.may_differ = (flags & kMayDiffer) != 0;
  job.set = (flags & kTestSet) != 0 ? KernelSet::Test : KernelSet::Calibration;
  for (std::uint32_t* number : {&job.warps, &job.passes, &job.grid.x, &job.grid.y, &job.grid.z, &job.block.x,
                                &job.block.y, &job.block.z, &job.shared_bytes})
    *number = static_cast<std::uint32_t>(in.number());
  job.code = in.contents();
  for (std::uint64_t left = in.number(); left != 0 && in.is_good(); --left) {
    JobBuffer& buffer = job.buffers.emplace_back();
    buffer.name = in.text();
    buffer.address = in.number();
    buffer.param_offset = static_cast<std::uint32_t>(in.number());
    buffer.before = in.contents();
    buffer.after = in.contents();
  }
  return job;
}

}  // namespace

JobPlaces::JobPlaces(const MachineJob& job, std::uint64_t launches) {
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), last = 0;
  for (const JobBuffer& b : job.buffers) {
    buffers.push_back({&b, b.is_read_only() && b.before->size() > kLarge, 0});
    if (buffers.back().is_shared) continue;
    first = std::min(first, b.address);
    last = std::max(last, b.address + b.before->size());
  }
  first = std::min(first, last) / kAlign * kAlign;  // what shares a line here does so there
  // Buffers between them that are shared leave a hole.
  stride = aligned_up(last - first + kApart);
  size = launches * stride;
  for (Place& place : buffers) {
    place.offset = place.is_shared ? size : place.buffer->address - first;
    if (place.is_shared) size = aligned_up(size + place.buffer->before->size());
  }
}

std::variant<MachineJob, std::string> machine_job(const ClockJob& job) {
  auto created = Machine::create(job.clocked.program, job.prepared.config, job.prepared.arguments);
  if (const LaunchError* error = std::get_if<LaunchError>(&created)) return error->message;
  Machine& machine = std::get<Machine>(created);
  MachineJob out;
  out.name = job.name;
  out.cls = job.cls;
  out.set = job.set;
  out.warps = job.warps;
  out.passes = job.whole ? 1 : job.passes;
  out.cold = job.cold;
  out.whole = job.whole;
  out.source = tools::hash_of(job.ptx);
  out.entry = job.entry;
  out.grid = job.prepared.config.grid;
  out.block = job.prepared.config.block;
  out.shared_bytes = job.dynamic_shared_bytes;
  const std::vector<Param>& params = job.clocked.program.params;
  for (std::size_t k = 0; k < params.size(); ++k) {
    const Param& p = params[k];
    if (p.is_variable) continue;  // the machine code has it
    const auto given = machine.arguments().scalars.find(p.name);
    const std::uint64_t value = p.is_buffer() || given == machine.arguments().scalars.end() ? 0 : given->second;
    put_bits(out.params, p.offset_bytes, value, p.size_bytes());
    if (!p.is_buffer()) continue;
    const std::uint64_t address = machine.buffer_address(static_cast<std::int32_t>(k));
    const auto before = std::make_shared<const std::string>(bytes_of(machine.buffer(p.name)));
    out.buffers.push_back({p.name, address, p.offset_bytes, before, before});
  }
  if (!machine.run().ok) return std::string("its run traps");
  for (JobBuffer& buffer : out.buffers)
    if (std::string after = bytes_of(machine.buffer(buffer.name)); after != *buffer.before && !buffer.is_clock())
      buffer.after = std::make_shared<const std::string>(std::move(after));
  return out;
}

std::uint64_t WarpClocks::cycles() const {
  std::uint32_t last = 0;
  for (const std::uint32_t one : end) last = std::max(last, one == kNoClock ? 0 : one);
  return last;
}

WarpClocks warp_clocks(const MachineJob& job, std::string_view begin, std::string_view end, std::string_view sm) {
  constexpr std::size_t kClockBytes = sizeof(std::uint32_t);
  const unsigned each = job.whole ? 32 : 1;  // clocks of a warp
  const auto word = [](std::string_view bytes, std::size_t k) {
    std::uint32_t value = 0;
    if ((k + 1) * kClockBytes <= bytes.size()) std::memcpy(&value, bytes.data() + k * kClockBytes, kClockBytes);
    return value;
  };
  // Clocks of 32 bits wrap round: they are compared with the first that their multiprocessor has here.
  struct Sm {
    std::uint32_t base = 0;
    std::int32_t first = std::numeric_limits<std::int32_t>::max();
  };
  std::map<std::uint32_t, Sm> sms;
  std::vector<std::int32_t> begins, ends;
  std::vector<Sm*> sm_of;
  for (unsigned warp = 0; warp < job.warps; ++warp) {
    begins.push_back(std::numeric_limits<std::int32_t>::max());
    ends.push_back(std::numeric_limits<std::int32_t>::min());
    sm_of.push_back(nullptr);
    for (std::size_t k = std::size_t{warp} * each; k < std::size_t{warp + 1} * each; ++k) {
      if (word(end, k) == 0) continue;
      const auto [at, is_new] = sms.try_emplace(word(sm, k));
      if (is_new) at->second.base = word(begin, k);
      sm_of.back() = &at->second;
      const auto since = [base = at->second.base](std::uint32_t clock) {
        return static_cast<std::int32_t>(clock - base);
      };
      begins.back() = std::min(begins.back(), since(word(begin, k)));
      ends.back() = std::max(ends.back(), since(word(end, k)));
    }
    if (sm_of.back() != nullptr) sm_of.back()->first = std::min(sm_of.back()->first, begins.back());
  }
  WarpClocks clocks;
  for (unsigned warp = 0; warp < job.warps; ++warp) {
    const Sm* const own = sm_of[warp];
    clocks.begin.push_back(own != nullptr ? static_cast<std::uint32_t>(begins[warp] - own->first) : kNoClock);
    clocks.end.push_back(own != nullptr ? static_cast<std::uint32_t>(ends[warp] - own->first) : kNoClock);
  }
  return clocks;
}

std::string pack_jobs(const std::vector<MachineJob>& jobs) {
  Writer out;
  out.number(jobs.size());
  for (const MachineJob& job : jobs) {
    for (const std::string* text : {&job.name, &job.cls, &job.source, &job.entry, &job.params}) out.text(*text);
    out.number((job.cold ? kCold : 0) | (job.whole ? kWhole : 0) | (job.may_differ ? kMayDiffer : 0) |
               (job.set == KernelSet::Test ? kTestSet : 0));
    for (const std::uint32_t number : {job.warps, job.passes, job.grid.x, job.grid.y, job.grid.z, job.block.x,
                                       job.block.y, job.block.z, job.shared_bytes})
      out.number(number);
    out.contents(job.code);
    out.number(job.buffers.size());
    for (const JobBuffer& buffer : job.buffers) {
      out.text(buffer.name);
      out.number(buffer.address);
      out.number(buffer.param_offset);
      out.contents(buffer.before);
      out.contents(buffer.after);
    }
  }
  return std::string(kJobsMagic) + out.take();
}

std::variant<std::vector<MachineJob>, std::string> unpack_jobs(std::string_view bytes) {
  if (!bytes.starts_with(kJobsMagic)) return std::string("it holds no jobs of machine code");
  Reader in(bytes.substr(kJobsMagic.size()));
  std::vector<MachineJob> jobs;
  for (std::uint64_t left = in.number(); left != 0 && in.is_good(); --left) jobs.push_back(read_job(in));
  if (!in.is_good() || !in.is_at_end()) return std::string("its jobs are cut off or damaged");
  return jobs;
}

}  // namespace warpsim
