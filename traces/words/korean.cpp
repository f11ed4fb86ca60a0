// Korean particles; see korean.h.
#include "traces/words/korean.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "isa/text/word.h"

namespace warpsim {
namespace {

// What a syllable ends in, as far as a particle asks.
enum class Final : std::uint8_t { None, Rieul, Other };

struct Pair {
  std::string_view after_consonant, after_vowel;
  bool vowel_after_rieul = false;  // 서울로, not 서울으로
};
constexpr Pair kPairs[] = {{"이", "가"},   {"을", "를"},   {"은", "는"},   {"과", "와"},  {"으로", "로", true},
                           {"이나", "나"}, {"이라", "라"}, {"이면", "면"}, {"이고", "고"}};

const Pair* find_pair(std::string_view marker) {
  const std::size_t slash = marker.find('/');
  if (slash == std::string_view::npos) return nullptr;
  const std::string_view one = marker.substr(0, slash), other = marker.substr(slash + 1);
  const Pair* pair = std::find_if(std::begin(kPairs), std::end(kPairs), [&](const Pair& p) {
    return (p.after_consonant == one && p.after_vowel == other) || (p.after_consonant == other && p.after_vowel == one);
  });
  return pair == std::end(kPairs) ? nullptr : pair;
}

bool is_latin(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// 영 일 이 삼 사 오 육 칠 팔 구
constexpr std::array<Final, 10> kDigits = {Final::Other, Final::Rieul, Final::None,  Final::Other, Final::None,
                                           Final::None,  Final::Other, Final::Rieul, Final::Rieul, Final::None};

Final final_of_number(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_digit(text[begin - 1])) --begin;
  const std::string_view digits = text.substr(begin);
  const bool fraction = begin > 1 && text[begin - 1] == '.' && is_digit(text[begin - 2]);
  const std::size_t last = digits.find_last_not_of('0');
  const std::size_t zeros = last == std::string_view::npos ? 0 : digits.size() - 1 - last;
  if (fraction || zeros == 0) return kDigits[static_cast<std::size_t>(digits.back() - '0')];
  // 십, 백, 천, 만, 억, 경 all close in a consonant; 조 does not.
  return zeros >= 12 && zeros < 16 ? Final::None : Final::Other;
}

// Latin words as Koreans say them: a table of endings, the first that fits. Capitals alone are letters: L 엘, XOR … 알.
Final final_of_word(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_latin(text[begin - 1])) --begin;
  std::string word(text.substr(begin));
  const bool letters = std::all_of(word.begin(), word.end(), [](char c) { return c < 'a'; });
  const bool single = word.size() == 1;
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c < 'a' ? static_cast<char>(c + 32) : c; });
  static constexpr std::pair<std::string_view, Final> kLetters[] = {
      {"l", Final::Rieul}, {"r", Final::Rieul}, {"m", Final::Other}, {"n", Final::Other}};
  static constexpr std::pair<std::string_view, Final> kEndings[] = {
      {"xor", Final::Rieul},  {"ng", Final::Other},     {"ne", Final::Other},     {"n", Final::Other},
      {"me", Final::Other},   {"m", Final::Other},      {"le", Final::Rieul},     {"al", Final::Rieul},
      {"l", Final::Rieul},    {"offset", Final::Other}, {"put", Final::Other},    {"pivot", Final::Other},
      {"step", Final::Other}, {"block", Final::Other},  {"set", Final::Other},    {"group", Final::Other},
      {"up", Final::Other},   {"lock", Final::Other},   {"ballot", Final::Other}, {"value", Final::None}};
  const auto search = [&word](const auto& table) {
    for (const auto& [ending, final] : table) {
      if (std::string_view(word).ends_with(ending)) return final;
    }
    return Final::None;
  };
  return letters || single ? search(kLetters) : search(kEndings);
}

// A Hangul syllable block is 0xAC00 + (initial * 21 + vowel) * 28 + final; final 0 is none, 8 is ㄹ.
Final final_of_syllable(std::string_view text) {
  const auto byte = [&](std::size_t back) { return static_cast<std::uint8_t>(text[text.size() - back]); };
  if (text.size() < 3 || (byte(3) & 0xF0U) != 0xE0U) return Final::None;
  const std::uint32_t code = (byte(3) & 0x0FU) << 12U | (byte(2) & 0x3FU) << 6U | (byte(1) & 0x3FU);
  if (code < 0xAC00 || code > 0xD7A3) return Final::None;
  const std::uint32_t final = (code - 0xAC00) % 28;
  return final == 0 ? Final::None : final == 8 ? Final::Rieul : Final::Other;
}

// Without what is not spoken at the end: quotes, brackets, and a whole remark in parentheses.
std::string_view spoken(std::string_view text) {
  while (!text.empty()) {
    if (text.back() == ')') {
      const std::size_t open = text.rfind(" (");
      const std::size_t inner = text.rfind('(');
      if (open != std::string_view::npos && inner == open + 1 && open > 0) {
        text = text.substr(0, open);
        continue;
      }
    }
    if (std::string_view(" ()[]{}\"'`_%").find(text.back()) == std::string_view::npos) break;
    text.remove_suffix(1);
  }
  return text;
}

Final final_of(std::string_view before) {
  const std::string_view text = spoken(before);
  if (text.empty()) return Final::None;
  if (is_digit(text.back())) return final_of_number(text);
  return is_latin(text.back()) ? final_of_word(text) : final_of_syllable(text);
}

}  // namespace

bool is_particle_marker(std::string_view text) { return find_pair(text) != nullptr; }

std::string_view particle(std::string_view before, std::string_view marker) {
  const Pair* pair = find_pair(marker);
  if (pair == nullptr) return "";
  const Final final = final_of(before);
  const bool vowel = final == Final::None || (final == Final::Rieul && pair->vowel_after_rieul);
  return vowel ? pair->after_vowel : pair->after_consonant;
}

std::string with_particles(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    const std::string_view marker =
        close == std::string_view::npos ? std::string_view{} : text.substr(open + 1, close - open - 1);
    if (is_particle_marker(marker)) {
      out += particle(out, marker);
      text.remove_prefix(close + 1);
    } else {
      out += '{';
      text.remove_prefix(open + 1);
    }
  }
  return out;
}

}  // namespace warpsim
