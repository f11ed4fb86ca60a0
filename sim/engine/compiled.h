// The machine code of one program, in pages that can be executed and no longer written.
//
// Shapes: CompiledCode::run() goes through one warp's group from a pc at which a piece begins.
// Units:  bytes; pcs.
// Errors: compiled() gives null where this host has no AVX2 or allows no code of its own, and for warps of more than
//         32 lanes; `why` says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/code/decode.h"
#include "sim/engine/frame.h"
#include "sim/engine/register_loops.h"

namespace warpsim::engine {

// Pages with these bytes of code, written first and made executable then: never both.
class CodePages {
 public:
  explicit CodePages(const std::vector<std::byte>& code);
  ~CodePages();
  CodePages(const CodePages&) = delete;
  CodePages& operator=(const CodePages&) = delete;
  const std::byte* begin() const { return begin_; }  // null: the system gave none
  std::size_t size() const { return size_; }

 private:
  std::byte* begin_ = nullptr;
  std::size_t size_ = 0;
};

// Where a piece of code begins, its bytes, and a name: the program and the line.
using NameCode = std::function<void(const std::byte* begin, std::size_t bytes, const std::string& name)>;
// Is told of all code that is made from now on. To be called before there are threads.
void name_code_by(NameCode name);

// What code is made for.
struct CodeFor {
  bool whole = true;      // groups of all lanes
  bool keeps_all = true;  // somebody looks at registers that the program itself does not read any more
  // Of the program the loop that begins here alone (register_loops.h), for so many warps side by side; -1: all of it.
  std::int32_t loop = -1;
  unsigned warps = 1;
  Assumed assumed = Assumed::Nothing;  // … where that is so
  bool operator==(const CodeFor&) const = default;
};

class Translator;

class CompiledCode {
 public:
  // `program` names its pieces: name_code_by().
  CompiledCode(const Code& code, CodeFor what, const Program& program, Isa isa);

  bool is_usable() const { return pages_ != nullptr && pages_->begin() != nullptr; }
  // By pc: where the code of a piece that begins there begins; 0: nowhere.
  const std::size_t* entries() const { return entries_.data(); }
  const std::byte* begin() const { return pages_->begin(); }
  // From Frame::pc on. The code of a loop goes round it Frame::left times, or until not all lanes of all warps go back:
  // then so many rounds are left, and what is in the registers is of no use.
  void run(Frame& frame) const;
  std::size_t bytes() const { return pages_->size(); }
  const std::set<std::int32_t>& called() const { return called_; }  // Translator's, as
  const std::set<std::int32_t>& left() const { return left_; }
  // Is it the code of these instructions?
  bool is_of(const Code& code, CodeFor what) const;

 private:
  std::vector<DecodedInsn> insns_;
  SideBySide side_by_side_;  // of a loop
  std::vector<SpecialRow> specials_;
  std::size_t register_bytes_;
  unsigned lanes_;
  CodeFor what_;
  std::unique_ptr<CodePages> pages_;
  std::vector<std::size_t> entries_;
  std::set<std::int32_t> called_, left_;

  void name_pieces(const Program& program) const;
  void forget_dead_predicates(const Code& code, const Program& program);
  void translate(Translator& translator, const Code& code, const Program& program);
};

// Which code this host can execute; none: no code.
std::optional<Isa> isa_of_host();
inline bool can_compile() { return isa_of_host().has_value(); }
// The code of these instructions, from the process's cache where an earlier launch had the same; null where none had.
std::shared_ptr<const CompiledCode> known(const Code& code, CodeFor what);
// The same, made where there is none.
std::shared_ptr<const CompiledCode> compiled(const Code& code, const Program& program, CodeFor what);

}  // namespace warpsim::engine
