// See ptx_summary.h.
#include "isa/ptx/ptx_summary.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include "isa/program/module.h"
#include "isa/ptx/ptx_modules.h"

#if __has_include(<cxxabi.h>)
#include <cxxabi.h>
#endif

namespace warpsim::ptx {

// ---- constants

namespace {

// As .s64, unless one of the operands is .u64 (PTX ISA 9.0, 4.5.5).
std::optional<std::uint64_t> binary(std::string_view op, std::uint64_t a, std::uint64_t b, bool is_unsigned) {
  const auto sa = static_cast<std::int64_t>(a), sb = static_cast<std::int64_t>(b);
  const auto truth = [&](bool unsigned_one, bool signed_one) {
    return std::uint64_t{is_unsigned ? unsigned_one : signed_one};
  };
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "/" || op == "%") {
    if (b == 0) return std::nullopt;
    if (is_unsigned) return op == "/" ? a / b : a % b;
    if (sb == -1) return op == "/" ? 0 - a : 0;
    return static_cast<std::uint64_t>(op == "/" ? sa / sb : sa % sb);
  }
  if (op == "<<") return b >= 64 ? 0 : a << b;
  if (op == ">>")
    return b >= 64 ? (!is_unsigned && sa < 0 ? ~std::uint64_t{0} : 0)
                   : (is_unsigned ? a >> b : static_cast<std::uint64_t>(sa >> b));
  if (op == "&") return a & b;
  if (op == "|") return a | b;
  if (op == "^") return a ^ b;
  if (op == "&&") return std::uint64_t{a != 0 && b != 0};
  if (op == "||") return std::uint64_t{a != 0 || b != 0};
  if (op == "==") return std::uint64_t{a == b};
  if (op == "!=") return std::uint64_t{a != b};
  if (op == "<") return truth(a < b, sa < sb);
  if (op == "<=") return truth(a <= b, sa <= sb);
  if (op == ">") return truth(a > b, sa > sb);
  return truth(a >= b, sa >= sb);
}

bool is_unsigned(const Expression& e) {
  switch (e.kind) {
    case Expression::Kind::Integer: return e.is_unsigned;
    case Expression::Kind::Cast: return e.text == ".u64";
    case Expression::Kind::Unary: return e.text != "!" && is_unsigned(e.of[0]);
    case Expression::Kind::Binary:
      if (e.text == "<<" || e.text == ">>") return is_unsigned(e.of[0]);
      if (std::string_view("&& || == != < <= > >=").find(e.text) != std::string_view::npos && e.text != "&" &&
          e.text != "|")
        return false;
      return is_unsigned(e.of[0]) || is_unsigned(e.of[1]);
    case Expression::Kind::Choice: return is_unsigned(e.of[1]) || is_unsigned(e.of[2]);
    default: return false;
  }
}

}  // namespace

std::optional<std::uint64_t> constant_of(const Expression& e) {
  std::vector<std::uint64_t> of;
  if (e.kind != Expression::Kind::Integer) {
    for (const Expression& one : e.of) {
      const std::optional<std::uint64_t> value = constant_of(one);
      if (!value) return std::nullopt;
      of.push_back(*value);
    }
  }
  switch (e.kind) {
    case Expression::Kind::Integer: return e.bits;
    case Expression::Kind::Cast: return of[0];
    case Expression::Kind::Unary:
      return e.text == "-" ? 0 - of[0] : e.text == "~" ? ~of[0] : e.text == "!" ? std::uint64_t{of[0] == 0} : of[0];
    case Expression::Kind::Choice: return of[0] != 0 ? of[1] : of[2];
    case Expression::Kind::Binary: {
      const bool by_first = e.text == "<<" || e.text == ">>";
      return binary(e.text, of[0], of[1], is_unsigned(e.of[0]) || (!by_first && is_unsigned(e.of[1])));
    }
    default: return std::nullopt;
  }
}

// ---- sizes

std::uint64_t bytes_of(std::string_view type) {
  if (type == ".pred") return 4;  // of a function's parameter, which is passed as a word
  if (type == ".f16x2" || type == ".bf16x2") return 4;
  if (type == ".bf16") return 2;
  if (type.ends_with("ref")) return 8;  // an opaque handle
  std::uint64_t bits = 0;
  for (const char c : type)
    if (c >= '0' && c <= '9') bits = bits * 10 + static_cast<std::uint64_t>(c - '0');
  return bits / 8;
}

std::optional<std::uint64_t> bytes_of(const Declaration& declaration) {
  std::uint64_t size = bytes_of(declaration.type) * (declaration.vector == 1 ? 1 : declaration.vector);
  for (const Expression& length : declaration.lengths) {
    if (length.kind == Expression::Kind::List) return 0;
    const std::optional<std::uint64_t> count = constant_of(length);
    if (!count || (*count != 0 && size > ~std::uint64_t{0} / *count)) return std::nullopt;
    size *= *count;
  }
  return size;
}

// ---- kernels

namespace {

struct LaterKind {
  std::string_view because;
  std::array<std::string_view, 12> opcodes;  // each with what may follow behind a dot
};
constexpr LaterKind kLater[] = {
    {"textures and surfaces", {"tex", "tld4", "txq", "suld", "sust", "sured", "suq", "istypep"}},
    {"matrices across a warp", {"wmma", "mma", "wgmma", "ldmatrix", "stmatrix", "movmatrix", "tcgen05"}},
    {"bulk and tensor copies",
     {"cp.async.bulk", "cp.reduce", "tensormap", "prefetch.tensormap", "multimem", "mbarrier.expect_tx",
      "mbarrier.complete_tx", "mbarrier.arrive.expect_tx", "mbarrier.arrive_drop.expect_tx",
      "fence.proxy.tensormap::generic", "prefetch.const.tensormap", "prefetch.param.tensormap"}},
    {"clusters of several blocks", {"barrier.cluster", "mapa", "getctarank", "clusterlaunchcontrol"}},
    {"asynchronous stores", {"st.async", "red.async"}},
    {"registers that move between warps", {"setmaxnreg"}},
};

const LaterKind* later(std::string_view opcode) {
  for (const LaterKind& kind : kLater)
    for (const std::string_view one : kind.opcodes)
      if (!one.empty() && opcode.starts_with(one) && (opcode.size() == one.size() || opcode[one.size()] == '.'))
        return &kind;
  return nullptr;
}

class Summary {
 public:
  Summary(const Module& module, const Symbols& symbols, const Function& entry) : module_(module), symbols_(symbols) {
    made_.function = &entry;
    place_parameters();
    waiting_.push_back(&entry);
    for (std::size_t k = 0; k < waiting_.size(); ++k) add(*waiting_[k]);
    for (const Declaration& object : module.objects)
      if (object.space == ".shared" && named_.count(&object) != 0) shared(object);
  }
  EntrySummary take() { return std::move(made_); }

 private:
  void place_parameters() {
    std::uint64_t at = 0;
    for (const Declaration& parameter : made_.function->parameters) {
      const std::uint64_t size = bytes_of(parameter).value_or(0);
      at = aligned(at, std::max(parameter.alignment, bytes_of(parameter.type) * parameter.vector));
      made_.parameters.push_back({&parameter, at, size});
      at += size;
    }
  }

  void shared(const Declaration& object) {
    if (object.linkage == Linkage::Extern) made_.has_dynamic_shared = true;
    else
      made_.shared_bytes =
          aligned(made_.shared_bytes, std::max(object.alignment, bytes_of(object.type))) + bytes_of(object).value_or(0);
  }

  void add(const Function& function) {
    if (!added_.insert(&function).second) return;
    const std::uint32_t file = function.name.where.file;
    for (const Statement& statement : function.body) {
      if (const Declaration* const declared = declaration_in(statement)) {
        if (declared->space == ".reg") made_.registers += std::max<std::uint64_t>(declared->count, 1);
        if (declared->space == ".shared") shared(*declared);
        if (declared->space == ".local") made_.local_bytes += bytes_of(*declared).value_or(0);
      } else if (const auto* instruction = std::get_if<Instruction>(&statement)) {
        ++made_.instructions;
        for (const Operand& operand : instruction->operands) note_names(operand, file);
        if (is_call(*instruction)) follow(*instruction, file);
      }
    }
  }

  void note_names(const Operand& operand, std::uint32_t file) {
    if (operand.kind == Operand::Kind::Symbol) named_.insert(symbols_.object(operand.name, file));
    for (const Operand& part : operand.parts) note_names(part, file);
  }

  void follow(const Instruction& call, std::uint32_t file) {
    for (const Operand& operand : call.operands) {
      const std::int32_t called = operand.kind == Operand::Kind::Symbol ? symbols_.function(operand.name, file) : -1;
      if (called >= 0) waiting_.push_back(&module_.functions[static_cast<std::size_t>(called)]);
    }
  }

  const Module& module_;
  const Symbols& symbols_;
  EntrySummary made_;
  std::vector<const Function*> waiting_;  // functions, from the kernel on
  std::set<const Function*> added_;
  std::set<const Declaration*> named_;
};

}  // namespace

std::string refused_because(std::string_view opcode) {
  const auto names = [opcode](std::string_view what) { return opcode.find(what) != std::string_view::npos; };
  if (const LaterKind* const kind = later(opcode)) return std::string(kind->because);
  if (names("shared::cluster")) return "clusters of several blocks";
  if (names(".v8.")) return "vectors of 8 elements, which sm_100 has";
  if (opcode.ends_with(".b128")) return "128 bits at once";
  return "an instruction, or a form of one, that warpsim does not have";
}

std::vector<EntrySummary> summarize(const Module& module) {
  const Symbols symbols(module);
  std::vector<EntrySummary> all;
  for (const Function& function : module.functions)
    if (function.is_entry && function.has_body) all.push_back(Summary(module, symbols, function).take());
  return all;
}

std::string demangled(std::string_view name) {
#if __has_include(<cxxabi.h>)
  int status = 0;
  char* const text = abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status);
  if (text != nullptr) {
    std::string made(text);
    std::free(text);
    return made;
  }
#endif
  return std::string(name);
}

std::string short_name(std::string_view name) {
  std::string made = demangled(name);
  made = made.substr(0, made.find_first_of("(<"));
  const std::size_t begin = made.find_last_of(": ");
  return begin == std::string::npos ? made : made.substr(begin + 1);
}

}  // namespace warpsim::ptx
