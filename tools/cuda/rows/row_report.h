// What a sweep says: a line for each opcode that differs or is refused by one side alone, a table of the classes.
//
// Shapes: JSON is one object a line, in the order in which opcodes end, written as they do: {"opcode", "class",
//         "pattern", "tuples", "differing"}, with "constant" where one is part of the instruction, "first" {"index",
//         "operands", "witness", "machine"} in hexadecimal where something differs, "refused" {"witness", "machine"}
//         where it was not compared. The last line has "witness", "seed", "classes" and, where the sweep did not come
//         to its end, "stopped".
// Units:  tuples.
// Errors: none.
// Source: none.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "tools/cuda/rows/row_compare.h"

namespace warpsim::rows {

// "alu", "sfu", "cvt", "atomic", "shuffle": rows that one line of the table counts together.
std::string class_of(const Instruction& i);
std::string job_name(const Job& job);  // the opcode, and its constant

std::string json_line(const Job& job, const JobResult& result);
// Empty where there is nothing to say: all equal, or neither side has the opcode.
std::string text_line(const Job& job, const JobResult& result);

class Totals {
 public:
  void add(const Job& job, const JobResult& result);
  std::string table() const;
  std::string json(const std::string& witness, std::uint64_t seed, const std::string& stopped) const;
  // Something differs, or one side alone refuses.
  bool has_findings() const { return findings_ != 0; }

 private:
  struct Class {
    std::set<std::string> opcodes;
    std::uint64_t tuples = 0, differing = 0;
  };
  std::map<std::string, Class> classes_;
  std::set<std::string> refused_;
  std::uint64_t findings_ = 0;
};

}  // namespace warpsim::rows
