// See images.h.
#include "host/cudart/images.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

namespace warpsim::cudart {
namespace {

// The header says how much there is; before it is read, nothing else does.
std::span<const std::byte> bytes_of(const void* fat_binary) {
  constexpr std::size_t kHeaderBytes = 16;
  const auto* const bytes = static_cast<const std::byte*>(fat_binary);
  std::uint64_t payload = 0;
  std::memcpy(&payload, bytes + 8, sizeof payload);
  return {bytes, kHeaderBytes + payload};
}

void add_source(ImageTexts& to, const std::string& name, SharedText text) {
  const std::size_t number = to.sources.size();
  to.sources.push_back({name + (number == 0 ? "" : "-" + std::to_string(number + 1)) + ".ptx", std::move(text)});
}

// Behind blanks and comments.
std::string_view next_word(std::string_view& text) {
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n,"), text.size()));
    const std::string_view end = text.starts_with("//") ? "\n" : text.starts_with("/*") ? "*/" : "";
    if (end.empty()) break;
    const std::size_t at = text.find(end, 2);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
  }
  const std::string_view word = text.substr(0, text.find_first_of(" \t\r\n,/"));
  text.remove_prefix(word.size());
  return word;
}

// A module that the device can run begins with .version, a number, .target and what for.
void check_text(ImageTexts& texts, std::string_view text) {
  if (next_word(text) != ".version") {
    texts.error = cudaErrorInvalidKernelImage;
    texts.why = "a module is PTX, which begins with .version, or a fat binary; this is neither";
    return;
  }
  next_word(text);
  if (next_word(text) != ".target") return;
  const std::string_view target = next_word(text);
  unsigned arch = 0;
  const std::size_t digits = std::min(target.find_first_of("0123456789"), target.size());
  std::from_chars(target.data() + digits, target.data() + target.size(), arch);
  if (arch <= kArch) return;
  texts.error = cudaErrorInvalidPtx;
  texts.why = "the PTX is for " + std::string(target) + ", and the device is an sm_" + std::to_string(kArch);
}

void add_code(ImageTexts& to, std::vector<host::FatMember>& members) {
  for (host::FatMember& one : members)
    if (!one.is_ptx && one.arch == kArch && !one.code.empty()) to.cubins.push_back(std::move(one.code));
}

// Of a program that was linked (-rdc=true) the code is beside the parts, which have the PTX.
void add_linked_code(ImageTexts& to, const void* fat_binary) {
  auto read = host::read_fat_binary(bytes_of(fat_binary), host::kMostMemberBytes, host::FatCode::Read);
  if (auto* const members = std::get_if<std::vector<host::FatMember>>(&read)) add_code(to, *members);
}

// `without_ptx` says what to do where one has none.
void add_fat_binary(ImageTexts& to, const void* fat_binary, const std::string& name, host::FatCode code,
                    std::string& without_ptx) {
  auto read = host::read_fat_binary(bytes_of(fat_binary), host::kMostMemberBytes, code);
  if (const auto* const error = std::get_if<host::FatBinaryError>(&read)) {
    to.error = cudaErrorInvalidKernelImage;
    to.why = "the fat binary of " + name + " cannot be read: " + error->message;
    return;
  }
  auto& members = std::get<std::vector<host::FatMember>>(read);
  add_code(to, members);
  bool is_linked = false;
  for (const host::FatMember& one : members)
    if (one.is_part) add_source(to, name, one.text), is_linked = true;
  if (is_linked) return;
  if (const host::FatMember* const best = host::best_ptx(members, kArch)) return add_source(to, name, best->text);
  // A library's, say: its functions are warpsim's own, or are missed where they are called.
  if (without_ptx.empty()) without_ptx = host::without_ptx(members, kArch);
}

void finish(ImageTexts& texts, const std::string& name, const std::string& without_ptx) {
  if (texts.error != cudaSuccess || !texts.sources.empty()) return;
  texts.error = cudaErrorNoKernelImageForDevice;
  texts.why = name + ": " + without_ptx;
}

}  // namespace

ImageTexts read_wrapper(const FatWrapper& wrapper, const std::string& name, host::FatCode code) {
  ImageTexts texts;
  std::string without_ptx;
  if (wrapper.magic != host::kFatWrapperMagic) {
    texts.error = cudaErrorInvalidKernelImage;
    texts.why = name + " registers what is no fat binary";
    return texts;
  }
  if (wrapper.version == 1) {
    add_fat_binary(texts, wrapper.data, name, code, without_ptx);
  } else {
    if (code == host::FatCode::Read && wrapper.data != nullptr) add_linked_code(texts, wrapper.data);
    for (const void* const* part = wrapper.parts; part != nullptr && *part != nullptr && texts.error == cudaSuccess;
         ++part)
      add_fat_binary(texts, *part, name, host::FatCode::LeftOut, without_ptx);
  }
  finish(texts, name, without_ptx);
  return texts;
}

ImageTexts read_image(const void* image, const std::string& name, host::FatCode code) {
  static constexpr char kElf[] = {0x7f, 'E', 'L', 'F'};
  const auto* const text = static_cast<const char*>(image);
  ImageTexts texts;
  const auto begins_with = [&](const void* with) {
    return std::strncmp(text, static_cast<const char*>(with), sizeof(std::uint32_t)) == 0;
  };
  if (begins_with(&host::kFatWrapperMagic)) {
    FatWrapper wrapper;
    std::memcpy(&wrapper, image, sizeof wrapper);
    return read_wrapper(wrapper, name, code);
  }
  std::string without_ptx;
  if (begins_with(&host::kFatBinaryMagic)) add_fat_binary(texts, image, name, code, without_ptx);
  else if (begins_with(kElf)) without_ptx = host::without_ptx(kArch);
  else {
    check_text(texts, text);
    add_source(texts, name, text);
  }
  finish(texts, name, without_ptx);
  return texts;
}

}  // namespace warpsim::cudart
