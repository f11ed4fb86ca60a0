// What the H200 gave, read from the captures in tests/data: operands and results as plain data, nothing evaluated.
//
// Shapes: a ScalarVector is one instruction on one lane. The warp-wide ones hold a value a lane; lanes that did not
//         participate have none.
// Units:  all values are bits; lanes count from 0.
// Errors: a file that cannot be read or a line that cannot be parsed becomes a message in `problems`.
// Source: the files' formats: tests/data/README.md.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpsim::tests {

inline constexpr unsigned kVectorLanes = 32;
template <class T>
using PerLane = std::array<T, kVectorLanes>;

struct ScalarVector {
  const std::string* name;  // the line's prefix; points into Vectors::names
  std::array<std::uint64_t, 4> operands;
  int operand_count;
  std::uint64_t result;
  int line;
  std::optional<std::uint64_t> carry = std::nullopt;  // what is in the carry flag then
};

// A conversion of all 65536 f16: some results, and the FNV-1a hash of all of them as 32-bit little-endian words.
struct HalfTable {
  std::string opcode;
  std::uint64_t hash;
  std::map<std::uint32_t, std::uint32_t> samples;
  int line;
};

// One shuffle of the values 0x100 + lane. For `shfl`, `shflraw`, `shfllane` all lanes participate.
struct ShuffleVector {
  std::string mode;  // "idx", "up", "down", "bfly"
  PerLane<std::uint32_t> b{}, c{};
  std::uint32_t executing = 0xffffffffU;  // the lanes that executed it and had a value to give
  std::optional<std::uint32_t> in_range;  // a bit a lane; not captured by shflexited
  PerLane<std::optional<std::uint32_t>> value;
  int width = 0;  // of `shfl`: CUDA's width, from which c was made; else 0
  int line = 0;
};

// A vote, redux or match: one predicate bit and one value a lane in, one result a member lane out.
struct WarpVector {
  std::string name;  // "vote.all", "redux.add.s32"
  std::uint32_t members = 0;
  std::uint32_t predicates = 0;
  PerLane<std::uint32_t> values{};
  PerLane<std::optional<std::uint32_t>> result;
  int line = 0;
};

// An atomic on one lane: the value in memory, operands b and c (of cas), and what memory held afterwards.
struct AtomicVector {
  std::string opcode;  // "atom.global.min.s32"
  std::uint64_t old = 0, b = 0, c = 0, left = 0;
  int line = 0;
};

// A load, a store, or a mov with braces: "ld.shared.v2.s8", "st.global.b16", "mov.pack2.b64", "mov.unpack4.b64". Memory
// is words of 64 bits; before a store they are full of a5.
struct MoveVector {
  std::vector<std::uint64_t> operands, results;
  int line = 0;
};

struct Vectors {
  std::map<std::string, int> names;  // every prefix that was seen, and how many lines it has
  std::vector<ScalarVector> scalars;
  std::vector<HalfTable> half_tables;
  std::vector<ShuffleVector> shuffles;
  std::vector<WarpVector> warps;
  std::vector<AtomicVector> atomics;
  std::map<std::string, std::vector<MoveVector>> moves;  // by opcode
  std::vector<std::string> problems;
};

// What a prefix of the first capture means: tests/data/vector_ops.txt.
struct VectorOp {
  std::string opcode;                  // PTX's text, "add.rz.f32"
  std::vector<std::uint64_t> columns;  // operand b of the columns where the capture does not print it
  std::vector<std::string> operands;   // the instruction's operands by the line's, where they are not simply those
};
using VectorOps = std::map<std::string, VectorOp>;

std::string data_path(const std::string& file);                 // a file of tests/data
std::optional<std::string> read_file(const std::string& path);  // nullopt if it cannot be read
std::optional<std::string> read_xz(const std::string& path);    // the same, decompressed

VectorOps parse_vector_ops(const std::string& text);
Vectors parse_semantics(const std::string& text, const VectorOps& ops);  // h200_semantics.txt
Vectors parse_rows(const std::string& text);                             // h200_rows.txt: names are opcodes

}  // namespace warpsim::tests
