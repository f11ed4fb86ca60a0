// The launch and the data of a random program, and its text: see random_program.h.
#include "tools/fuzz/random/random_program.h"

#include <bit>

#include "tools/fuzz/random/random_writer.h"

namespace warpsim::reference {

RandomProgram RandomWriter::write() {
  choose_launch();
  choose_data();
  prologue();
  Group everybody = top_group();
  statements(everybody, budget(), 0);
  epilogue();
  return finish();
}

// The number of statements at the top level. A GPU's programs are shorter: most of the time goes into compiling them.
std::uint64_t RandomWriter::budget() {
  if (limits_.hardware) return 4 + random_.below(random_.chance(70) ? 10 : 36);
  return 10 + random_.below(30);
}

void RandomWriter::choose_launch() {
  std::vector<unsigned> lane_counts = {1, 2, 4, 8, 8, 16, 16, 32, 32, 32, 32, 64, 64};
  std::erase_if(lane_counts, [this](unsigned lanes) { return lanes > limits_.max_lanes; });
  lanes_ = program_.lanes = random_.pick(lane_counts);
  const unsigned warps = 1 + static_cast<unsigned>(random_.below(lanes_ <= 16 ? 4 : 2));
  const bool partial = lanes_ > 1 && random_.chance(35);
  threads_ = warps * lanes_ - (partial ? 1 + static_cast<unsigned>(random_.below(lanes_ - 1)) : 0);
  complete_warps_ = threads_ % lanes_ == 0;
  program_.block = {threads_, 1, 1};
  program_.grid = {1 + static_cast<std::uint32_t>(random_.below(3)) / 2, 1, 1};
  for (const std::uint32_t y : {2U, 3U, 4U}) {
    if (threads_ % y != 0 || !random_.chance(12)) continue;
    program_.block = {threads_ / y, y, 1};
    if (threads_ / y % 2 == 0 && random_.chance(30)) program_.block = {threads_ / y / 2, y, 2};
  }
  if (random_.chance(10)) program_.grid = {1, 2, 1};
  if (random_.chance(5)) program_.grid = {1, 1, 2};
  total_ = static_cast<unsigned>(program_.grid.count()) * threads_;
  linear_ = program_.block.y == 1 && program_.block.z == 1 && program_.grid.y == 1 && program_.grid.z == 1;
}

void RandomWriter::choose_data() {
  for (const Type type : {Type::U32, Type::S32, Type::F32, Type::U64, Type::F64, Type::F16, Type::U8}) {
    buffer("in", type, kInputLength + kSlack, true);
    buffer("out", type, total_ + static_cast<unsigned>(random_.below(kSlack)), false);
  }
  buffer("quads", Type::U32, total_ * 4, true);
  for (const Type type : {Type::U32, Type::U64}) {
    buffer("own", type, total_, true);
    buffer("sums", type, kSums * kSumElements, true);
  }
  for (const Type type : {Type::U32, Type::S32, Type::F32, Type::U64, Type::F64}) {
    const Text name = cat({"p_", warpsim::name(type)});
    program_.params.push_back({"param", name, type});
    program_.scalars[name] = random_value(random_, type);
  }
  if (!limits_.store_registers) return;
  buffer("end", Type::U32, total_ * kEndWords, false);
  buffer("end", Type::U64, total_ * kEndLongs, false);
  buffer("end", Type::U16, total_ * kEndHalves, false);
}

void RandomWriter::buffer(const Text& prefix, Type type, unsigned length, bool filled) {
  const Text name = cat({prefix, "_", warpsim::name(type)});
  const Text kind = prefix == "in" || prefix == "out" ? prefix : prefix == "end" ? "out" : "inout";
  program_.params.push_back({kind, name, type, length});
  Array& array = program_.buffers[name];
  array.type = type;
  for (unsigned k = 0; k < length; ++k) array.bits.push_back(filled ? random_value(random_, type) : 0);
}

Group RandomWriter::top_group() const {
  Group group;
  group.members = "%here";
  group.whole_warp = group.packed = group.whole_block = true;
  group.complete = complete_warps_;
  group.segment = complete_warps_ ? lanes_ : 1U << std::countr_zero(threads_ % lanes_);
  return group;
}

std::string RandomParam::text() const {
  return cat({kind, " ", name, ": ", warpsim::name(type), kind == "param" ? "" : cat({"[", length, "]"})});
}

std::string RandomProgram::text() const {
  std::string all = cat({"// random program, seed ", seed, ": ", launch(), "\n.kernel random_program (\n"});
  for (std::size_t k = 0; k < params.size(); ++k)
    all += cat({"    ", params[k].text(), k + 1 < params.size() ? ",\n" : ""});
  all += ")\n";
  for (const std::string& one : lines) all += one + "\n";
  return all;
}

std::string RandomProgram::launch() const {
  const auto dim = [](const Dim3& d) { return cat({d.x, "x", d.y, "x", d.z}); };
  return cat({lanes, " lanes, grid ", dim(grid), ", block ", dim(block)});
}

RandomProgram random_program(std::uint64_t seed, const Limits& limits) { return RandomWriter(seed, limits).write(); }

}  // namespace warpsim::reference
