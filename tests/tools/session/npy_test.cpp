// NumPy's files: bytes written from the format's description, what is read back, and what is refused.
#include "tools/session/npy.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace warpsim::tools {
namespace npy_test {

// As numpy.save writes it: the header padded to a multiple of 64, with a line end.
std::string file(std::string header, const std::string& data, int major = 1) {
  const std::size_t before = major == 1 ? 10 : 12;
  while ((before + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string made = "\x93NUMPY";
  made += static_cast<char>(major);
  made += '\0';
  for (int k = 0; k < (major == 1 ? 2 : 4); ++k) made += static_cast<char>(header.size() >> (8 * k) & 0xff);
  return made + header + data;
}

std::string header(const std::string& descr, const std::string& shape, const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

Array array_of(const std::string& bytes) {
  const auto read = read_npy(bytes);
  if (const auto* wrong = std::get_if<NpyError>(&read)) ADD_FAILURE() << wrong->message;
  return std::holds_alternative<Array>(read) ? std::get<Array>(read) : Array{};
}

std::string fault(const std::string& bytes) {
  const auto read = read_npy(bytes);
  return std::holds_alternative<NpyError>(read) ? std::get<NpyError>(read).message : "none";
}

using Bits = std::vector<std::uint64_t>;

TEST(Npy, ReadsEveryTypeAndFormat) {
  const std::string eight("\x01\x02\x03\x04\x05\x06\x07\x88", 8);
  const std::pair<const char*, Array> cases[] = {
      {"<f4", {Type::F32, {0x04030201, 0x88070605}}},
      {"<i4", {Type::S32, {0x04030201, 0x88070605}}},
      {"<u4", {Type::U32, {0x04030201, 0x88070605}}},
      {"<f8", {Type::F64, {0x8807060504030201}}},
      {"<i8", {Type::S64, {0x8807060504030201}}},
      {"<u8", {Type::U64, {0x8807060504030201}}},
      {"<f2", {Type::F16, {0x0201, 0x0403, 0x0605, 0x8807}}},
      {"<i2", {Type::S16, {0x0201, 0x0403, 0x0605, 0x8807}}},
      {"<u2", {Type::U16, {0x0201, 0x0403, 0x0605, 0x8807}}},
      {"|i1", {Type::S8, {1, 2, 3, 4, 5, 6, 7, 0x88}}},
      {"|u1", {Type::U8, {1, 2, 3, 4, 5, 6, 7, 0x88}}},
      {"|b1", {Type::U8, {1, 2, 3, 4, 5, 6, 7, 0x88}}},
  };
  for (const auto& [descr, wanted] : cases)
    for (const int major : {1, 2, 3}) {
      const std::string shape = "(" + std::to_string(wanted.bits.size()) + ",)";
      EXPECT_EQ(array_of(file(header(descr, shape), eight, major)), wanted) << descr << " " << major;
    }
}

TEST(Npy, ReadsOtherShapesAndSpellings) {
  const std::string four("\1\0\2\0\3\0\4\0", 8);
  const Array wanted{Type::U16, {1, 2, 3, 4}};
  EXPECT_EQ(array_of(file(header("<u2", "(2, 2)"), four)), wanted);
  EXPECT_EQ(array_of(file(header("<u2", "(1,2,1,2)"), four)), wanted);
  EXPECT_EQ(array_of(file(header("<u2", "(4,)", "True"), four)), wanted) << "one dimension is in both orders";
  EXPECT_EQ(array_of(file("{\"shape\":(4,),\"fortran_order\":False,\"descr\":\"<u2\"}", four)), wanted);
  EXPECT_EQ(array_of(file(header("<u2", "()"), four.substr(0, 2))).bits, Bits{1}) << "a scalar";
  EXPECT_EQ(array_of(file(header("<u2", "(0, 3)"), "")).bits, Bits{});
}

TEST(Npy, SaysWhatItDoesNotRead) {
  const std::string four("\1\0\2\0\3\0\4\0", 8);
  EXPECT_EQ(fault(file(header(">f4", "(2,)"), four)), "holds elements of type `>f4`, big endian");
  EXPECT_EQ(fault(file(header("<c8", "(1,)"), four)), "holds elements of type `<c8`");
  EXPECT_EQ(fault(file(header("|O", "(1,)"), four)), "holds elements of type `|O`");
  EXPECT_EQ(fault(file("{'descr': [('x', '<f4'), ('y', '<f4')], 'fortran_order': False, 'shape': (1,), }", four)),
            "holds elements of type `[('x', '<f4'), ('y', '<f4')]`");
  EXPECT_EQ(fault(file(header("<u2", "(2, 2)", "True"), four)), "is in Fortran order");
  EXPECT_EQ(fault(file(header("<u2", "(3,)"), four)),
            "has 8 bytes of data, which is not what its shape says: 3 elements of 2 bytes");
  EXPECT_EQ(fault(file(header("<u2", "(4294967296, 4294967296)"), four)),
            "has 8 bytes of data, which is not what its shape says: more elements than 64 bits can count");
  EXPECT_EQ(fault(file(header("<u2", "(9223372036854775812,)"), four)),
            "has 8 bytes of data, which is not what its shape says: 9223372036854775812 elements of 2 bytes")
      << "twice that are 8 in 64 bits";
  EXPECT_EQ(fault(file(header("<u2", "(4,)"), four, 4)), "is of format 4; 1, 2 and 3 are read");
  for (const std::string text :
       {"{'descr': '<u2'}", "{", "", "[]", "{'descr': '<u2', 'fortran_order': 0, 'shape': (4,)}",
        "{'descr': '<u2', 'fortran_order': False, 'shape': (-4,)}",
        "{'descr': '<u2', 'fortran_order': False, 'shape': (4,)} x",
        "{'descr': '<u2', 'fortran_order': False, 'shape': (4,), 'more': 1}",
        "{'descr': [[[[, 'fortran_order': False, 'shape': (4,)}"})
    EXPECT_EQ(fault(file(text, four)), "has no header as NumPy writes it") << text;
}

TEST(Npy, WritesWhatNumPyWrites) {
  // numpy.save of numpy.array([1.0, -2.0], dtype='float32'), by the format's description.
  EXPECT_EQ(
      write_npy({Type::F32, {0x3f800000, 0xc0000000}}),
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", std::string("\0\0\x80\x3f\0\0\0\xc0", 8)));
  EXPECT_EQ(write_npy({Type::F32, {}}).size() % 64, 0U);
  for (const auto& [type, as] : {std::pair{Type::BF16, Type::U16},
                                 {Type::B32, Type::U32},
                                 {Type::F16X2, Type::U32},
                                 {Type::U8, Type::U8},
                                 {Type::Mask, Type::U64},
                                 {Type::F64, Type::F64}}) {
    EXPECT_EQ(npy_type(type), as);
    EXPECT_EQ(array_of(write_npy({type, {1, 0x7f}})), (Array{as, {1, 0x7f}}));
  }
}

// Whatever bytes there are: an array that fits them, or a sentence.
TEST(Npy, TakesNoHarmFromAnyBytes) {
  const std::string seed = file("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1, 2), }", "12345678");
  const std::string other = file(header("<u2", "(2, 2)"), "12345678");
  for (unsigned round = 0; round < 20'000; ++round) {
    std::mt19937 random(round);
    std::string bytes = round % 2 == 0 ? seed : other;
    for (unsigned k = 0; k < 1 + round % 5; ++k) {
      const std::size_t at = random() % bytes.size();
      if (random() % 4 == 0) bytes.resize(at + 1);
      else bytes[at] = random() % 2 == 0 ? static_cast<char>(random()) : "{}[]()',:0 9"[random() % 12];
    }
    const auto read = read_npy(bytes);
    if (const auto* array = std::get_if<Array>(&read)) ASSERT_LE(array->bits.size(), 8U) << round;
    else ASSERT_FALSE(std::get<NpyError>(read).message.empty());
  }
}

}  // namespace npy_test
}  // namespace warpsim::tools
