// See fat_binary.h.
#include "host/fatbin/fat_binary.h"

#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

namespace warpsim::host {
namespace {

// Where each field begins, in bytes.
namespace field {
constexpr std::size_t kHeaderBytes = 6, kMemberBytes = 8;  // of a fat binary
constexpr std::size_t kKind = 0, kHeader = 4, kPayload = 8, kCompressed = 16, kArch = 28, kFlags = 40, kWhole = 56;
}  // namespace field
constexpr std::size_t kLeastHeader = 16, kLeastMember = 64;
constexpr std::uint16_t kPtxMember = 1;
constexpr std::uint64_t kLz4 = 0x2000, kZstd = 0x8000, kSpecific = 0x100000;
constexpr std::uint64_t kPart = std::uint64_t{1} << 63;  // warpsim's own

template <class T>
T number_at(std::span<const std::byte> bytes, std::size_t at) {
  T value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

std::string member_name(std::size_t number) { return "member " + std::to_string(number + 1) + " of the fat binary"; }

// A payload as it was before it was compressed; "" after it has put down why not.
std::string expanded(std::span<const std::byte> payload, std::uint64_t flags, std::size_t bytes, std::string& error) {
  std::string text(bytes, '\0');
  const char* const from = reinterpret_cast<const char*>(payload.data());
  if ((flags & kZstd) != 0) {
    const std::size_t made = ZSTD_decompress(text.data(), text.size(), from, payload.size());
    if (ZSTD_isError(made) != 0 || made != bytes) error = "is not what zstd compresses to";
  } else {
    const int made = LZ4_decompress_safe(from, text.data(), static_cast<int>(payload.size()), static_cast<int>(bytes));
    if (made < 0 || static_cast<std::size_t>(made) != bytes) error = "is not what LZ4 compresses to";
  }
  return error.empty() ? text : std::string();
}

struct Place {
  std::size_t begin = 0, end = 0;  // of the members
};

std::optional<Place> members_of(std::span<const std::byte> bytes) {
  if (bytes.size() < kLeastHeader || number_at<std::uint32_t>(bytes, 0) != kFatBinaryMagic) return std::nullopt;
  const std::size_t header = number_at<std::uint16_t>(bytes, field::kHeaderBytes);
  const std::uint64_t size = number_at<std::uint64_t>(bytes, field::kMemberBytes);
  if (header < kLeastHeader || header > bytes.size() || size > bytes.size() - header) return std::nullopt;
  return Place{header, header + static_cast<std::size_t>(size)};
}

// One member, and how many bytes it takes.
std::string read_member(std::span<const std::byte> bytes, std::size_t most_bytes, FatCode code, FatMember& member,
                        std::size_t& taken) {
  if (bytes.size() < kLeastMember) return "is cut off";
  const std::uint64_t header = number_at<std::uint32_t>(bytes, field::kHeader);
  const std::uint64_t payload = number_at<std::uint64_t>(bytes, field::kPayload);
  if (header < kLeastMember || header > bytes.size()) return "has a header of a size that cannot be";
  if (payload > bytes.size() - header) return "is cut off";
  taken = static_cast<std::size_t>(header + payload);
  member.is_ptx = number_at<std::uint16_t>(bytes, field::kKind) == kPtxMember;
  member.arch = number_at<std::uint32_t>(bytes, field::kArch);
  const std::uint64_t flags = number_at<std::uint64_t>(bytes, field::kFlags);
  member.is_specific = (flags & kSpecific) != 0;
  member.is_part = (flags & kPart) != 0;
  if (!member.is_ptx && code == FatCode::LeftOut) return "";
  std::string text;
  std::span<const std::byte> held = bytes.subspan(static_cast<std::size_t>(header), static_cast<std::size_t>(payload));
  if ((flags & (kLz4 | kZstd)) != 0) {
    const std::uint32_t compressed = number_at<std::uint32_t>(bytes, field::kCompressed);
    const std::uint64_t whole = number_at<std::uint64_t>(bytes, field::kWhole);
    if (compressed > payload) return "is cut off";
    if (whole > most_bytes) return "has " + std::to_string(whole) + " bytes, more than " + std::to_string(most_bytes);
    held = held.first(compressed);
    std::string error;
    text = expanded(held, flags, static_cast<std::size_t>(whole), error);
    if (!error.empty()) return error;
  } else {
    if (payload > most_bytes)
      return "has " + std::to_string(payload) + " bytes, more than " + std::to_string(most_bytes);
    text.assign(reinterpret_cast<const char*>(held.data()), held.size());
  }
  if (!member.is_ptx) return member.code = std::move(text), "";
  text.resize(text.find_last_not_of('\0') + 1);
  member.text = std::move(text);
  return "";
}

}  // namespace

std::optional<std::size_t> fat_binary_bytes(std::span<const std::byte> from) {
  const std::optional<Place> place = members_of(from);
  return place ? std::optional(place->end) : std::nullopt;
}

std::vector<std::span<const std::byte>> fat_binaries_in(std::span<const std::byte> file) {
  std::vector<std::span<const std::byte>> found;
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const std::string_view magic(reinterpret_cast<const char*>(&kFatBinaryMagic), sizeof kFatBinaryMagic);
  for (std::size_t at = text.find(magic); at != std::string_view::npos;) {
    const std::optional<std::size_t> bytes = fat_binary_bytes(file.subspan(at));
    if (bytes) found.push_back(file.subspan(at, *bytes));
    at = text.find(magic, at + bytes.value_or(1));
  }
  return found;
}

std::variant<std::vector<FatMember>, FatBinaryError> read_fat_binary(std::span<const std::byte> bytes,
                                                                     std::size_t most_bytes, FatCode code) {
  const std::optional<Place> place = members_of(bytes);
  if (!place) return FatBinaryError{"these bytes are no fat binary, or not all of one"};
  // LZ4 counts with int.
  most_bytes = std::min(most_bytes, static_cast<std::size_t>(LZ4_MAX_INPUT_SIZE));
  std::vector<FatMember> members;
  for (std::size_t at = place->begin; at < place->end;) {
    std::size_t taken = 0;
    FatMember& member = members.emplace_back();
    const std::string error = read_member(bytes.subspan(at, place->end - at), most_bytes, code, member, taken);
    if (!error.empty()) return FatBinaryError{member_name(members.size() - 1) + " " + error};
    at += taken;
  }
  return members;
}

std::vector<std::byte> write_linked(const std::vector<std::string>& texts, unsigned arch) {
  std::vector<std::byte> bytes(kLeastHeader);
  const auto put = [&bytes](std::size_t at, auto value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
  for (const std::string& text : texts) {
    const std::size_t at = bytes.size(), payload = (text.size() + 8) / 8 * 8;  // a zero at its end, at least
    bytes.resize(at + kLeastMember + payload);
    put(at + field::kKind, kPtxMember);
    put(at + field::kHeader, static_cast<std::uint32_t>(kLeastMember));
    put(at + field::kPayload, static_cast<std::uint64_t>(payload));
    put(at + field::kArch, static_cast<std::uint32_t>(arch));
    put(at + field::kFlags, kPart);
    std::memcpy(bytes.data() + at + kLeastMember, text.data(), text.size());
  }
  put(0, kFatBinaryMagic);
  put(field::kHeaderBytes, static_cast<std::uint16_t>(kLeastHeader));
  put(field::kMemberBytes, static_cast<std::uint64_t>(bytes.size() - kLeastHeader));
  return bytes;
}

const FatMember* best_ptx(const std::vector<FatMember>& members, unsigned arch) {
  const FatMember* best = nullptr;
  for (const FatMember& one : members) {
    const bool can_run = one.is_ptx && (one.is_specific ? one.arch == arch : one.arch <= arch);
    const bool is_better = best == nullptr || one.arch > best->arch || (one.arch == best->arch && one.is_specific);
    if (can_run && is_better) best = &one;
  }
  return best;
}

namespace {

std::string missing(const std::string& has, unsigned arch) {
  const std::string number = std::to_string(arch);
  return "the program has no PTX that a GPU of sm_" + number + " can run: it has " + has +
         "; add -gencode arch=compute_" + number + ",code=compute_" + number + " to nvcc's options";
}

}  // namespace

std::string without_ptx(const std::vector<FatMember>& members, unsigned arch) {
  std::string has;
  for (const FatMember& one : members)
    has += (has.empty() ? "" : ", ") + std::string(one.is_ptx ? "PTX for compute_" : "machine code for sm_") +
           std::to_string(one.arch) + (one.is_specific ? "a" : "");
  return missing(has.empty() ? "nothing" : has, arch);
}

std::string without_ptx(unsigned arch) { return missing("machine code alone", arch); }

}  // namespace warpsim::host
