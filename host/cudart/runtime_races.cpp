// What work and the host do to one memory with nothing between that orders them; see runtime.h.
#include <utility>

#include "host/cudart/runtime.h"
#include "isa/text/number_text.h"

namespace warpsim::cudart {
namespace {

using host::ByteRange;
using host::ByteRanges;

constexpr std::size_t kMostRows = std::size_t{1} << 16;  // of a copy or a fill; of larger ones nothing is known

bool is_known(const Extent& extent) { return extent.is_empty() || extent.height * extent.depth <= kMostRows; }

std::string bytes_of(const Extent& extent) { return counted(extent.width * extent.height * extent.depth, "byte"); }

struct Words {
  std::string what, call, writes = "writes";
};

}  // namespace

// What of it is memory of the device, or that both use.
host::Touched Runtime::touched_by(const Work& work) {
  const auto rows = [&](const Rows& of, const Extent& extent) {
    std::vector<ByteRange> all;
    if (!is_known(extent) || extent.is_empty() || device_.memory().find(of.address, 1) == nullptr) return ByteRanges();
    for (std::size_t z = 0; z < extent.depth; ++z)
      for (std::size_t y = 0; y < extent.height; ++y) {
        const std::uint64_t begin = of.address + z * of.layer + y * of.pitch;
        all.push_back({begin, begin + extent.width});
      }
    return ByteRanges(std::move(all));
  };
  const auto block = [&](std::uint64_t address) {
    const Block* const found = block_at(address);
    return found == nullptr ? ByteRanges() : ByteRanges::of(found->address, found->size);
  };
  host::Touched touched;
  if (std::holds_alternative<KernelWork>(work)) return device_.take_touched();
  if (const auto* const copy = std::get_if<CopyWork>(&work))
    touched.reads = rows(copy->from, copy->extent), touched.writes = rows(copy->to, copy->extent);
  if (const auto* const fill = std::get_if<FillWork>(&work)) touched.writes = rows(fill->to, fill->extent);
  if (const auto* const made = std::get_if<AllocateWork>(&work)) touched.writes = block(made->address);
  if (const auto* const freed = std::get_if<FreeWork>(&work)) touched.writes = block(freed->address);
  return touched;
}

void Runtime::note_touched(const WorkItem& item, host::Touched touched) {
  if (touched.empty()) return;
  Words words;
  if (const auto* const kernel = std::get_if<KernelWork>(&item.work))
    words = {"`" + kernel->function->kernel->name() + "` (launch " + std::to_string(device_.launches()) + ")",
             "launched"};
  if (const auto* const copy = std::get_if<CopyWork>(&item.work))
    words = {"a copy of " + bytes_of(copy->extent), "copied"};
  if (const auto* const fill = std::get_if<FillWork>(&item.work))
    words = {"a fill of " + bytes_of(fill->extent), "filled"};
  if (std::holds_alternative<AllocateWork>(item.work)) words = {"cudaMallocAsync", "allocated", "allocates"};
  if (std::holds_alternative<FreeWork>(item.work)) words = {"cudaFreeAsync", "freed", "frees"};
  const auto race = races_.add({item.moment, item.before, std::move(touched), std::move(words.what), item.at,
                                std::move(words.call), std::move(words.writes)});
  if (race) report(*race);
  if (device_.memory().views() != 0) guard_.update(device_.memory(), races_.kept());
}

// "byte 16 of `cudaMalloc #1`", and where that was allocated.
std::string Runtime::name_byte(std::uint64_t address, host::HostFinding& finding) const {
  const Block* block = block_at(address);
  if (const FreedBlock* const freed = block == nullptr ? freed_at(address) : nullptr) block = &freed->block;
  const DeviceMemory::Allocation* const in = device_.memory().find(address, 1);
  if (block != nullptr) finding.calls.emplace_back("allocated by " + block->made_by, block->made_at);
  const std::string name = in != nullptr      ? "`" + in->name + "`"
                           : block != nullptr ? "what " + block->made_by + " gave"
                                              : hexadecimal_text(address);
  const std::uint64_t begin = block != nullptr ? block->address : in != nullptr ? in->address : address;
  return "byte " + std::to_string(address - begin) + " of " + name;
}

void Runtime::report(const WorkRace& race) {
  const TouchingWork &first = *race.first, &second = *race.second;
  if (!raced_.emplace(first.at, second.at).second) return;
  host::HostFinding finding{
      Finding::HostStreamRace,
      "",
      {{second.what + ", " + second.call, second.at}, {first.what + ", " + first.call, first.at}}};
  const auto does = [](const TouchingWork& work, bool writes) { return " " + (writes ? work.writes : "reads"); };
  const std::string place = name_byte(race.bytes.begin, finding);
  finding.message =
      second.what + does(second, race.second_writes) + " what " + first.what + does(first, race.first_writes) +
      ", and nothing orders the two: " + counted(race.bytes.end - race.bytes.begin, "byte") + " from " + place + " on";
  report_.add(finding);
}

void Runtime::note_accesses() {
  if (!options_.checks || device_.memory().views() == 0) return;
  for (const HostGuard::Access& access : HostGuard::take_accesses())
    for (const TouchingWork& work : races_.kept()) {
      const bool is_written = work.touched.writes.contains(access.address);
      if (!is_written && !(access.writes && work.touched.reads.contains(access.address))) continue;
      if (!raced_.emplace(work.at, access.at).second) break;
      host::HostFinding finding{
          Finding::HostTouchesEarly, "", {{"touched", access.at}, {work.what + ", " + work.call, work.at}}};
      finding.message = "the host" + std::string(access.writes ? " writes " : " reads ") +
                        name_byte(access.address, finding) + ", which " + work.what +
                        (is_written ? " writes" : " reads") + ", without waiting for it";
      report_.add(finding);
      break;
    }
}

}  // namespace warpsim::cudart
