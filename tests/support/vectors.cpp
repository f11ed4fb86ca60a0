#include "tests/support/vectors.h"

#include <lzma.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string_view>

namespace warpsim::tests {
namespace {

using Words = std::vector<std::string_view>;

Words words_of(std::string_view line) {
  Words words;
  while (true) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return words;
    line.remove_prefix(first);
    const std::size_t end = line.find_first_of(" \t\r");
    words.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return words;
    line.remove_prefix(end);
  }
}

std::optional<std::uint64_t> number(std::string_view word, int base) {
  const bool negative = !word.empty() && word[0] == '-';
  if (negative) word.remove_prefix(1);
  if (word.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : word) {
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
    if (digit >= base) return std::nullopt;
    value = value * static_cast<unsigned>(base) + static_cast<unsigned>(digit);
  }
  return negative ? 0 - value : value;
}
std::optional<std::uint64_t> hex(std::string_view word) { return number(word, 16); }

// The text after `key` up to the next blank: "b=" in "width=4 b=-3 p=00" gives "-3".
std::string_view field(std::string_view line, std::string_view key) {
  const std::string padded = " " + std::string(key);
  const std::size_t at = line.find(padded);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = line.substr(at + padded.size());
  return rest.substr(0, rest.find_first_of(" :"));
}
std::uint32_t field_number(std::string_view line, std::string_view key, int base) {
  return static_cast<std::uint32_t>(number(field(line, key), base).value_or(0));
}

// Per-lane operands: "1f", "(1f+lane*7)&63", "(12+lane*2*7)&63", "(161d+lane*0x301)&0x1f1f". The first number is
// hexadecimal.
PerLane<std::uint32_t> lane_values(std::string_view text) {
  PerLane<std::uint32_t> values{};
  const bool varies = !text.empty() && text[0] == '(';
  if (varies) text.remove_prefix(1);
  const std::uint32_t first = static_cast<std::uint32_t>(hex(text.substr(0, text.find('+'))).value_or(0));
  unsigned step = 0, mask = 0xffffffffU;
  if (varies) {
    step = 1;
    const auto literal = [](std::string_view t) {
      return static_cast<unsigned>(t.substr(0, 2) == "0x" ? hex(t.substr(2)).value_or(0) : number(t, 10).value_or(0));
    };
    std::string_view factors = text.substr(text.find("lane") + 4, text.find(')') - text.find("lane") - 4);
    while (!factors.empty()) {
      factors.remove_prefix(1);  // '*'
      step *= literal(factors.substr(0, factors.find('*')));
      factors.remove_prefix(std::min(factors.find('*'), factors.size()));
    }
    mask = literal(text.substr(text.find('&') + 1));
  }
  for (unsigned lane = 0; lane < kVectorLanes; ++lane) values[lane] = (first + lane * step) & mask;
  return values;
}

class Parser {
 public:
  explicit Parser(const VectorOps* ops) : ops_(ops) {}

  Vectors parse(const std::string& text) {
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      ++line_number_;
      parse_line(std::string_view(text).substr(at, end - at));
      at = end + 1;
    }
    return std::move(out_);
  }

 private:
  void parse_line(std::string_view line) {
    const Words words = words_of(line);
    if (words.empty() || words[0][0] == '#') return;
    if (words.size() > 3 && words[1] == "column" && words[2] == "order") return column_order(words);
    const std::string_view prefix = words[0];
    if (prefix == "vote/match/redux") return warp_case(line, words);
    const std::string& name = out_.names.try_emplace(std::string(prefix), 0).first->first;
    ++out_.names[name];
    if (words.size() > 2 && words[1] == "all" && words[2] == "65536") return half_table(words);
    const std::string_view family = prefix.substr(0, prefix.find('.'));
    if (family == "shfl" || family == "shflraw" || family == "shfllane") return shuffle(line, prefix);
    if (family == "shflpart" || family == "shflexited") return partial_shuffle(line, prefix);
    if (words.size() > 2 && words[1] == "case") return warp_result(name, words);
    if (words.size() > 3 && words[1].substr(0, 2) == "a=" && words[2] == ":") return row(name, words);
    if (prefix == "atom" || prefix == "atom.add.f64") return atomic(words);
    if (family == "atom" || family == "red") return atomic_row(name, words);
    if (family == "ld" || family == "ldu" || family == "st" || prefix.starts_with("mov.pack") ||
        prefix.starts_with("mov.unpack"))
      return move(name, words);
    if (words.size() >= 4 && words.size() <= 8 && words[words.size() - 2] == "->") return pair(name, words);
    if (words.size() >= 5 && words.size() <= 8 && words[words.size() - 3] == "->") return with_carry(name, words);
    // The rest has formats of its own: tests/sim/machine/carry_test.cpp reads carry,
    // tests/sim/machine/machine_vectors_test.cpp sreg.
  }

  void problem(const std::string& what) {
    out_.problems.push_back("line " + std::to_string(line_number_) + ": " + what);
  }

  void column_order(const Words& words) {
    std::vector<std::uint64_t> columns;
    for (std::size_t i = 4; i < words.size(); ++i) columns.push_back(hex(words[i]).value_or(0));
    columns_by_count_[columns.size()] = columns;  // "b:" is words[3]; the captures' five lists differ in length
  }

  // "f_add a=3f800000 : r r r …", b as the columns say.
  void row(const std::string& name, const Words& words) {
    const std::size_t count = words.size() - 3;
    const std::vector<std::uint64_t>* columns = nullptr;
    if (ops_ != nullptr) {
      const auto op = ops_->find(name);
      if (op != ops_->end() && !op->second.columns.empty()) columns = &op->second.columns;
    }
    if (columns == nullptr && columns_by_count_.count(count) != 0) columns = &columns_by_count_[count];
    if (columns == nullptr || columns->size() != count) return problem(name + ": no column order of this length");
    const std::optional<std::uint64_t> a = hex(words[1].substr(2));
    for (std::size_t i = 0; i < count; ++i) {
      const std::optional<std::uint64_t> result = hex(words[i + 3]);
      if (!a || !result) return problem(name + ": not hexadecimal");
      out_.scalars.push_back({&out_.names.find(name)->first, {*a, (*columns)[i], 0, 0}, 2, *result, line_number_});
    }
  }

  // "f_fma a b c -> r"
  void pair(const std::string& name, const Words& words) {
    ScalarVector v{&out_.names.find(name)->first, {}, static_cast<int>(words.size()) - 3, 0, line_number_};
    for (int i = 0; i < v.operand_count; ++i) {
      const std::optional<std::uint64_t> x = hex(words[static_cast<std::size_t>(i) + 1]);
      if (!x) return problem(name + ": not hexadecimal");
      v.operands[static_cast<std::size_t>(i)] = *x;
    }
    const std::optional<std::uint64_t> result = hex(words.back());
    if (!result) return problem(name + ": not hexadecimal");
    v.result = *result;
    const auto op = ops_ == nullptr ? VectorOps::const_iterator() : ops_->find(name);
    if (ops_ != nullptr && op != ops_->end() && !op->second.operands.empty()) rearrange(v, op->second.operands);
    out_.scalars.push_back(v);
  }

  // "add.cc.u32 a b -> r carry"
  void with_carry(const std::string& name, Words words) {
    const std::optional<std::uint64_t> carry = hex(words.back());
    if (!carry) return problem(name + ": not hexadecimal");
    words.pop_back();
    pair(name, words);
    out_.scalars.back().carry = carry;
  }

  // "a ~a*3 b c": each operand of the instruction is one of the line, a constant, or three times the inverse of one.
  static void rearrange(ScalarVector& v, const std::vector<std::string>& operands) {
    const std::array<std::uint64_t, 4> line = v.operands;
    v.operand_count = static_cast<int>(operands.size());
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const std::string& word = operands[k];
      const auto on_line = [&](char letter) { return line[static_cast<std::size_t>(letter - 'a')]; };
      if (word[0] == '~') v.operands[k] = (~on_line(word[1]) * 3) & 0xffffffffU;
      else if (word.size() == 1) v.operands[k] = on_line(word[0]);
      else v.operands[k] = hex(word).value_or(0);
    }
  }

  // "cvt.f32.f16 all 65536 fnv=… 0001=33800000 …"
  void half_table(const Words& words) {
    HalfTable table{std::string(words[0]), 0, {}, line_number_};
    for (std::size_t i = 3; i < words.size(); ++i) {
      const std::size_t equals = words[i].find('=');
      if (equals == std::string_view::npos) return problem("no '=' in a sample");
      const std::uint64_t value = hex(words[i].substr(equals + 1)).value_or(0);
      if (words[i].substr(0, equals) == "fnv") table.hash = value;
      else
        table.samples[static_cast<std::uint32_t>(hex(words[i].substr(0, equals)).value_or(0))] =
            static_cast<std::uint32_t>(value);
    }
    out_.half_tables.push_back(table);
  }

  // "shfl.up width=8 b=-3 p=… src=…", "shflraw.up b=… c=… p=… src=…",
  // "shfllane.up b=(…)&63 c=… p=… src=…"
  void shuffle(std::string_view line, std::string_view prefix) {
    ShuffleVector v;
    v.line = line_number_;
    v.mode = std::string(prefix.substr(prefix.find('.') + 1));
    v.width = static_cast<int>(field_number(line, "width=", 10));
    if (v.width != 0) v.b.fill(field_number(line, "b=", 10));
    else v.b = lane_values(field(line, "b=")), v.c = lane_values(field(line, "c="));
    v.in_range = field_number(line, "p=", 16);
    const std::string_view sources = field(line, "src=");
    if (sources.size() != 2 * kVectorLanes) return problem("src= needs two digits a lane");
    for (unsigned lane = 0; lane < kVectorLanes; ++lane) {
      const std::uint64_t source = hex(sources.substr(2 * lane, 2)).value_or(0xff);
      if (source >= kVectorLanes) return problem("a value that no lane had");
      v.value[lane] = static_cast<std::uint32_t>(0x100 + source);
    }
    out_.shuffles.push_back(v);
  }

  // "shflpart.up mask=… b=5 (…): 100/1 - 101/0 …": the lanes of the mask execute it, c is 0 for up and 31 else.
  // "shflexited.up lanes-returned live=8 b=5: 100 101 …": the mask is full, only the first 8 lanes exist or live.
  void partial_shuffle(std::string_view line, std::string_view prefix) {
    ShuffleVector v;
    v.line = line_number_;
    v.mode = std::string(prefix.substr(prefix.find('.') + 1));
    v.b.fill(field_number(line, "b=", 10));
    v.c.fill(v.mode == "up" ? 0 : 31);
    const bool part = prefix.substr(0, 8) == "shflpart";
    v.executing = part ? field_number(line, "mask=", 16) : (1U << field_number(line, "live=", 10)) - 1;
    const Words results = words_of(line.substr(line.rfind(':') + 1));
    if (part) v.in_range = 0;
    for (std::size_t lane = 0; lane < results.size() && lane < kVectorLanes; ++lane) {
      if (results[lane] == "-") continue;
      const std::size_t slash = results[lane].find('/');
      v.value[lane] = static_cast<std::uint32_t>(hex(results[lane].substr(0, slash)).value_or(0));
      if (part && results[lane].substr(slash + 1) == "1") v.in_range = *v.in_range | 1U << lane;
    }
    out_.shuffles.push_back(v);
  }

  // "atom mem=… val=… -> new (add min.s … add.f32): r … r shared.add.f32 old … new r red.f32 r red.f16x2 …" and
  // "atom.add.f64 mem=… val=… -> old … new r". That each gave the old value was tested where they were captured.
  void atomic(const Words& words) {
    static constexpr const char* kGlobal[] = {"add.u32", "min.s32", "max.s32", "min.u32", "max.u32",  "inc.u32",
                                              "dec.u32", "and.b32", "or.b32",  "xor.b32", "exch.b32", "add.f32"};
    AtomicVector v;
    v.line = line_number_;
    v.old = hex(words[1].substr(4)).value_or(0);
    v.b = hex(words[2].substr(4)).value_or(0);
    const auto add = [&](const std::string& opcode, std::string_view left) {
      const std::optional<std::uint64_t> value = hex(left);
      if (!value) return problem(opcode + ": not hexadecimal");
      v.opcode = opcode;
      v.left = *value;
      out_.atomics.push_back(v);
    };
    if (words[0] == "atom.add.f64") {
      if (words.size() != 8 || words[5] != words[1].substr(4)) return problem("no old value, or another");
      return add("atom.global.add.f64", words[7]);
    }
    const std::size_t first = 17;  // after "(add min.s … add.f32):"
    if (words.size() != 40 || words[first - 1] != "add.f32):") return problem("an atom line of another form");
    for (std::size_t k = 0; k < 12; ++k) add(std::string("atom.global.") + kGlobal[k], words[first + k]);
    add("atom.shared.add.f32", words[first + 16]);
    add("red.global.add.f32", words[first + 18]);
  }

  // "atom.global.add.u64 old b -> old left", of cas with c after b; "red.global.add.u64 old b -> left".
  void atomic_row(const std::string& name, const Words& words) {
    const bool gives = name.starts_with("atom");
    const std::size_t operands = name.find(".cas.") == std::string::npos ? 2 : 3, arrow = operands + 1;
    if (words.size() != arrow + (gives ? 3 : 2) || words[arrow] != "->") return problem(name + ": another form");
    std::vector<std::uint64_t> numbers;
    for (const std::string_view word : words) numbers.push_back(hex(word).value_or(0));
    if (gives && numbers[arrow + 1] != numbers[1]) return problem(name + " gave what was not in memory");
    out_.atomics.push_back(
        {name, numbers[1], numbers[2], operands == 3 ? numbers[3] : 0, numbers.back(), line_number_});
  }

  // "ld.global.v2.s8 word -> element element"
  void move(const std::string& name, const Words& words) {
    MoveVector v{{}, {}, line_number_};
    bool behind = false;
    for (std::size_t k = 1; k < words.size(); ++k) {
      if (words[k] == "->") behind = true;
      else (behind ? v.results : v.operands).push_back(hex(words[k]).value_or(0));
    }
    if (v.operands.empty() || v.results.empty()) return problem(name + ": another form");
    out_.moves[name].push_back(v);
  }

  // "vote/match/redux case 3 mask=… preds=… vals: …": the operands of the results that follow.
  void warp_case(std::string_view line, const Words& words) {
    case_ = WarpVector{};
    case_.members = field_number(line, "mask=", 16);
    case_.predicates = field_number(line, "preds=", 16);
    case_number_ = std::string(words[2]);
    const Words values = words_of(line.substr(line.rfind(':') + 1));
    if (values.size() != kVectorLanes) return problem("a case needs 32 values");
    for (std::size_t lane = 0; lane < kVectorLanes; ++lane)
      case_.values[lane] = static_cast<std::uint32_t>(hex(values[lane]).value_or(0));
  }

  // "vote.all case 3: 1 1 1": one result a member lane.
  void warp_result(const std::string& name, const Words& words) {
    if (words[2] != case_number_ + ":") return problem("results of a case that is not the one above");
    WarpVector v = case_;
    v.name = name;
    v.line = line_number_;
    std::size_t next = 3;
    for (unsigned lane = 0; lane < kVectorLanes; ++lane) {
      if ((v.members >> lane & 1) == 0) continue;
      if (next >= words.size()) return problem("fewer results than members");
      v.result[lane] = static_cast<std::uint32_t>(hex(words[next++]).value_or(0));
    }
    out_.warps.push_back(v);
  }

  const VectorOps* ops_;
  Vectors out_;
  int line_number_ = 0;
  std::map<std::size_t, std::vector<std::uint64_t>> columns_by_count_;
  WarpVector case_;
  std::string case_number_;
};

}  // namespace

std::string data_path(const std::string& file) { return std::string(WARPSIM_SOURCE_DIR) + "/tests/data/" + file; }

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::optional<std::string> read_xz(const std::string& path) {
  const std::optional<std::string> packed = read_file(path);
  if (!packed) return std::nullopt;
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<const std::uint8_t*>(packed->data());
  stream.avail_in = packed->size();
  std::string text;
  std::vector<char> chunk(1 << 16);
  lzma_ret state = LZMA_OK;
  while (state == LZMA_OK) {
    stream.next_out = reinterpret_cast<std::uint8_t*>(chunk.data());
    stream.avail_out = chunk.size();
    state = lzma_code(&stream, LZMA_FINISH);
    text.append(chunk.data(), chunk.size() - stream.avail_out);
  }
  lzma_end(&stream);
  if (state != LZMA_STREAM_END) return std::nullopt;
  return text;
}

VectorOps parse_vector_ops(const std::string& text) {
  VectorOps ops;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    const Words words = words_of(line);
    if (words.size() < 2 || words[0] == "//") continue;
    VectorOp& op = ops[std::string(words[0])];
    op.opcode = std::string(words[1]);
    for (std::size_t i = 3; i < words.size(); ++i) {
      if (words[2] == "operands") op.operands.emplace_back(words[i]);
      else op.columns.push_back(hex(words[i]).value_or(0));
    }
  }
  return ops;
}

Vectors parse_semantics(const std::string& text, const VectorOps& ops) { return Parser(&ops).parse(text); }
Vectors parse_rows(const std::string& text) { return Parser(nullptr).parse(text); }

}  // namespace warpsim::tests
