// Fat binaries that nvcc 13.0 made, and mutated ones.
//
// Shapes: tests/data/fatbins: one text for compute_90 and compute_75 and machine code for sm_80 and sm_90, with each
//         --compress-mode, and one without PTX. WARPSIM_FUZZ_SECONDS says for how long the mutated ones are read, and
//         WARPSIM_FUZZ_SEED, 0 to 20, which: each seed has others, so that processes can share the work.
#include "host/fatbin/fat_binary.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "isa/ptx/ptx_reader.h"

namespace warpsim::host {
namespace {

std::string file_bytes(const std::string& name) {
  std::ifstream in(WARPSIM_SOURCE_DIR "/tests/data/fatbins/" + name + ".fatbin", std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  EXPECT_FALSE(bytes.empty()) << name;
  return bytes;
}
std::span<const std::byte> as_bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::vector<FatMember> members_of(const std::string& bytes) {
  const auto read = read_fat_binary(as_bytes_of(bytes));
  if (const auto* error = std::get_if<FatBinaryError>(&read)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return std::get<std::vector<FatMember>>(read);
}
std::string error_of(const std::string& bytes, std::size_t most = kMostMemberBytes) {
  const auto read = read_fat_binary(as_bytes_of(bytes), most);
  const auto* const error = std::get_if<FatBinaryError>(&read);
  return error == nullptr ? "" : error->message;
}

TEST(FatBinary, EachCompressionHoldsTheSameTexts) {
  const std::vector<FatMember> plain = members_of(file_bytes("none"));
  ASSERT_EQ(plain.size(), 4U);
  EXPECT_FALSE(plain[0].is_ptx || plain[1].is_ptx);
  EXPECT_EQ(plain[0].arch, 80U);
  EXPECT_EQ(plain[2].arch, 90U);
  EXPECT_EQ(plain[3].arch, 75U);
  for (const std::string name : {"speed", "size"}) {
    const std::vector<FatMember> members = members_of(file_bytes(name));
    ASSERT_EQ(members.size(), 4U) << name;
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(members[k].text.string(), plain[k].text.string()) << name;
  }
  const ptx::ReadModule read = ptx::read_module(plain[2].text, "fat");
  EXPECT_EQ(read.diagnostics.render(), "");
  EXPECT_EQ(read.module.functions.at(0).name.text, "_Z3addPii");
  EXPECT_EQ(read.module.targets.at(0).text, "sm_90");
}

// Machine code is left out unless it is asked for, and is a cubin then, however it was compressed.
TEST(FatBinary, MachineCodeIsReadWhereItIsAskedFor) {
  for (const FatMember& one : members_of(file_bytes("none"))) EXPECT_EQ(one.code, "");
  std::string plain;
  for (const std::string name : {"none", "speed", "size"}) {
    const std::string bytes = "x" + file_bytes(name) + "behind it";
    const auto found = fat_binaries_in(as_bytes_of(bytes));
    ASSERT_EQ(found.size(), 1U) << name;
    const auto read = read_fat_binary(found[0], kMostMemberBytes, FatCode::Read);
    const auto* const members = std::get_if<std::vector<FatMember>>(&read);
    ASSERT_NE(members, nullptr) << std::get<FatBinaryError>(read).message;
    ASSERT_EQ(members->size(), 4U);
    EXPECT_EQ((*members)[1].arch, 90U);
    EXPECT_EQ((*members)[1].code.substr(0, 4),
              "\x7f"
              "ELF")
        << name;
    if (plain.empty()) plain = (*members)[1].code;
    EXPECT_EQ((*members)[1].code, plain) << name;
    EXPECT_EQ((*members)[2].code, "") << "PTX is a text";
  }
  EXPECT_TRUE(fat_binaries_in(as_bytes_of(file_bytes("none").substr(0, 200))).empty());
}

TEST(FatBinary, TheBestPtxIsTheHighestThatRuns) {
  const std::vector<FatMember> members = members_of(file_bytes("none"));
  EXPECT_EQ(best_ptx(members, 90)->arch, 90U);
  EXPECT_EQ(best_ptx(members, 120)->arch, 90U);
  EXPECT_EQ(best_ptx(members, 89)->arch, 75U);
  EXPECT_EQ(best_ptx(members, 70), nullptr);
  const std::vector<FatMember> specific = {{true, 90, true, "a"}, {true, 80, false, "b"}, {false, 100, false, ""}};
  EXPECT_EQ(best_ptx(specific, 90)->text.string(), "a");
  EXPECT_EQ(best_ptx(specific, 100)->text.string(), "b") << "sm_90a is for no other";
  EXPECT_EQ(
      without_ptx(specific, 70),
      "the program has no PTX that a GPU of sm_70 can run: it has PTX for compute_90a, PTX for compute_80, machine "
      "code for sm_100; add -gencode arch=compute_70,code=compute_70 to nvcc's options");
  EXPECT_EQ(best_ptx(members_of(file_bytes("no_ptx")), 90), nullptr);
}

TEST(FatBinary, WhatIsBrokenIsSaid) {
  const std::string whole = file_bytes("speed");
  EXPECT_EQ(fat_binary_bytes(as_bytes_of(whole)), whole.size());
  for (const std::size_t kept : {0U, 3U, 15U, 16U, 100U, 5000U})
    EXPECT_EQ(error_of(whole.substr(0, kept)), "these bytes are no fat binary, or not all of one");
  EXPECT_EQ(error_of(whole, 800), "member 3 of the fat binary has 874 bytes, more than 800");
  EXPECT_EQ(error_of(file_bytes("none"), 800), "member 3 of the fat binary has 880 bytes, more than 800");
  std::string wrong = whole;
  const std::size_t third = 16 + (64 + 3936) + (64 + 4656);
  for (std::size_t k = 0; k < 100; ++k) wrong[third + 80 + k] = '\xff';
  EXPECT_EQ(error_of(wrong), "member 3 of the fat binary is not what LZ4 compresses to");
  wrong = whole;
  wrong[third + 4] = 5;
  EXPECT_EQ(error_of(wrong), "member 3 of the fat binary has a header of a size that cannot be");
  wrong = whole;
  wrong[third + 14] = 5;
  EXPECT_EQ(error_of(wrong), "member 3 of the fat binary is cut off");
}

TEST(FatBinary, MutatedOnesAreReadOrRefused) {
  const auto setting = [](const char* name) {
    const char* const given = std::getenv(name);
    return given == nullptr ? 0U : static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10));
  };
  const std::chrono::seconds time(setting("WARPSIM_FUZZ_SECONDS"));
  const std::uint32_t first = setting("WARPSIM_FUZZ_SEED") * 200'000'000;
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<std::string> seeds = {file_bytes("none"), file_bytes("speed"), file_bytes("size")};
  std::size_t whole = 0, rounds = 0;
  for (; rounds < 3000 || std::chrono::steady_clock::now() - begin < time; ++rounds) {
    const std::uint32_t seed = first + static_cast<std::uint32_t>(rounds);
    std::mt19937 random(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::string bytes = seeds[seed % seeds.size()];
    for (auto n = 1 + random() % 4; n > 0 && bytes.size() > 80; --n) {
      // Mostly in the headers: they are what sizes come from.
      const std::size_t at = random() % 2 == 0 ? random() % 80 : random() % bytes.size();
      const std::size_t field = random() % 2 == 0 ? at : at + (bytes.size() - at) / 2;
      if (random() % 8 == 0) bytes.resize(field + 1);
      else if (random() % 3 == 0)
        std::memcpy(&bytes[std::min(field, bytes.size() - 8)], "\xff\xff\xff\xff\xff\xff\xff\x7f", random() % 8);
      else bytes[field] = static_cast<char>(random());
    }
    const std::string exactly(bytes.begin(), bytes.end());  // the sanitizers see where it ends
    const auto read =
        read_fat_binary(as_bytes_of(exactly), 1 << 20, rounds % 2 == 0 ? FatCode::Read : FatCode::LeftOut);
    if (const auto* members = std::get_if<std::vector<FatMember>>(&read)) {
      ++whole;
      static_cast<void>(best_ptx(*members, 90));
    } else {
      ASSERT_FALSE(std::get<FatBinaryError>(read).message.empty());
    }
  }
  EXPECT_GT(whole, rounds / 20) << "some are fat binaries still";
  EXPECT_LT(whole, rounds - rounds / 20) << "and some are not";
}

// What cuLinkComplete() gives: all texts count, as many as there are.
TEST(FatBinary, LinkedTextsAreReadBack) {
  const std::vector<std::string> texts = {".version 8.0\n", "", std::string(4096, 'x')};
  const std::vector<std::byte> bytes = host::write_linked(texts, 90);
  EXPECT_EQ(host::fat_binary_bytes(bytes), bytes.size());
  const auto read = host::read_fat_binary(bytes);
  const auto* const members = std::get_if<std::vector<host::FatMember>>(&read);
  ASSERT_NE(members, nullptr);
  ASSERT_EQ(members->size(), texts.size());
  for (std::size_t k = 0; k < texts.size(); ++k) {
    EXPECT_EQ((*members)[k].text.string(), texts[k]);
    EXPECT_TRUE((*members)[k].is_part && (*members)[k].is_ptx);
    EXPECT_EQ((*members)[k].arch, 90u);
  }
}

}  // namespace
}  // namespace warpsim::host
