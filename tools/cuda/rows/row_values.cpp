#include "tools/cuda/rows/row_values.h"

namespace warpsim::rows {

std::vector<std::uint64_t> special_values(Type t) {
  if (t == Type::Pred) return {0, 1};
  if (t == Type::F16) {
    return {0x0000, 0x8000, 0x0001, 0x83ff, 0x03ff, 0x0400, 0x3c00, 0xbc00, 0x3c01,
            0x3800, 0xb800, 0x3e00, 0x4100, 0xc100, 0x5bff, 0x7800, 0xf800, 0x7bff,
            0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7c01, 0xfe12, 0x7fff, 0x3555};
  }
  if (t == Type::BF16) {
    return {0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x807f, 0x0080, 0x8080, 0x3f80, 0xbf80, 0x3f81, 0x3f7f,
            0x3f00, 0xbf00, 0x3fc0, 0x4020, 0xc020, 0x4049, 0x7f7f, 0xff7f, 0x7f00, 0x7f80, 0xff80, 0x7fc0,
            0xffc0, 0x7f81, 0xffd2, 0x7fff, 0x477f, 0x4780, 0x3380, 0x3300, 0x4f00, 0xcf00, 0x5f00};
  }
  if (is_pair(t)) {
    const std::vector<std::uint64_t> halves = special_values(element(t));
    std::vector<std::uint64_t> pairs;
    for (std::size_t k = 0; k < halves.size(); ++k)
      pairs.push_back(halves[k] | halves[(7 * k + 3) % halves.size()] << 16);
    return pairs;
  }
  if (t == Type::F32) {
    return {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00400000, 0x00800000, 0x80800000,
            0x00800001, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x3f7ffffe, 0x3f000000, 0xbf000000, 0x3fc00000,
            0x40200000, 0xc0200000, 0x40490fdb, 0x7f7fffff, 0xff7fffff, 0x7f000000, 0x7f800000, 0xff800000, 0x7fc00000,
            0xffc00000, 0x7fc12345, 0xffd54321, 0x7f800001, 0xffa00007, 0x7fffffff, 0x4b800000, 0x33800000, 0x4effffff,
            0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000, 0xdf000000, 0x5f7fffff,
            0x5f800000, 0x477fe000, 0x477fefff, 0x477ff000, 0x38800000, 0x33000000, 0x33000001, 0x38ffe000};
  }
  if (t == Type::F64) {
    return {0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800fffffffffffff, 0x000fffffffffffff,
            0x0010000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001, 0x3fefffffffffffff,
            0x3fe0000000000000, 0xbfe0000000000000, 0x3ff8000000000000, 0x4004000000000000, 0x7fefffffffffffff,
            0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000000,
            0x7ff8000012345678, 0x7ff0000000000001, 0xfffc000000000abc, 0x7fffffffffffffff, 0x400921fb54442d18,
            0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000,
            0x41f0000000000000, 0x43dfffffffffffff, 0x43e0000000000000, 0xc3e0000000000000, 0x43efffffffffffff,
            0x43f0000000000000, 0x40effc0000000000, 0x40effdffffffffff, 0x40effe0000000000, 0x3810000000000000,
            0x380fffffe0000000, 0x380ffffff0000000, 0x36a0000000000000, 0x3690000000000000, 0x3690000000000001,
            0x47efffffe0000000, 0x47effffff0000000, 0x3e60000000000001};
  }
  if (bits(t) == 16) return {0, 1, 0x7fff, 0x8000, 0xffff, 0x1234};
  std::vector<std::uint64_t> v = {0,          1,          2,          3,          7,          31,         32,
                                  33,         63,         64,         65,         255,        256,        0x7fff,
                                  0x8000,     0xffff,     0x10000,    0x800,      0x801,      0x1001,     0xffe0,
                                  0xffef,     0xfff0,     0x00ffffff, 0x01000001, 0x01000003, 0x7fffffff, 0x80000000,
                                  0x80000001, 0xffffffff, 0xfffffffe, 0x12345678, 0x9abcdef0, 0xdeadbeef};
  if (bits(t) == 64) {
    for (const std::uint64_t x :
         {0x100000000U, 0x7fffffffffffffffU, 0x8000000000000000U, 0xffffffffffffffffU, 0xfffffffffffffffeU,
          0x123456789abcdef0U, 0x0020000000000001U, 0x7ffffffffffffc00U, 0xfffffffffffff400U, 0xffffffff80000000U,
          0x8000008000000000U, 0x8000008000000001U, 0xffffff7fffffffffU})
      v.push_back(x);
  }
  return v;
}

std::uint64_t random_value(Type t, Random& random) {
  const std::uint64_t r = random.next(), all = bits(t) >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits(t)) - 1;
  if (is_pair(t)) return random_value(element(t), random) | random_value(element(t), random) << 16;
  if (!is_float(t)) return (random.next() >> (r & 1 ? r >> 8 & 63 : 0)) & all;
  const int fraction = t == Type::F16 ? 10 : t == Type::BF16 ? 7 : t == Type::F32 ? 23 : 52;
  const std::uint64_t one = (all >> (fraction + 2)) << fraction;
  if ((r & 3) == 0) return random.next() & all;
  const std::uint64_t exponents = t == Type::F16 ? 12 : 40;
  const std::uint64_t near = one + ((r >> 8) % exponents << fraction) - (exponents / 2 << fraction);
  return near | (random.next() & ((std::uint64_t{1} << fraction) - 1)) | (r & 4 ? all ^ all >> 1 : 0);
}

}  // namespace warpsim::rows
