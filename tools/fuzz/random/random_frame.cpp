// The head and the end of every random program: thread numbers, filled registers, what is stored at the end.
//
// Shapes: %bl and %gl are the thread's numbers in the block and in the grid; %t… are scratch registers.
// Errors: none.
#include <algorithm>

#include "tools/fuzz/random/random_writer.h"

namespace warpsim::reference {

void RandomWriter::prologue() {
  for (const RegClass cls : {RegClass::R32, RegClass::R64, RegClass::R16, RegClass::Mask, RegClass::Pred}) {
    if (random_.chance(50)) declared_.push_back(cls);
  }
  as_one_line([this] { return number_threads(); });
  fills_begin_ = program_.lines.size();
  fill_pools();
  fills_end_ = program_.lines.size();
  line("add.cc.u32 %t0, %bl, 0xfffffffd");  // some lanes carry
  line("setp.eq.u32 %always, %bl, %bl");
  line("vote.ballot.mask %here, %always");
  as_one_line([this] { return fill_shared(); });
  if (limits_.hardware && random_.chance(30)) active_mask(info(Op::ActiveMask));
}

// %bl and %gl: the thread's number in the block and in the grid; %t0: an index of an input.
bool RandomWriter::number_threads() {
  line("mad.lo.u32 %bl, %tid.y, %ntid.x, %tid.x");
  line("mul.lo.u32 %t0, %ntid.x, %ntid.y");
  line("mad.lo.u32 %bl, %tid.z, %t0, %bl");
  line("mad.lo.u32 %t0, %ctaid.z, %nctaid.y, %ctaid.y");
  line("mad.lo.u32 %t0, %t0, %nctaid.x, %ctaid.x");
  line(cat({"mad.lo.u32 %gl, %t0, ", threads_, ", %bl"}));
  line(cat({"rem.u32 %t0, %gl, ", kInputLength}));
  return true;
}

bool RandomWriter::fill_shared() {
  line("mov.u32 %t2, s_quads");
  line("mad.lo.u32 %t2, %bl, 16, %t2");
  line(cat({"st.shared.v2.u64 [%t2], {", any_register(Type::U64), ", ", any_register(Type::U64), "}"}));
  for (const Type type : shared_types_)
    line(cat({"st.shared.", warpsim::name(type), " s_", warpsim::name(type), "[%bl], ", any_register(type)}));
  line("bar.sync 0");
  return true;
}

void RandomWriter::fill_pools() {
  for (const Type type : {Type::U32, Type::F32, Type::U64, Type::F64, Type::F16}) {
    for (const Text& reg : pool(reg_class(type), is_float(type))) {
      if (random_.chance(60)) {
        line(cat({"ld.global.", warpsim::name(type), " ", reg, ", in_", warpsim::name(type), "[%t0 + ",
                  random_.below(kSlack), "]"}));
      } else if (random_.chance(50)) {
        line(cat({"ld.global.", warpsim::name(type), " ", reg, ", in_", warpsim::name(type), "[%laneid]"}));
      } else {
        line(cat({"mov.", warpsim::name(type), " ", reg, ", ", immediate(type)}));
      }
    }
  }
  for (const Text& reg : pool(RegClass::Pred, false))
    line(cat({"setp.lt.s32 ", reg, ", ", any_register(Type::S32), ", ", immediate(Type::S32)}));
  for (const Text& reg : pool(RegClass::Mask, false)) line(cat({"mov.mask ", reg, ", ", special(Type::Mask)}));
}

void RandomWriter::epilogue() {
  if (limits_.store_registers) {
    remove_unused_fills();
    store_registers();
    return line("exit");
  }
  for (const Type type : {Type::U32, Type::F32, Type::S32, Type::U64, Type::F64, Type::F16}) {
    line(cat({"st.global.", warpsim::name(type), " out_", warpsim::name(type), "[", own_index(), "], ",
              any_register(type)}));
  }
  line("exit");
}

// Whether a line from `from` on names the register.
bool RandomWriter::is_used(const Text& reg, std::size_t from) const {
  return std::any_of(program_.lines.begin() + static_cast<std::ptrdiff_t>(from), program_.lines.end(),
                     [&reg](const Text& one) { return one.find(reg) != Text::npos; });
}

// Each fill is one line, and a pool's register has one digit. From the last to the first, since later fills read
// earlier ones.
void RandomWriter::remove_unused_fills() {
  for (std::size_t k = fills_end_; k-- > fills_begin_;) {
    const Text& fill = program_.lines[k];
    const std::size_t reg = fill.find('%');
    if (!is_used(fill.substr(reg, 3), k + 1))
      program_.lines.erase(program_.lines.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

void RandomWriter::store_registers() {
  unsigned word = 0, wide = 0, half = 0;
  const auto pool_in_use = [&](RegClass cls, bool of_floats) {
    std::vector<Text> names = pool(cls, of_floats);
    std::erase_if(names, [this](const Text& reg) { return !is_used(reg, 0); });
    return names;
  };
  const auto place = [this](const char* buffer_name, unsigned& k) {
    return cat({buffer_name, "[%gl + ", total_ * k++, "], "});
  };
  for (const bool of_floats : {false, true}) {
    for (const Text& reg : pool_in_use(RegClass::R32, of_floats))
      line(cat({"st.global.b32 ", place("end_u32", word), reg}));
    for (const Text& reg : pool_in_use(RegClass::R64, of_floats))
      line(cat({"st.global.b64 ", place("end_u64", wide), reg}));
  }
  for (const Text& reg : pool_in_use(RegClass::R16, false)) line(cat({"st.global.b16 ", place("end_u16", half), reg}));
  const auto store_word = [&] { line(cat({"st.global.b32 ", place("end_u32", word), "%t2"})); };
  for (const Text& reg : pool_in_use(RegClass::Pred, false)) {
    as_one_line([&] {
      line(cat({"selp.b32 %t2, 1, 0, ", reg}));
      store_word();
      return true;
    });
  }
  for (const Text& reg : pool_in_use(RegClass::Mask, false)) {  // each lane stores its own bit
    as_one_line([&] {
      line(cat({"shr.mask %tm, ", reg, ", %laneid"}));
      line("popc.mask %t2, %tm");
      store_word();
      return true;
    });
  }
}

RandomProgram RandomWriter::finish() {
  std::vector<Text> head;
  for (const RegClass cls : declared_) {
    if (cls == RegClass::R32) head.push_back(".reg .f32 %f0, %f1, %f2, %f3, %f4, %f5");
    if (cls == RegClass::R64) head.push_back(".reg .b64 %b<6>");
    if (cls == RegClass::R16) head.push_back(".reg .f16 %h<3>");
    if (cls == RegClass::Pred) head.push_back(".reg .pred %p<6>");
  }
  head.push_back(".shared b64 s_bar[2]");  // two, so that the next one lies at a multiple of 16 bytes
  head.push_back(cat({".shared u64 s_quads[", threads_ * 2, "]"}));  // first: at a multiple of 16 bytes
  for (const Type type : shared_types_)
    head.push_back(cat({".shared ", warpsim::name(type), " s_", warpsim::name(type), "[", threads_, "]"}));
  program_.lines.insert(program_.lines.begin(), head.begin(), head.end());
  return std::move(program_);
}

}  // namespace warpsim::reference
