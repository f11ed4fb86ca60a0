// Seeded random programs: see random_program.h.
#include "tools/fuzz/random_program.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <utility>

#include "isa/table/op.h"
#include "isa/table/special.h"

namespace warpsim::reference {

namespace {

using Text = std::string;

struct Part {
  Text text;
  Part(Text from) : text(std::move(from)) {}
  Part(std::string_view from) : text(from) {}
  Part(const char* from) : text(from) {}
  template <class T>
  requires std::is_arithmetic_v<T> Part(T number) : text(std::to_string(number)) {}
};
// In braces, since only there the parts are drawn from left to right by every compiler: cat({a, b}).
Text cat(std::initializer_list<Part> parts) {
  Text out;
  for (const Part& part : parts) out += part.text;
  return out;
}

Text hex_text(std::uint64_t value, int digits) {
  char buffer[24];
  std::snprintf(buffer, sizeof buffer, "%0*llx", digits, static_cast<unsigned long long>(value));
  return buffer;
}

constexpr unsigned kInputLength = 64;         // elements of every `in` buffer; a power of two
constexpr unsigned kFirstCountedBarrier = 8;  // of 16; those below are for whole blocks
constexpr std::size_t kSums = 12;             // atomics on elements that many threads share: how many kinds
constexpr std::size_t kSumElements = 4;       // … and elements of each
constexpr unsigned kWords = 8, kFloats = 6, kLongs = 6, kDoubles = 4, kHalves = 3, kPredicates = 6,
                   kMasks = 3;  // registers of each pool
constexpr unsigned kEndWords = kWords + kFloats + kPredicates + kMasks, kEndLongs = kLongs + kDoubles,
                   kEndHalves = kHalves;  // what a thread stores of them at the end
constexpr unsigned kSlack = 4;            // elements behind the last one that an index may also reach

// The lanes of a warp that stand at one place of the program.
struct Group {
  Text mask;                 // what the membermask operand says; "" leaves it out: all lanes
  Text members;              // a mask register that holds exactly the lanes that are here
  unsigned segment = 1;      // the group is made of whole segments of this many lanes, all of them here
  bool whole_warp = false;   // all living lanes are here
  bool complete = false;     // … and none has exited or never existed
  bool packed = false;       // the living lanes are the lowest of the warp
  bool whole_block = false;  // all living threads of the block come here
};

class Writer {
 public:
  Writer(std::uint64_t seed, const Limits& limits) : random_(seed), limits_(limits) { program_.seed = seed; }

  RandomProgram write() {
    choose_launch();
    choose_data();
    prologue();
    Group everybody = top_group();
    statements(everybody, budget(), 0);
    epilogue();
    return finish();
  }

 private:
  // Statements at the top. A GPU's programs are shorter: most of the time goes into compiling them.
  std::uint64_t budget() {
    if (limits_.hardware) return 4 + random_.below(random_.chance(70) ? 10 : 36);
    return 10 + random_.below(30);
  }

  // ---- the launch and its data
  void choose_launch() {
    std::vector<unsigned> lane_counts = {1, 2, 4, 8, 8, 16, 16, 32, 32, 32, 32, 64, 64};
    std::erase_if(lane_counts, [this](unsigned lanes) { return lanes > limits_.max_lanes; });
    lanes_ = program_.lanes = random_.pick(lane_counts);
    const unsigned warps = 1 + static_cast<unsigned>(random_.below(lanes_ <= 16 ? 4 : 2));
    const bool partial = lanes_ > 1 && random_.chance(35);
    threads_ = warps * lanes_ - (partial ? 1 + static_cast<unsigned>(random_.below(lanes_ - 1)) : 0);
    complete_warps_ = threads_ % lanes_ == 0;
    program_.block = {threads_, 1, 1};
    program_.grid = {1 + static_cast<std::uint32_t>(random_.below(3)) / 2, 1, 1};
    for (const std::uint32_t y : {2U, 3U, 4U}) {
      if (threads_ % y != 0 || !random_.chance(12)) continue;
      program_.block = {threads_ / y, y, 1};
      if (threads_ / y % 2 == 0 && random_.chance(30)) program_.block = {threads_ / y / 2, y, 2};
    }
    if (random_.chance(10)) program_.grid = {1, 2, 1};
    if (random_.chance(5)) program_.grid = {1, 1, 2};
    total_ = static_cast<unsigned>(program_.grid.count()) * threads_;
    linear_ = program_.block.y == 1 && program_.block.z == 1 && program_.grid.y == 1 && program_.grid.z == 1;
  }

  void choose_data() {
    for (const Type type : {Type::U32, Type::S32, Type::F32, Type::U64, Type::F64, Type::F16, Type::U8}) {
      buffer("in", type, kInputLength + kSlack, true);
      buffer("out", type, total_ + static_cast<unsigned>(random_.below(kSlack)), false);
    }
    buffer("quads", Type::U32, total_ * 4, true);
    for (const Type type : {Type::U32, Type::U64}) {
      buffer("own", type, total_, true);
      buffer("sums", type, kSums * kSumElements, true);
    }
    for (const Type type : {Type::U32, Type::S32, Type::F32, Type::U64, Type::F64}) {
      const Text name = cat({"p_", warpsim::name(type)});
      program_.params.push_back({"param", name, type});
      program_.scalars[name] = random_value(random_, type);
    }
    if (!limits_.store_registers) return;
    buffer("end", Type::U32, total_ * kEndWords, false);
    buffer("end", Type::U64, total_ * kEndLongs, false);
    buffer("end", Type::U16, total_ * kEndHalves, false);
  }
  void buffer(const Text& prefix, Type type, unsigned length, bool filled) {
    const Text name = cat({prefix, "_", warpsim::name(type)});
    const Text kind = prefix == "in" || prefix == "out" ? prefix : prefix == "end" ? "out" : "inout";
    program_.params.push_back({kind, name, type, length});
    Array& array = program_.buffers[name];
    array.type = type;
    for (unsigned k = 0; k < length; ++k) array.bits.push_back(filled ? random_value(random_, type) : 0);
  }

  // ---- text
  void line(const Text& text) { program_.lines.push_back("        " + text); }
  void label(const Text& name) { program_.lines.push_back(name + ":"); }
  // What `write` writes becomes one string: a part of it alone would mean something else.
  template <class Write>
  auto together(Write write) {
    const auto from = static_cast<std::ptrdiff_t>(program_.lines.size());
    const auto result = write();
    std::vector<Text>& lines = program_.lines;
    if (std::ptrdiff_t(lines.size()) > from + 1) {
      Text whole;
      for (auto it = lines.begin() + from; it != lines.end(); ++it) whole += (whole.empty() ? "" : "\n") + *it;
      lines.resize(static_cast<std::size_t>(from));
      lines.push_back(std::move(whole));
    }
    return result;
  }
  Text fresh(const Text& prefix) { return cat({prefix, next_name_++}); }

  // ---- registers: a pool a class; floats have their own, so that their values stay floats for a while
  static std::vector<Text> numbered(const Text& prefix, unsigned count) {
    std::vector<Text> names;
    for (unsigned k = 0; k < count; ++k) names.push_back(cat({prefix, k}));
    return names;
  }
  static const std::vector<Text>& pool(RegClass cls, bool of_floats) {
    static const std::vector<Text> words = numbered("%a", kWords), floats = numbered("%f", kFloats),
                                   longs = numbered("%b", kLongs), doubles = numbered("%d", kDoubles),
                                   halves = numbered("%h", kHalves), predicates = numbered("%p", kPredicates),
                                   masks = numbered("%m", kMasks);
    switch (cls) {
      case RegClass::Pred: return predicates;
      case RegClass::R16: return halves;
      case RegClass::R64: return of_floats ? doubles : longs;
      case RegClass::Mask: return masks;
      default: return of_floats ? floats : words;
    }
  }
  Text any_register(Type type) {
    const bool of_floats = is_float(element(type)) ? random_.chance(90) : random_.chance(10);
    return random_.pick(pool(reg_class(type), of_floats));
  }
  Text predicate() { return random_.pick(pool(RegClass::Pred, false)); }

  Text immediate(Type type) {
    const std::uint64_t value = random_value(random_, type);
    switch (type) {
      case Type::F32: return cat({"0f", hex_text(value, 8)});
      case Type::F64: return cat({"0d", hex_text(value, 16)});
      case Type::F16:
      case Type::BF16:
      case Type::F16X2:
      case Type::BF16X2: return random_.chance(50) ? "1.5" : "-0.25";
      case Type::Mask: return cat({"0x", hex_text(value & low_bits(static_cast<int>(lanes_)), 1)});
      case Type::S32: return cat({static_cast<std::int32_t>(value)});
      case Type::S64: return cat({static_cast<std::int64_t>(value)});
      default: return is_untyped(type) ? cat({"0x", hex_text(value, 1)}) : cat({value});
    }
  }

  // A source operand of that type: mostly a register, else whatever the language allows in its place.
  Text source(Type type) {
    const std::uint64_t roll = random_.below(100);
    if (type == Type::Pred || roll < 74) return any_register(type);
    if (type == Type::F32 && roll < 80) return random_.pick(std::vector<Text>{"1.0", "-0.5", "2.0", "1e-3", "inf"});
    if (type == Type::F64 && roll < 80) return random_.pick(std::vector<Text>{"1.0", "-0.5", "3.0", "1e300", "-inf"});
    const bool plain_word = is_integer(type) && bits(type) == 32;
    if (plain_word && roll < 80) return special(Type::U32);
    if (type == Type::Mask && roll < 90) return special(Type::Mask);
    if (plain_word && roll < 84)
      return random_.pick(std::vector<Text>{"WARP_SZ", "WARP_SZ / 2", "WARP_SZ * 3 - 1", "~7 & 0xff"});
    const Text parameter = cat({"p_", warpsim::name(type)});
    if (roll < 89 && program_.scalars.count(parameter) != 0) return parameter;
    return immediate(type);
  }
  Text special(Type type) {
    std::vector<Text> names;
    for (const SpecialInfo& row : all_specials()) {
      const bool open = row.name == info(Special::WarpId).name || row.name == info(Special::NWarpId).name;
      const bool fits = row.type == type && !is_clock(*parse_special(row.name));
      if (fits && !(limits_.hardware && open)) names.push_back(Text(row.name));
    }
    return random_.pick(names);
  }

  // "@%p ", "@!%p " or nothing.
  Text guard(unsigned percent) {
    if (!random_.chance(percent)) return "";
    return cat({"@", random_.chance(50) ? "!" : "", predicate(), " "});
  }

  // ---- what every program begins and ends with
  void prologue() {
    for (const RegClass cls : {RegClass::R32, RegClass::R64, RegClass::R16, RegClass::Mask, RegClass::Pred}) {
      if (random_.chance(50)) declared_.push_back(cls);
    }
    together([this] { return number_threads(); });
    fills_begin_ = program_.lines.size();
    fill_pools();
    fills_end_ = program_.lines.size();
    line("add.cc.u32 %t0, %bl, 0xfffffffd");  // some lanes carry
    line("setp.eq.u32 %always, %bl, %bl");
    line("vote.ballot.mask %here, %always");
    together([this] { return fill_shared(); });
    if (limits_.hardware && random_.chance(30)) active_mask(info(Op::ActiveMask));
  }
  // In the block and in the grid; and an index of an input.
  bool number_threads() {
    line("mad.lo.u32 %bl, %tid.y, %ntid.x, %tid.x");
    line("mul.lo.u32 %t0, %ntid.x, %ntid.y");
    line("mad.lo.u32 %bl, %tid.z, %t0, %bl");
    line("mad.lo.u32 %t0, %ctaid.z, %nctaid.y, %ctaid.y");
    line("mad.lo.u32 %t0, %t0, %nctaid.x, %ctaid.x");
    line(cat({"mad.lo.u32 %gl, %t0, ", threads_, ", %bl"}));
    line(cat({"rem.u32 %t0, %gl, ", kInputLength}));
    return true;
  }
  bool fill_shared() {
    line("mov.u32 %t2, s_quads");
    line("mad.lo.u32 %t2, %bl, 16, %t2");
    line(cat({"st.shared.v2.u64 [%t2], {", any_register(Type::U64), ", ", any_register(Type::U64), "}"}));
    for (const Type type : shared_types_)
      line(cat({"st.shared.", warpsim::name(type), " s_", warpsim::name(type), "[%bl], ", any_register(type)}));
    line("bar.sync 0");
    return true;
  }
  void fill_pools() {
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
  void epilogue() {
    if (limits_.store_registers) {
      leave_out_unused_fills();
      store_registers();
      return line("exit");
    }
    for (const Type type : {Type::U32, Type::F32, Type::S32, Type::U64, Type::F64, Type::F16}) {
      line(cat({"st.global.", warpsim::name(type), " out_", warpsim::name(type), "[", own_index(), "], ",
                any_register(type)}));
    }
    line("exit");
  }
  // Is the register named in the lines from there on?
  bool is_used(const Text& reg, std::size_t from) const {
    return std::any_of(program_.lines.begin() + static_cast<std::ptrdiff_t>(from), program_.lines.end(),
                       [&reg](const Text& one) { return one.find(reg) != Text::npos; });
  }
  // Each fill is a line of its own, and a register of the pools has one digit; the last ones first, since they read
  // the others.
  void leave_out_unused_fills() {
    for (std::size_t k = fills_end_; k-- > fills_begin_;) {
      const Text& fill = program_.lines[k];
      const std::size_t reg = fill.find('%');
      if (!is_used(fill.substr(reg, 3), k + 1))
        program_.lines.erase(program_.lines.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
  void store_registers() {
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
    for (const Text& reg : pool_in_use(RegClass::R16, false))
      line(cat({"st.global.b16 ", place("end_u16", half), reg}));
    const auto store_word = [&] { line(cat({"st.global.b32 ", place("end_u32", word), "%t2"})); };
    for (const Text& reg : pool_in_use(RegClass::Pred, false)) {
      together([&] {
        line(cat({"selp.b32 %t2, 1, 0, ", reg}));
        store_word();
        return true;
      });
    }
    for (const Text& reg : pool_in_use(RegClass::Mask, false)) {  // all lanes together show every bit
      together([&] {
        line(cat({"shr.mask %tm, ", reg, ", %laneid"}));
        line("popc.mask %t2, %tm");
        store_word();
        return true;
      });
    }
  }
  Text own_index() { return linear_ && random_.chance(50) ? "%gtid" : "%gl"; }

  RandomProgram finish() {
    std::vector<Text> head;
    for (const RegClass cls : declared_) {
      if (cls == RegClass::R32) head.push_back(".reg .f32 %f0, %f1, %f2, %f3, %f4, %f5");
      if (cls == RegClass::R64) head.push_back(".reg .b64 %b<6>");
      if (cls == RegClass::R16) head.push_back(".reg .f16 %h<3>");
      if (cls == RegClass::Pred) head.push_back(".reg .pred %p<6>");
    }
    head.push_back(cat({".shared u64 s_quads[", threads_ * 2, "]"}));  // first: at a multiple of 16 bytes
    for (const Type type : shared_types_)
      head.push_back(cat({".shared ", warpsim::name(type), " s_", warpsim::name(type), "[", threads_, "]"}));
    program_.lines.insert(program_.lines.begin(), head.begin(), head.end());
    return std::move(program_);
  }

  Group top_group() const {
    Group group;
    group.members = "%here";
    group.whole_warp = group.packed = group.whole_block = true;
    group.complete = complete_warps_;
    group.segment = complete_warps_ ? lanes_ : 1U << std::countr_zero(threads_ % lanes_);
    return group;
  }

  // ---- statements
  // Lanes may exit on the way: then the group is what is left of it.
  void statements(Group& group, std::uint64_t budget, int depth) {
    for (std::uint64_t k = 0; k < budget; ++k) {
      const std::uint64_t roll = random_.below(100);
      if (roll < 76) {
        instruction(group);
      } else if (roll < 84) {
        if (depth < 3) branch(group, depth);
      } else if (roll < 89) {
        if (depth < 2) loop(group, depth);
      } else if (roll < 92) {
        if (depth < 3) tangle(group);
      } else if (roll < 95 && group.whole_block) {
        together([this] { return exchange_in_block(); });
      } else if (roll < 98) {
        together([&] { return exchange_in_warp(group); });
      } else if (loops_around_ == 0 && exits_ < 2 && (depth > 0 || k > budget / 2)) {
        together([&] { return early_exit(group); });
      }
    }
  }

  // ---- one instruction, any row
  void instruction(const Group& group) {
    const std::span<const OpInfo> rows = all_ops();
    for (int tries = 0; tries < 20; ++tries) {
      const OpInfo& row = rows[random_.below(rows.size())];
      if (together([&] { return emit(row, group); })) return;
    }
  }

  bool emit(const OpInfo& row, const Group& group) {
    switch (row.lift) {
      case Lift::Lane: return row.form == Form::DAcvt ? convert(row) : lane_operation(row);
      case Lift::Compare:
      case Lift::Bits: return lane_operation(row);
      case Lift::Load:
      case Lift::Store: return memory_operation(row);
      case Lift::Atomic: return atomic(row);
      case Lift::Pack:
      case Lift::Unpack: return lane_operation(row);
      case Lift::Nothing: return without_effect(row);
      case Lift::LoadParam: return load_parameter(row);
      case Lift::Shuffle: return shuffle_or_guarded(row, group);
      case Lift::Vote:
      case Lift::Match:
      case Lift::Redux: return vote(row, group);
      case Lift::Broadcast:
      case Lift::Reduce:
      case Lift::Scan: return collective(row, group);
      case Lift::Barrier:
      case Lift::BarrierReduce: return barrier(row, group);
      case Lift::Special: return row.form == Form::D && group.whole_warp && !limits_.hardware && active_mask(row);
      case Lift::Branch: return false;  // branch(), loop() and early_exit() write those
    }
    return false;
  }

  Type any_type(TypeSet set) {
    std::vector<Type> types;
    for (int k = 0; k < kTypeCount; ++k) {
      if (contains(set, static_cast<Type>(k))) types.push_back(static_cast<Type>(k));
    }
    return random_.pick(types);
  }

  Text modifiers(const OpInfo& row, Type type) {
    Text out;
    if ((row.mods & kRndReq) != 0 || ((row.mods & kRnd) != 0 && random_.chance(60))) {
      out += (row.mods & kRnOnly) != 0 ? ".rn" : random_.pick(std::vector<Text>{".rn", ".rz", ".rm", ".rp"});
    }
    if ((row.mods & kExclusive) != 0 && random_.chance(50)) out += ".exclusive";
    if (takes_ftz(row, type) && ((row.mods & kFtzReq) != 0 || random_.chance(25))) out += ".ftz";
    if (takes_sat(row, type) && random_.chance(15)) out += ".sat";
    else if ((row.mods & kRelu) != 0 && random_.chance(20)) out += ".relu";
    if ((row.mods & kNaN) != 0 && type != Type::F64 && random_.chance(25)) out += ".NaN";
    if ((row.mods & kXorsign) != 0 && type != Type::F64 && random_.chance(20)) out += ".xorsign.abs";
    return out;
  }

  // What PTX says of the carry flag holds in straight-line code, so a chain stands together and under no guard; and its
  // text disagrees with the hardware on what a subtraction leaves for an addition.
  bool carry_chain(const OpInfo& row) {
    const auto takes = [](const OpInfo& one, Role role) {
      const auto form = slots(one.form);
      return std::any_of(form.begin(), form.end(), [&](const Slot& s) { return is_hidden(s) && s.role == role; });
    };
    const auto subtracts = [](const OpInfo& one) { return has_trait(one, kBorrows); };
    std::vector<const OpInfo*> begin, more;
    for (const OpInfo& one : all_ops()) {
      if (subtracts(one) != subtracts(row) || !takes(one, Role::DstPred)) continue;
      (takes(one, Role::Src) ? more : begin).push_back(&one);
    }
    if (takes(row, Role::Src)) {
      plain_operation(*random_.pick(begin), "");
      for (std::uint64_t n = random_.below(3); n > 0; --n) plain_operation(*random_.pick(more), "");
    }
    return plain_operation(row, "");
  }

  bool lane_operation(const OpInfo& row) {
    const auto form = slots(row.form);
    if (limits_.hardware && std::any_of(form.begin(), form.end(), is_hidden)) return carry_chain(row);
    return plain_operation(row, guard(20));
  }
  // Forms whose operands are destinations and sources and nothing else.
  bool plain_operation(const OpInfo& row, const Text& guarded) {
    const Type type = row.types == kNoType ? Type::None : any_type(row.types);
    const Type type2 = has_second_type(row.form) ? any_type(second_types(row.types)) : Type::None;
    Text operands;
    const auto form = slots(row.form);
    for (std::size_t k = 0; k < form.size(); ++k) {
      const Slot& slot = form[k];
      const Type t = slot_type(slot.type, type, type2);
      if (is_hidden(slot)) continue;
      if (is_second_destination(slot)) {
        if (random_.chance(30)) operands += cat({"|", other_predicate(operands)});
        continue;
      }
      operands += operands.empty() ? "" : ", ";
      if (slot.in_braces && (k == 0 || !form[k - 1].in_braces)) operands += "{";
      if (slot.role == Role::Dst && slot.in_braces) operands += vector_register(t, k);
      else if (slot.role == Role::Dst || slot.role == Role::DstPred) operands += any_register(t);
      else if (slot.type == SlotType::Byte) operands += cat({random_.below(256)});
      else if (slot.type == SlotType::U32 && random_.chance(60)) operands += cat({random_.below(70)});
      else if (slot.type == SlotType::Pred) operands += cat({random_.chance(20) ? "!" : "", any_register(t)});
      else operands += source(t);
      if (slot.in_braces && (k + 1 == form.size() || !form[k + 1].in_braces)) operands += "}";
    }
    line(cat({guarded, row.mnemonic, modifiers(row, type2 == Type::None ? type : type2), suffix(type), suffix(type2),
              " ", operands}));
    return true;
  }
  static Text suffix(Type type) { return type == Type::None ? "" : cat({".", warpsim::name(type)}); }
  Text other_predicate(const Text& than) {
    Text one = predicate();
    while (one == than) one = predicate();
    return one;
  }

  bool convert(const OpInfo& row) {
    const Type to = any_type(row.types), from = any_type(row.types);
    if (!can_convert(to, from)) return false;
    const bool whole_rounding = is_float(from) && (is_integer(to) || (to == from && random_.chance(60)));
    const bool float_rounding = is_float(to) && (is_integer(from) || (to != from && bits(to) <= bits(from)));
    Text mods;
    if (whole_rounding) mods += random_.pick(std::vector<Text>{".rni", ".rzi", ".rmi", ".rpi"});
    if (float_rounding) mods += random_.pick(std::vector<Text>{".rn", ".rz", ".rm", ".rp"});
    const bool f32_operand = from == Type::F32, f32_result = to == Type::F32 && is_float(from);
    if ((f32_operand || f32_result) && random_.chance(20)) mods += ".ftz";
    const bool narrows = is_integer(to) && is_integer(from) && to != from &&
                         !(is_signed(to) == is_signed(from) && bits(to) > bits(from)) &&
                         !(is_signed(to) && bits(to) > bits(from));
    const bool brain = to == Type::BF16 || from == Type::BF16;
    if ((narrows || is_float(to)) && !brain && random_.chance(25)) mods += ".sat";
    if (to == from && mods.empty()) return false;  // a move by another name
    line(cat({guard(15), row.mnemonic, mods, ".", warpsim::name(to), ".", warpsim::name(from), " ", any_register(to),
              ", ", any_register(from)}));
    return true;
  }

  // ---- memory: reads anywhere in a read-only input, stores to the thread's own element
  bool memory_operation(const OpInfo& row) {
    if (elements(row.form) > 0) return vector_access(row);
    if (row.space == AddressSpace::Shared) return false;  // exchange_in_block() and exchange_in_warp() write those
    const Type type = any_type(row.types);
    if (row.lift == Lift::Store) return store(row, type);
    const Text element = cat({warpsim::name(type)});
    if (random_.chance(20) && reg_class(type) == RegClass::R32) {
      line(
          cat({guard(20), row.mnemonic, ".", element, " ", any_register(type), ", ", pointer("own_u32", 4, "%gl", 0)}));
      return true;
    }
    const Text in = input_of_size(bits(type));
    const bool same_type = in == cat({"in_", element});
    if (same_type && random_.chance(20)) {
      line(cat({guard(20), row.mnemonic, ".", element, " ", any_register(type), ", ", in, "[",
                random_.below(kInputLength + kSlack), "]"}));
      return true;
    }
    line(cat({"and.b32 %t0, ", any_register(Type::B32), ", ", kInputLength - 1}));
    const std::uint64_t more = random_.below(kSlack + 1);
    const Text place = same_type && random_.chance(60) ? cat({in, "[%t0", more != 0 ? cat({" + ", more}) : "", "]"})
                                                       : pointer(in, bits(type) / 8, "%t0", more);
    line(cat({guard(20), row.mnemonic, ".", element, " ", any_register(type), ", ", place}));
    return true;
  }
  Text input_of_size(int width) {
    if (width == 8) return random_.pick(std::vector<Text>{"in_u8", "in_f16", "in_u32"});
    if (width == 16) return random_.pick(std::vector<Text>{"in_f16", "in_f16", "in_u32", "in_f64"});
    return random_.pick(width == 32 ? std::vector<Text>{"in_u32", "in_s32", "in_f32"}
                                    : std::vector<Text>{"in_u64", "in_f64"});
  }
  // Writes the address arithmetic; gives the operand.
  Text pointer(const Text& buffer_name, int size, const Text& index, std::uint64_t more) {
    line(random_.chance(50) ? cat({"mov.u64 %u0, ", buffer_name}) : cat({"ld.param.u64 %u0, [", buffer_name, "]"}));
    if (random_.chance(50)) {
      line(cat({"mad.wide.u32 %u0, ", index, ", ", size, ", %u0"}));
    } else {
      line(cat({"mul.wide.u32 %u1, ", index, ", ", size}));
      line("add.u64 %u0, %u0, %u1");
    }
    return more == 0 ? "[%u0]" : cat({"[%u0 + ", more * static_cast<std::uint64_t>(size), "]"});
  }
  bool store(const OpInfo& row, Type type) {
    if (random_.chance(25) && reg_class(type) == RegClass::R32) {
      line(cat({guard(30), row.mnemonic, ".", warpsim::name(type), " ", pointer("own_u32", 4, "%gl", 0), ", ",
                source(type)}));
      return true;
    }
    const Text out = cat({"out_", warpsim::name(type)});
    const bool has_buffer = program_.buffers.count(out) != 0;
    const Text buffer_name = has_buffer         ? out
                             : bits(type) == 8  ? "out_u8"
                             : bits(type) == 16 ? "out_f16"
                             : bits(type) == 32 ? "out_u32"
                                                : "out_u64";
    const Text place = has_buffer && random_.chance(60) ? cat({out, "[", own_index(), "]"})
                                                        : pointer(buffer_name, bits(type) / 8, "%gl", 0);
    line(cat({guard(30), row.mnemonic, ".", warpsim::name(type), " ", place, ", ", any_register(type)}));
    return true;
  }
  // Sixteen bytes of the thread's own, or of an input.
  bool vector_access(const OpInfo& row) {
    const Type type = any_type(row.types);
    Text place;
    if (row.space == AddressSpace::Shared) {
      line("mov.u32 %t2, s_quads");
      line("mad.lo.u32 %t2, %bl, 16, %t2");
      place = "[%t2]";
    } else if (row.lift == Lift::Load && random_.chance(50)) {
      line(cat({"and.b32 %t0, ", any_register(Type::B32), ", 7"}));
      place = pointer(random_.pick(std::vector<Text>{"in_u32", "in_f32", "in_f64", "in_f16"}), 16, "%t0", 0);
    } else if (type == Type::U32 && random_.chance(60)) {
      line("shl.b32 %t0, %gl, 2");
      place = "quads_u32[%t0]";
    } else {
      place = pointer("quads_u32", 16, "%gl", 0);
    }
    Text operands;
    const auto form = slots(row.form);
    for (std::size_t k = 0; k < form.size(); ++k) {
      if (form[k].in_braces && (k == 0 || !form[k - 1].in_braces)) operands += cat({k == 0 ? "" : ", ", "{"});
      else operands += k == 0 ? "" : ", ";
      operands += form[k].role == Role::Addr ? place : vector_register(type, k);
      if (form[k].in_braces && (k + 1 == form.size() || !form[k + 1].in_braces)) operands += "}";
    }
    line(cat({guard(20), row.mnemonic, ".", warpsim::name(type), " ", operands}));
    return true;
  }
  // One that no other element of a vector has.
  Text vector_register(Type type, std::size_t k) {
    const std::vector<Text>& names = pool(reg_class(type), is_float(type));
    return names[k % names.size()];
  }

  // ---- atomics whose results do not hang on whose turn comes first: anything at the thread's own element, and one
  // operation at elements that many share, nobody seeing what it found
  bool atomic(const OpInfo& row) {
    const Type type = any_type(row.types);
    const int width = bits(type);
    if (limits_.hardware && is_float(type) && row.space == AddressSpace::Shared)
      return false;  // NaN payloads: a loop of ptxas
    const Text opcode =
        cat({guard(20), row.mnemonic, random_.chance(20) ? ".relaxed.gpu" : "", ".", warpsim::name(type), " "});
    if (row.form == Form::Red && row.space != AddressSpace::Shared && !is_float(type) && random_.chance(60)) {
      const Text key = cat({row.mnemonic, warpsim::name(type)});
      const std::size_t slot =
          static_cast<std::size_t>(std::find(shared_sums_.begin(), shared_sums_.end(), key) - shared_sums_.begin());
      if (slot == kSums) return false;
      if (slot == shared_sums_.size()) shared_sums_.push_back(key);
      line(cat({"and.b32 %t0, ", any_register(Type::B32), ", ", kSumElements - 1}));
      const Text b =
          has_trait(row, kCounts) ? cat({5 + slot}) : any_register(type);  // all must count round the same circle
      line(cat({opcode, pointer(cat({"sums_u", width}), width / 8, "%t0", slot * kSumElements), ", ", b}));
      return true;
    }
    const Text place = row.space == AddressSpace::Shared   ? cat({width == 32 ? "s_u32" : "s_f64", "[%bl]"})
                       : width == 32 && random_.chance(50) ? cat({"own_u32[", own_index(), "]"})
                                                           : pointer(cat({"own_u", width}), width / 8, "%gl", 0);
    Text operands;
    for (const Slot& slot : slots(row.form)) {
      operands += operands.empty() ? "" : ", ";
      operands += slot.role == Role::Dst ? any_register(type) : slot.role == Role::Addr ? place : source(type);
    }
    line(cat({opcode, operands}));
    return true;
  }
  bool without_effect(const OpInfo& row) {
    const auto sleep = [this] { return limits_.hardware ? cat({random_.below(32)}) : source(Type::U32); };
    line(cat({guard(20), row.mnemonic, row.form == Form::A ? cat({".u32 ", sleep()}) : ""}));
    return true;
  }
  bool load_parameter(const OpInfo& row) {
    const Type type = random_.pick(std::vector<Type>{Type::U32, Type::S32, Type::F32, Type::U64, Type::F64});
    if (!contains(row.types, type)) return false;
    line(cat({guard(20), row.mnemonic, ".", warpsim::name(type), " ", any_register(type), ", [p_", warpsim::name(type),
              "]"}));
    return true;
  }

  // ---- shuffles
  Text member_operand(const Group& group, const Text& separator) const {
    return group.mask.empty() ? "" : separator + group.mask;
  }

  // Sometimes under a guard: then the group is the lanes where the guard holds.
  bool shuffle_or_guarded(const OpInfo& row, const Group& group) {
    if (!random_.chance(15)) return shuffle(row, group, "", predicate());
    const Text p = fresh("%q"), members = fresh("%g");
    const bool negated = random_.chance(50);
    line(cat({"mov.pred ", p, ", ", predicate()}));
    line(cat({"vote.ballot.mask ", members, ", ", negated ? "!" : "", p, member_operand(group, ", ")}));
    Group part;
    part.mask = part.members = members;
    return shuffle(row, part, cat({"@", negated ? "!" : "", p, " "}), random_.chance(50) ? p : predicate());
  }

  // `in_range` is the predicate it may write: its own guard, too.
  bool shuffle(const OpInfo& row, const Group& group, const Text& guarded, const Text& in_range) {
    const Type type = any_type(row.types);
    const bool butterfly = has_trait(row, kSwapped);
    Text target = any_register(type);
    if (random_.chance(50)) target += cat({"|", in_range});
    const Text start =
        cat({guarded, row.mnemonic, ".", warpsim::name(type), " ", target, ", ", any_register(type), ", "});
    if (group.segment > 1 && random_.chance(70)) {
      const unsigned width = 1U << random_.below(static_cast<std::uint64_t>(std::countr_zero(group.segment)) + 1);
      // Past its segment a butterfly reads earlier segments: only where those are in the group.
      const bool any_offset = !butterfly || group.segment == lanes_;
      line(cat({start, offset(any_offset ? 0 : width), tail(row, group, width)}));
      return true;
    }
    sanitised_offset(row, group);
    line(cat({start, "%t0", random_.chance(30) ? tail(row, group, lanes_) : member_operand(group, ", mask=")}));
    return true;
  }
  // The operand b: anything, or anything below `limit`.
  Text offset(unsigned limit) {
    if (random_.chance(50))
      return cat({limit == 0 ? random_.below(lanes_ > 1 && random_.chance(80) ? lanes_ : 70) : random_.below(limit)});
    if (limit == 0) return any_register(Type::U32);
    line(cat({"and.b32 %t1, ", any_register(Type::B32), ", ", limit - 1}));
    return "%t1";
  }
  // The operand c and the member mask, in one of the ways to write them. `clamp` stays inside the segment.
  Text tail(const OpInfo& row, const Group& group, unsigned width) {
    const unsigned index_mask = lanes_ > 32 ? 63 : 31;
    const bool up = has_trait(row, kFromBelow);
    if (random_.chance(50))
      return cat({width == lanes_ && random_.chance(50) ? "" : cat({", width=", width_text(width)}),
                  member_operand(group, ", mask=")});
    const Text all = lanes_ > 32 ? "0xffffffffffffffff" : "0xffffffff";
    unsigned clamp = (index_mask + 1 - width) << 8 | (up ? 0 : index_mask);
    // Any clamp is defined as long as it keeps lanes inside their segment of the group.
    if (random_.chance(40)) clamp = (clamp & ~index_mask) | static_cast<unsigned>(random_.below(index_mask + 1));
    return cat({", ", clamp, ", ", group.mask.empty() ? all : group.mask});
  }
  Text width_text(unsigned width) {
    if (random_.chance(50)) return cat({width});
    return width == lanes_ ? "WARP_SZ" : cat({"WARP_SZ / ", lanes_ / width});
  }
  // Leaves in %t0 an offset that leads every lane to a member of the group, or out of range.
  void sanitised_offset(const OpInfo& row, const Group& group) {
    line(cat({"and.b32 %t0, ", any_register(Type::B32), ", ", lanes_ - 1}));
    const bool up = has_trait(row, kFromBelow), down = has_trait(row, kFromAbove), butterfly = has_trait(row, kSwapped);
    if (up) line("sub.u32 %t1, %laneid, %t0");
    else if (down) line("add.u32 %t1, %laneid, %t0");
    else if (butterfly) line("xor.b32 %t1, %laneid, %t0");
    else line("mov.u32 %t1, %t0");
    line(cat({"shr.mask %tm, ", group.members, ", %t1"}));
    line("and.mask %tm, %tm, 1");
    line("popc.mask %t2, %tm");
    line("setp.ne.u32 %tp, %t2, 0");
    if (up || down) {  // past either end the own value stays
      line("setp.ge.u32 %tq, %t1, WARP_SZ");
      line("or.pred %tp, %tp, %tq");
    }
    line(cat({"selp.u32 %t0, %t0, ", up || down || butterfly ? "0" : "%laneid", ", %tp"}));
  }

  // ---- votes, collectives, barriers
  bool vote(const OpInfo& row, const Group& group) {
    const Type type = any_type(row.types);
    if (row.form == Form::Ballot && type == Type::B32 && lanes_ > 32) return false;
    Text operands;
    for (const Slot& slot : slots(row.form)) {
      const Type t = slot_type(slot.type, type, Type::None);
      if (slot.role == Role::DstPred && slot.when_absent == Default::Absent)
        operands += random_.chance(60) ? cat({"|", predicate()}) : "";
      else if (slot.role != Role::Src) operands += any_register(t);
      else if (slot.when_absent == Default::Required)
        operands += cat({", ", t == Type::Pred && random_.chance(25) ? "!" : "", any_register(t)});
    }
    line(cat({row.mnemonic, random_.chance(20) ? ".sync" : "", ".", warpsim::name(type), " ", operands,
              member_operand(group, ", ")}));
    return true;
  }
  bool active_mask(const OpInfo& row) {
    const Type type = any_type(row.types);
    if (type == Type::B32 && lanes_ > 32) return false;
    line(cat({row.mnemonic, ".", warpsim::name(type), " ", any_register(type)}));
    return true;
  }
  bool collective(const OpInfo& row, const Group& group) {
    if (!group.whole_warp || (row.lift == Lift::Reduce && !group.complete) || !group.packed) return false;
    const Type type = any_type(row.types);
    Text operands = cat({any_register(type), ", ", any_register(type)});
    // Lane 0 lives wherever the warp does; any lane does in a complete warp.
    if (row.form == Form::Bcast && random_.chance(70))
      operands += cat({", ", group.complete ? random_.below(lanes_) : 0});
    line(cat({row.mnemonic, modifiers(row, type), ".", warpsim::name(type), " ", operands}));
    return true;
  }
  bool barrier(const OpInfo& row, const Group& group) {
    if (row.form == Form::Warp) {
      line(cat({row.mnemonic, random_.chance(50) ? ".sync" : "", member_operand(group, " ")}));
      return true;
    }
    if (!group.whole_block) return false;
    if (row.form == Form::BarRed) {
      const Type type = any_type(row.types);
      line(cat({row.mnemonic, ".", warpsim::name(type), " ", any_register(type), ", ",
                random_.below(kFirstCountedBarrier), ", ", random_.chance(30) ? "!" : "", predicate()}));
      return true;
    }
    if (exits_ == 0 && next_barrier_ < 16 && complete_warps_ && threads_ > lanes_ && random_.chance(40))
      return counted_barrier(row);
    line(cat({row.mnemonic, ".sync ", random_.below(kFirstCountedBarrier)}));
    return true;
  }
  // Some of the warps meet at a barrier of their own, which nothing else uses.
  bool counted_barrier(const OpInfo& row) {
    const std::uint64_t warps = 1 + random_.below(threads_ / lanes_);
    const Text p = fresh("%q"), past = fresh("L");
    line(cat({"setp.ge.u32 ", p, ", %bl, ", warps, " * WARP_SZ"}));
    line(cat({"@", p, " bra ", past}));
    line(cat({row.mnemonic, ".sync ", next_barrier_++, ", ", warps, " * WARP_SZ"}));
    label(past);
    return true;
  }

  // Every thread writes its own word, all meet, every thread reads another's.
  bool exchange_in_block() {
    const Type type = random_.pick(shared_types_);
    const Text array = cat({"s_", warpsim::name(type)}), element = Text(warpsim::name(type));
    line(cat({guard(20), "st.shared.", element, " ", array, "[%bl], ", any_register(type)}));
    line("bar.sync 0");
    if (random_.chance(25)) {
      const std::uint64_t k = random_.below(threads_);
      const Text place = random_.chance(50)
                             ? cat({array, "[", k, "]"})
                             : cat({"[", array, " + ", k * static_cast<std::uint64_t>(bits(type) / 8), "]"});
      line(cat({guard(20), "ld.shared.", element, " ", any_register(type), ", ", place}));
    }
    line(cat({"add.u32 %t0, %bl, ", random_.below(threads_)}));
    line(cat({"rem.u32 %t0, %t0, ", threads_}));
    const Text place = shared_place(array, bits(type) / 8, "%t0");
    line(cat({guard(20), "ld.shared.", element, " ", any_register(type), ", ", place}));
    line("bar.sync 0");
    return true;
  }
  Text shared_place(const Text& array, int size, const Text& index) {
    if (random_.chance(60)) return cat({array, "[", index, "]"});
    line(cat({"mov.u32 %t2, ", array}));
    line(cat({"mad.lo.u32 %t2, ", index, ", ", size, ", %t2"}));
    return "[%t2]";
  }
  // The same inside a warp: lanes of whole segments, between two meetings of the group.
  bool exchange_in_warp(const Group& group) {
    if (group.segment < 2) return false;
    const Type type = random_.pick(shared_types_);
    const Text array = cat({"s_", warpsim::name(type)}), meet = cat({"bar.warp.sync", member_operand(group, " ")});
    line(meet);
    line(cat({"st.shared.", warpsim::name(type), " ", array, "[%bl], ", any_register(type)}));
    line(meet);
    line(cat({"xor.b32 %t0, %bl, ", random_.below(group.segment)}));
    // A block's warps start at multiples of the lane count, so the lowest bits of %bl are those of the lane.
    line(cat({"ld.shared.", warpsim::name(type), " ", any_register(type), ", ",
              shared_place(array, bits(type) / 8, "%t0")}));
    line(meet);
    return true;
  }

  // ---- branches
  // Writes a condition into a register of its own and says what the two sides' groups are.
  struct Split {
    Text p;
    Group yes, no;
  };
  Split split(const Group& group) {
    Split s{fresh("%q"), group, group};
    const std::uint64_t roll = random_.below(100);
    if (roll < 20) {  // the same for the whole block
      line(cat({"setp.lt.u32 ", s.p, ", %ctaid.x, ", random_.below(3)}));
      return s;
    }
    s.yes.whole_block = s.no.whole_block = false;
    if (roll < 30) {  // the same for the whole warp
      line(cat({"setp.lt.u32 ", s.p, ", %bl, ", random_.below(3), " * WARP_SZ"}));
      return s;
    }
    s.yes.whole_warp = s.no.whole_warp = s.yes.complete = s.no.complete = s.yes.packed = s.no.packed = false;
    if (roll < 42 && group.complete && group.mask.empty()) {
      literal_split(s);
      return s;
    }
    if (roll < 62 && group.segment > 1) {  // whole segments go the same way
      const unsigned bit = 1U << random_.below(static_cast<std::uint64_t>(std::countr_zero(group.segment)));
      line(cat({"and.b32 %t0, %laneid, ", bit}));
      line(cat({"setp.ne.u32 ", s.p, ", %t0, 0"}));
      s.yes.segment = s.no.segment = bit;
    } else {
      line(cat({"mov.pred ", s.p, ", ", predicate()}));
      s.yes.segment = s.no.segment = 1;
    }
    s.yes.mask = s.yes.members = fresh("%g");
    s.no.mask = s.no.members = fresh("%g");
    line(cat({"vote.ballot.mask ", s.yes.members, ", ", s.p, member_operand(group, ", ")}));
    line(cat({"not.mask ", s.no.members, ", ", s.yes.members}));
    line(cat({"and.mask ", s.no.members, ", ", s.no.members, ", ", group.members}));
    if (lanes_ <= 32 && random_.chance(25)) {  // the same set in a plain 32-bit register
      s.yes.mask = fresh("%w");
      line(cat({"vote.ballot.b32 ", s.yes.mask, ", ", s.p, member_operand(group, ", ")}));
    }
    return s;
  }
  // Lanes that a literal names, and the others.
  void literal_split(Split& s) {
    const std::uint64_t all = low_bits(static_cast<int>(lanes_)), yes = random_.next() & all;
    for (Group* side : {&s.yes, &s.no}) {
      side->mask = cat({"0x", hex_text(side == &s.yes ? yes : all & ~yes, 1)});
      side->members = fresh("%g");
      side->segment = 1;
      line(cat({"mov.mask ", side->members, ", ", side->mask}));
    }
    line(cat({"shr.mask %tm, ", s.yes.members, ", %laneid"}));
    line("and.mask %tm, %tm, 1");
    line("popc.mask %t0, %tm");
    line(cat({"setp.ne.u32 ", s.p, ", %t0, 0"}));
  }

  void branch(Group& group, int depth) {
    Split s = together([&] { return split(group); });
    const Text otherwise = fresh("L"), end = fresh("L");
    const unsigned exits_before = exits_;
    const bool has_else = random_.chance(60);
    // A warp barrier may be met at two lines: each side has its own, for all lanes of both.
    const bool barrier_in_both = has_else && random_.chance(15);
    const Text meet = cat({"bar.warp.sync", member_operand(group, " ")});
    line(cat({"@!", s.p, " bra ", has_else ? otherwise : end}));
    if (barrier_in_both) line(meet);
    statements(s.yes, 1 + random_.below(6), depth + 1);
    if (has_else) {
      line(cat({"bra", random_.chance(30) ? ".uni " : " ", end}));
      label(otherwise);
      if (barrier_in_both) line(meet);
      statements(s.no, 1 + random_.below(6), depth + 1);
    }
    label(end);
    if (exits_ != exits_before) without_exited(group);
  }
  // After lanes have exited on the way here: who is left? Masks may go on naming those that are gone.
  void without_exited(Group& group) {
    group.members = fresh("%g");
    line(cat({"vote.ballot.mask ", group.members, ", %always", member_operand(group, ", ")}));
    if (!group.mask.empty() && random_.chance(50)) group.mask = group.members;
    group.segment = 1;
    group.complete = group.packed = false;
  }

  // Jumps forward into the middle of each other: no if and no else, only branches. All meet at the end.
  void tangle(Group& group) {
    std::vector<Text> labels;
    for (std::uint64_t k = 3 + random_.below(4); k > 0; --k) labels.push_back(fresh("L"));
    const unsigned exits_before = exits_;
    for (std::size_t k = 0; k < labels.size(); ++k) {
      label(labels[k]);
      if (k + 1 == labels.size()) break;
      for (std::uint64_t n = random_.below(3); n > 0; --n) lane_instruction();
      const std::size_t to = k + 1 + random_.below(labels.size() - k - 1);
      line(cat(
          {random_.chance(85) ? cat({"@", random_.chance(50) ? "!" : "", predicate(), " "}) : "", "bra ", labels[to]}));
      if (loops_around_ == 0 && exits_ < 2 && random_.chance(5)) {
        ++exits_;
        line(cat({"@", predicate(), " exit"}));
      }
    }
    if (exits_ != exits_before) without_exited(group);
  }
  // One that a lane executes by itself.
  void lane_instruction() {
    Group nobody;
    for (int tries = 0; tries < 20; ++tries) {
      const OpInfo& row = all_ops()[random_.below(all_ops().size())];
      const bool alone = is_lanewise(row.lift) || row.lift == Lift::Load || row.lift == Lift::Store ||
                         row.lift == Lift::LoadParam || row.lift == Lift::Atomic || row.lift == Lift::Nothing;
      if (alone && together([&] { return emit(row, nobody); })) return;
    }
  }

  void loop(Group& group, int depth) {
    ++loops_around_;
    loop_text(group, depth);
    --loops_around_;
  }
  void loop_text(Group& group, int depth) {
    const Text count = fresh("%k"), p = fresh("%q"), begin = fresh("L"), end = fresh("L");
    if (random_.chance(50)) {  // as often for every lane
      line(cat({"mov.u32 ", count, ", ", 1 + random_.below(4)}));
      label(begin);
      statements(group, 1 + random_.below(5), depth + 1);
      line(cat({"sub.u32 ", count, ", ", count, ", 1"}));
      line(cat({"setp.ne.u32 ", p, ", ", count, ", 0"}));
      line(cat({"@", p, " bra ", begin}));
      return;
    }
    Group inside;
    inside.mask = inside.members = fresh("%g");
    line(cat({"and.b32 ", count, ", ", any_register(Type::B32), ", 3"}));
    line(cat({"mov.mask ", inside.mask, ", ", group.members}));
    label(begin);
    line(cat({"setp.eq.u32 ", p, ", ", count, ", 0"}));
    leave(inside, p, end);
    statements(inside, 1 + random_.below(4), depth + 1);
    if (random_.chance(30)) {  // break
      line(cat({"mov.pred ", p, ", ", predicate()}));
      leave(inside, p, end);
      statements(inside, 1 + random_.below(2), depth + 1);
    }
    line(cat({"sub.u32 ", count, ", ", count, ", 1"}));
    line(cat({"bra ", begin}));
    label(end);
  }
  // The lanes where p holds go on at `to`; the group's mask becomes the others.
  void leave(const Group& group, const Text& p, const Text& to) {
    line(cat({"vote.ballot.mask ", group.mask, ", !", p, ", ", group.mask}));
    line(cat({"@", p, " bra ", to}));
  }

  bool early_exit(Group& group) {
    ++exits_;
    const Text p = fresh("%q"), members = fresh("%g");
    if (random_.chance(50)) {  // as a size guard does it: the living lanes of a whole warp stay packed
      line(cat({"setp.ge.u32 ", p, ", %gl, ", random_.below(total_ + 1)}));
    } else {
      line(cat({"mov.pred ", p, ", ", predicate()}));
      group.packed = false;
    }
    line(cat({"vote.ballot.mask ", members, ", !", p, member_operand(group, ", ")}));
    line(cat({"@", p, " exit"}));
    group.members = members;
    if (!group.mask.empty() && random_.chance(50)) group.mask = members;
    group.segment = 1;
    group.complete = false;
    return true;
  }

  Random random_;
  Limits limits_;
  RandomProgram program_;
  unsigned lanes_ = 32, threads_ = 32, total_ = 32;  // threads_ of a block, total_ of the grid
  bool complete_warps_ = true, linear_ = true;
  std::size_t fills_begin_ = 0, fills_end_ = 0;  // lines that fill the pools
  unsigned exits_ = 0;                           // instructions written so far that end lanes
  unsigned loops_around_ = 0;  // in a loop lanes do not exit: what was written before would run again without them
  std::vector<RegClass> declared_;
  std::vector<Text> shared_sums_;  // atomics that have elements of `sums`
  std::vector<Type> shared_types_ = {Type::U32, Type::F64, Type::F16};
  unsigned next_name_ = 0, next_barrier_ = kFirstCountedBarrier;
};

}  // namespace

std::string RandomParam::text() const {
  return cat({kind, " ", name, ": ", warpsim::name(type), kind == "param" ? "" : cat({"[", length, "]"})});
}

std::string RandomProgram::text() const {
  std::string all = cat({"// random program, seed ", seed, ": ", launch(), "\n.kernel random_program (\n"});
  for (std::size_t k = 0; k < params.size(); ++k)
    all += cat({"    ", params[k].text(), k + 1 < params.size() ? ",\n" : ""});
  all += ")\n";
  for (const std::string& one : lines) all += one + "\n";
  return all;
}

std::string RandomProgram::launch() const {
  const auto dim = [](const Dim3& d) { return cat({d.x, "x", d.y, "x", d.z}); };
  return cat({lanes, " lanes, grid ", dim(grid), ", block ", dim(block)});
}

RandomProgram random_program(std::uint64_t seed, const Limits& limits) { return Writer(seed, limits).write(); }

}  // namespace warpsim::reference
