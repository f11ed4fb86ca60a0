// A fat binary, as nvcc puts it into a program: the PTX in it, and for which GPUs the machine code is.
//
// Shapes: a header, then members: each has a kind, an architecture, and a payload that may be compressed with LZ4
//         or zstd. Several fat binaries may stand one behind another.
// Units:  bytes; an architecture is a number like 90.
// Errors: a sentence that says which member is wrong; nothing outside of the given bytes is read, and nothing becomes
//         larger than `most_bytes`.
// Source: the numbers are those of fatbinary_section.h in CUDA's toolkit; the members' fields were read off what
//         nvcc 13.0 writes with each --compress-mode (tests/data/fatbins).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "isa/text/source.h"

namespace warpsim::host {

inline constexpr std::uint32_t kFatWrapperMagic = 0x466243B1;  // of the structure that points to a fat binary
inline constexpr std::uint32_t kFatBinaryMagic = 0xBA55ED50;
inline constexpr std::size_t kMostMemberBytes = std::size_t{64} << 20;  // unless asked for more

struct FatMember {
  bool is_ptx = false;  // else machine code
  unsigned arch = 0;
  bool is_specific = false;  // sm_90a: for no other GPU
  SharedText text;           // of PTX, without zeros at its end
  bool is_part = false;      // of what write_linked() wrote
  std::string code;          // of machine code, where it was asked for: the bytes of a cubin
};
enum class FatCode : std::uint8_t { LeftOut, Read };

struct FatBinaryError {
  std::string message;
};

// How many bytes of `from` the fat binary there takes, by its header; none if there is none, or not all of it.
std::optional<std::size_t> fat_binary_bytes(std::span<const std::byte> from);
// The fat binaries in a file of any kind: a program, a library, an object, or a fat binary itself.
std::vector<std::span<const std::byte>> fat_binaries_in(std::span<const std::byte> file);

std::variant<std::vector<FatMember>, FatBinaryError> read_fat_binary(std::span<const std::byte> bytes,
                                                                     std::size_t most_bytes = kMostMemberBytes,
                                                                     FatCode code = FatCode::LeftOut);

// A fat binary of texts that are linked by symbol, all of them: as it stands, it survives a copy and a file.
std::vector<std::byte> write_linked(const std::vector<std::string>& texts, unsigned arch);

// Of the members the PTX that a GPU of this architecture would be given: the highest that it can run. Null: none is.
const FatMember* best_ptx(const std::vector<FatMember>& members, unsigned arch);
// What to tell nvcc where none is: a sentence.
std::string without_ptx(const std::vector<FatMember>& members, unsigned arch);
// Of machine code that comes alone.
std::string without_ptx(unsigned arch);

}  // namespace warpsim::host
