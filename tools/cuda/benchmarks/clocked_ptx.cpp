#include "tools/cuda/benchmarks/clocked_ptx.h"

#include <algorithm>
#include <cctype>

namespace warpsim {
namespace {

constexpr std::string_view kClockNames[] = {"clock_begin", "clock_end", "clock_sm"};

constexpr std::string_view kBegin = R"(
        .reg .b32 %clocked<18>;
        .reg .b64 %clocked_at<5>;
        mov.u32 %clocked1, %clock;
)";
constexpr std::string_view kIndex = R"(
        mov.u32 %clocked2, %clock;
        mov.u32 %clocked3, %smid;
        mov.u32 %clocked4, %tid.x;
        mov.u32 %clocked5, %tid.y;
        mov.u32 %clocked6, %tid.z;
        mov.u32 %clocked7, %ntid.x;
        mov.u32 %clocked8, %ntid.y;
        mov.u32 %clocked9, %ntid.z;
        mov.u32 %clocked10, %ctaid.x;
        mov.u32 %clocked11, %ctaid.y;
        mov.u32 %clocked12, %ctaid.z;
        mov.u32 %clocked13, %nctaid.x;
        mov.u32 %clocked14, %nctaid.y;
        mad.lo.u32 %clocked15, %clocked6, %clocked8, %clocked5;
        mad.lo.u32 %clocked15, %clocked15, %clocked7, %clocked4;
        mad.lo.u32 %clocked16, %clocked12, %clocked14, %clocked11;
        mad.lo.u32 %clocked16, %clocked16, %clocked13, %clocked10;
        mul.lo.u32 %clocked17, %clocked7, %clocked8;
        mul.lo.u32 %clocked17, %clocked17, %clocked9;
        add.u32 %clocked17, %clocked17, 31;
        and.b32 %clocked17, %clocked17, -32;
        mad.lo.u32 %clocked15, %clocked16, %clocked17, %clocked15;
        mul.wide.u32 %clocked_at1, %clocked15, 4;
)";

std::string stores(std::string_view entry) {
  std::string text;
  for (unsigned k = 0; k < std::size(kClockNames); ++k) {
    const std::string name = std::string(entry) + "_" + std::string(kClockNames[k]);
    text += "        ld.param.u64 %clocked_at2, [" + name + "];\n";
    text += "        cvta.to.global.u64 %clocked_at2, %clocked_at2;\n";
    text += "        add.s64 %clocked_at2, %clocked_at2, %clocked_at1;\n";
    text += "        st.global.u32 [%clocked_at2], %clocked" + std::to_string(k + 1) + ";\n";
  }
  return text;
}

std::size_t closing(std::string_view text, std::size_t open, char opened, char closed) {
  std::size_t depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == opened) ++depth;
    if (text[at] == closed && --depth == 0) return at;
  }
  return std::string_view::npos;
}

bool is_blank(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c) != 0; });
}

// Whether only blanks stand between the instruction and the one before it.
bool begins_statement(std::string_view body, std::size_t at) {
  while (at != 0 && std::isspace(static_cast<unsigned char>(body[at - 1])) != 0) --at;
  return at == 0 || body[at - 1] == ';' || body[at - 1] == '{' || body[at - 1] == '}' || body[at - 1] == ':';
}

// The body with what stores the clocks before each `ret`; "": one is guarded, or it may end by `exit`.
std::string with_ends(std::string_view body, const std::string& end) {
  std::string out;
  if (body.find("exit;") != std::string_view::npos) return out;
  for (std::size_t at = 0;;) {
    const std::size_t next = body.find("ret;", at);
    out += body.substr(at, next - at);
    if (next == std::string_view::npos) return out;
    if (begins_statement(body.substr(0, next), next)) out += end;
    else if (std::isspace(static_cast<unsigned char>(body[next - 1])) != 0 || body[next - 1] == '.') return "";
    out += "ret;";
    at = next + 4;
  }
}

}  // namespace

std::string clocked_ptx(std::string_view ptx, std::string_view entry) {
  const std::string head = ".entry " + std::string(entry) + "(";
  const std::size_t at = ptx.find(head);
  if (at == std::string_view::npos) return "";
  const std::size_t open = at + head.size() - 1, close = closing(ptx, open, '(', ')');
  const std::size_t begin = ptx.find('{', close), last = closing(ptx, begin, '{', '}');
  if (close == std::string_view::npos || begin == std::string_view::npos || last == std::string_view::npos) return "";
  std::string text(ptx.substr(0, close));
  bool is_first = is_blank(ptx.substr(open + 1, close - open - 1));
  for (const std::string_view name : kClockNames) {
    text += (is_first ? "\n        .param .u64 " : ",\n        .param .u64 ") + std::string(entry) + "_" +
            std::string(name);
    is_first = false;
  }
  const std::string body = with_ends(ptx.substr(begin + 1, last - begin - 1), std::string(kIndex) + stores(entry));
  if (body.empty()) return "";
  text += ptx.substr(close, begin + 1 - close);
  return text + std::string(kBegin) + body + std::string(ptx.substr(last));
}

std::string clocked_description(std::string_view description, std::string_view entry, std::size_t threads) {
  const std::size_t at = description.find(".kernel " + std::string(entry));
  const std::size_t open = description.find('(', at), close = closing(description, open, '(', ')');
  if (at == std::string_view::npos || open == std::string_view::npos || close == std::string_view::npos) return "";
  std::string text(description.substr(0, close));
  bool is_first = is_blank(description.substr(open + 1, close - open - 1));
  for (const std::string_view name : kClockNames) {
    text += (is_first ? "out " : ", out ") + std::string(name) + ": u32[" + std::to_string(threads) + "]";
    is_first = false;
  }
  return text + std::string(description.substr(close));
}

}  // namespace warpsim
