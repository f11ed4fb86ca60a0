#include "sim/code/decode.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "isa/kernels/kernels.h"
#include "isa/program/program_facts.h"
#include "isa/program/reads_writes.h"
#include "isa/table/op.h"
#include "isa/table/special.h"
#include "isa/text/check.h"
#include "isa/text/number_text.h"
#include "sim/code/lane_ops.h"
#include "sim/code/lane_steps.h"
#include "sim/launch/launch_limits.h"
#include "sim/launch/residency.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kReservedAlignment = 128;

// Barriers of cooperative groups of several warps lie there.
bool finds_reserved_shared(const Program& program) {
  const auto is_place = [](const Operand& o) {
    return o.kind == Operand::Kind::Special && o.special >= Special::ReservedSmemOffsetBegin &&
           o.special <= Special::ReservedSmemOffset1;
  };
  return std::any_of(program.code.begin(), program.code.end(), [&](const Insn& insn) {
    return std::any_of(insn.operands.begin(), insn.operands.end(), is_place);
  });
}

// Builds the register block's layout and the decoded instructions of one launch.
class Decoder {
 public:
  Decoder(const Program& program, const LaunchConfig& config, const Binding& binding)
      : program_(program),
        binding_(binding),
        dynamic_shared_(config.dynamic_shared_bytes),
        block_(config.block),
        places_(config.keeps_state ? places_alone(program)
                : program.facts    ? program.facts->places
                                   : register_places(program)) {
    code_.lanes = config.lanes;
    code_.width = storage_width(config.lanes);
  }

  std::variant<Code, LaunchError> run() {
    lay_out_registers();
    code_.register_bytes = code_.block_template.size();
    lay_out_shared();
    code_.params = binding_.passed.empty() ? bytes_passed(program_, binding_) : binding_.passed;
    for (std::size_t reg = 0; reg < program_.registers.size() && !error_; ++reg) place_copy(reg);
    for (std::int32_t pc = 0; !program_.routines.empty() && pc < static_cast<std::int32_t>(program_.code.size()); ++pc)
      code_.routine_of.push_back(static_cast<std::int32_t>(program_.routine_at(pc) - program_.routines.data()));
    if (program_.frame_register >= 0)
      code_.frame_row = code_.register_offset[static_cast<std::size_t>(program_.frame_register)];
    const Cfg cfg = build_cfg(program_);
    code_.insns.resize(program_.code.size());
    for (std::size_t pc = 0; pc < program_.code.size() && !error_; ++pc)
      decode_insn(static_cast<std::int32_t>(pc), cfg);
    if (error_) return *error_;
    return std::move(code_);
  }

 private:
  void fail(std::string code, SourceRange where, std::string message, std::string hint) {
    if (!error_) error_ = LaunchError{std::move(code), std::move(message), std::move(hint), where};
  }

  Type bound(Type t) const { return t != Type::Mask ? t : code_.lanes > 32 ? Type::B64 : Type::B32; }

  // ---- layout
  std::uint32_t grow(std::size_t bytes) {
    const std::size_t offset = code_.block_template.size();
    code_.block_template.resize(offset + aligned(bytes, 64));
    return static_cast<std::uint32_t>(offset);
  }
  std::uint32_t grow_row(bool wide) { return grow(std::size_t{code_.width} * (wide ? 8 : 4)); }

  std::uint32_t next_word() {  // of a predicate, eight to a row
    if (next_word_ % 64 == 0) next_word_ = grow(64);
    return std::exchange(next_word_, next_word_ + static_cast<std::uint32_t>(sizeof(LaneMask)));
  }

  void lay_out_registers() {
    std::vector<std::uint32_t> offset_of_place(places_.with.size(), kNoOffset);
    for (const Register& r : program_.registers) {
      const std::size_t reg = code_.register_offset.size();
      const bool wide = r.cls == RegClass::R64 || (r.cls == RegClass::Mask && code_.lanes > 32);
      code_.register_wide.push_back(wide);
      std::uint32_t& offset = offset_of_place[static_cast<std::size_t>(places_.with[reg])];
      if (offset == kNoOffset && !lies_with_source(reg))  // those come later: place_copy
        offset = r.cls == RegClass::Pred ? next_word() : grow_row(wide);
      code_.register_offset.push_back(offset);
    }
  }

  bool lies_with_source(std::size_t reg) const {
    const std::int32_t pc = places_.copy_at[reg];
    if (pc < 0) return false;
    const Type type = program_.code[static_cast<std::size_t>(pc)].type;
    return code_.register_wide[reg] == (bits(bound(type)) == 64);
  }

  // A register that holds a copy of what never changes lies where that lies.
  void place_copy(std::size_t reg) {
    if (code_.register_offset[reg] != kNoOffset) return;
    const Insn& insn = program_.code[static_cast<std::size_t>(places_.copy_at[reg])];
    const Operand& from = insn.operands[1];
    const Type type = bound(insn.type);
    if (from.kind == Operand::Kind::Reg) place_copy(static_cast<std::size_t>(from.reg));
    code_.register_offset[reg] = info(insn.op).lift == Lift::LoadParam ? param_row(from, type) : source_row(from, type);
  }

  void lay_out_shared() {
    const std::vector<Object> objects = program_.objects_of_launch(binding_.kernel);
    const std::vector<std::uint64_t> offsets = shared_offsets(objects, code_.lanes);
    for (std::size_t k = 0; k < objects.size(); ++k) {
      const Object& s = objects[k];
      const std::uint64_t offset = offsets[k];  // meaningless after an array that is refused
      const std::int64_t length = s.length.evaluate(code_.lanes);
      const std::uint64_t size = length < 0
                                     ? kMostSharedBytes + 1
                                     : static_cast<std::uint64_t>(length) * static_cast<std::uint64_t>(bytes(s.type));
      if (s.space != AddressSpace::Shared || s.is_dynamic) {
        code_.shared.push_back({static_cast<std::uint32_t>(offset), s.is_dynamic ? dynamic_shared_ : 0, s.type});
        continue;
      }
      if (length < 0 || static_cast<std::uint64_t>(length) > kMostSharedBytes || offset + size > kMostSharedBytes) {
        fail("L020", s.where,
             "shared array '" + s.name + "' has " + std::to_string(length) + " elements of " +
                 std::to_string(bytes(s.type)) + " bytes at " + counted(code_.lanes, "lane") + "; a block has " +
                 std::to_string(kMostSharedBytes) + " bytes of shared memory",
             "make the array smaller");
        return;
      }
      code_.shared.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(size), s.type});
    }
    if (dynamic_shared_ > kMostSharedBytes - offsets.back()) {
      return fail("L020", {},
                  "the launch asks for " + counted(dynamic_shared_, "byte") + " of dynamic shared memory beside the " +
                      std::to_string(offsets.back()) + " that the kernel declares; a block has " +
                      std::to_string(kMostSharedBytes),
                  "ask for less");
    }
    code_.own_shared_bytes = static_cast<std::uint32_t>(offsets.back()) + dynamic_shared_;
    code_.shared_bytes = code_.own_shared_bytes;
    if (finds_reserved_shared(program_))
      code_.shared_bytes =
          static_cast<std::uint32_t>(aligned(code_.own_shared_bytes, kReservedAlignment)) + kReservedSharedBytes;
  }

  // ---- constants and specials, each stored once
  std::uint32_t constant_row(std::uint64_t value, bool wide) {
    const auto [it, is_new] = constants_.try_emplace({value, wide}, 0);
    if (!is_new) return it->second;
    const std::uint32_t offset = grow_row(wide);
    for (unsigned l = 0; l < code_.width; ++l) {
      if (wide) row<std::uint64_t>(code_.block_template.data(), offset)[l] = value;
      else row<std::uint32_t>(code_.block_template.data(), offset)[l] = static_cast<std::uint32_t>(value);
    }
    return it->second = offset;
  }
  std::uint32_t constant_word(bool value) {
    std::uint32_t& offset = value ? true_word_ : false_word_;
    if (offset == kNoOffset) {
      offset = grow(64);
      word(code_.block_template.data(), offset) = value ? ~LaneMask{0} : 0;
    }
    return offset;
  }
  std::uint32_t special_row(Special s, bool wide) {
    const auto [it, is_new] = specials_.try_emplace({s, wide}, 0);
    if (!is_new) return it->second;
    const std::uint32_t offset = grow_row(wide);
    code_.specials.push_back({s, offset, wide, step_of(s, block_, code_.lanes)});
    return it->second = offset;
  }

  // ---- operands
  std::uint64_t immediate_bits(const Operand& o, Type type) const {
    switch (o.kind) {
      case Operand::Kind::BitsImm: return o.float_bits;
      case Operand::Kind::FloatImm: return softfloat::literal(type, o.float_bits);
      case Operand::Kind::Param:
      case Operand::Kind::BufferAddr: return bound_to(o.param);
      case Operand::Kind::ObjectAddr: return code_.shared[static_cast<std::size_t>(o.object)].offset_bytes;
      default: return static_cast<std::uint64_t>(o.expr.evaluate(code_.lanes));
    }
  }
  // Of a parameter that an instruction reads: its bits, or so many bytes of it from a place on.
  std::uint64_t param_bits(const Operand& o, Type type) const {
    const Param& p = program_.params[static_cast<std::size_t>(o.param)];
    const std::int64_t offset = o.expr.empty() ? 0 : o.expr.evaluate(code_.lanes);
    if (offset == 0 && p.value_bytes == 0 && bytes(type) <= static_cast<int>(p.size_bytes()))
      return bound_to(o.param) & ~std::uint64_t{0} >> (64 - bits(type));
    std::uint64_t value = 0;
    for (std::int64_t k = 0; k < bytes(type); ++k) {
      const std::uint64_t at = p.offset_bytes + static_cast<std::uint64_t>(offset + k);
      if (at < code_.params.size()) value |= std::to_integer<std::uint64_t>(code_.params[at]) << 8 * k;
    }
    return value;
  }
  std::uint32_t param_row(const Operand& o, Type type) {
    const bool wide = bits(type) == 64;
    const std::uint64_t value = param_bits(o, type);
    return constant_row(wide ? value : in_register(type, value) & 0xffffffffU, wide);
  }
  std::uint64_t bound_to(std::int32_t param) const { return binding_.params[static_cast<std::size_t>(param)]; }

  std::uint32_t source_row(const Operand& o, Type type) {
    const bool wide = bits(type) == 64;
    if (o.kind == Operand::Kind::Reg) {
      const std::size_t reg = static_cast<std::size_t>(o.reg);
      if (code_.register_wide[reg] != wide) mask_width_error(o, reg);
      return code_.register_offset[reg];
    }
    if (o.kind == Operand::Kind::Special) {
      if (info(o.special).type == Type::Mask && wide != (code_.lanes > 32)) {
        fail("L021", o.where,
             "'" + std::string(name(o.special)) + "' has " + (code_.lanes > 32 ? "64" : "32") + " bits at " +
                 counted(code_.lanes, "lane"),
             "give the instruction that reads it the type .mask, which fits every lane count");
      }
      return special_row(o.special, wide);
    }
    const std::uint64_t value = immediate_bits(o, type);
    return constant_row(wide ? value : value & (bits(type) <= 16 ? 0xffffU : 0xffffffffU), wide);
  }
  // The assembler has checked classes; what is left is a `.b32` register where 64 lanes need a 64-bit mask, or the
  // reverse.
  void mask_width_error(const Operand& o, std::size_t reg) {
    fail("L021", o.where,
         "'" + program_.registers[reg].name + "' is a " + std::string(name(program_.registers[reg].cls)) + ", but at " +
             counted(code_.lanes, "lane") + " a set of lanes has " + (code_.lanes > 32 ? "64" : "32") + " bits",
         "give the instructions that use it the type .mask, which fits every lane count; a match takes the register's");
  }

  void decode_source(DecodedInsn& d, const Insn& insn, const Slot& slot, const Operand& o, int source_number) {
    if (slot.type == SlotType::Mask) {
      if (o.kind == Operand::Kind::None) return;
      d.member_mask = source_row(o, bound(Type::Mask));
      d.names_all = code_.lanes == 32 && constant_in(d.member_mask) == ~0U;
      return;
    }
    if (!has_slot(slot, d.mods)) return;
    if (slot.type == SlotType::Pred || (slot.type == SlotType::T && d.type == Type::Pred)) {
      decode_predicate_source(d, insn, o, source_number);
      return;
    }
    const Type type = slot_type(slot.type, d.type, d.type2);
    std::uint32_t offset = kNoOffset;
    if (o.kind == Operand::Kind::None) {
      if (slot.when_absent == Default::Zero) offset = constant_row(0, bits(type) == 64);
      if (slot.when_absent == Default::FullWidth)
        offset = constant_row(shuffle_clamp(d.mode, code_.lanes, code_.lanes), false);
    } else if (o.kind == Operand::Kind::Width) {
      const std::int64_t width = o.expr.evaluate(code_.lanes);
      if (width < 1 || width > code_.lanes || (width & (width - 1)) != 0) {
        fail("L022", o.where, "a shuffle of width " + std::to_string(width) + " on " + counted(code_.lanes, "lane"),
             "the width is a power of two from 1 to the number of lanes");
        return;
      }
      offset = constant_row(shuffle_clamp(d.mode, static_cast<unsigned>(width), code_.lanes), false);
    } else {
      offset = source_row(o, type);
    }
    source(d, source_number) = offset;
    if (source_number == 1 && o.kind == Operand::Kind::Imm)
      d.literal = literal_of(d.op, d.type, o.expr.evaluate(code_.lanes));
  }
  static std::uint32_t& source(DecodedInsn& d, int number) {
    return number == 0 ? d.a : number == 1 ? d.b : number == 2 ? d.c : d.d;
  }

  void decode_predicate_source(DecodedInsn& d, const Insn& insn, const Operand& o, int source_number) {
    std::uint32_t offset = kNoOffset;
    if (o.kind == Operand::Kind::Reg) offset = code_.register_offset[static_cast<std::size_t>(o.reg)];
    else offset = constant_word(immediate_bits(o, Type::U32) != 0);
    const bool is_p = info(insn.op).form == Form::DABP || d.lift == Lift::Vote || d.lift == Lift::Bits ||
                      d.lift == Lift::Compare || d.lift == Lift::BarrierReduce;
    if (is_p) {
      d.p = offset;
      d.p_flip = o.negated ? ~LaneMask{0} : 0;
    } else source(d, source_number) = offset;
  }

  void decode_address(DecodedInsn& d, const Operand& o) {
    d.index_bias = o.expr.empty() ? 0 : o.expr.evaluate(code_.lanes);
    if (o.kind == Operand::Kind::Element) {
      d.object = o.param >= 0 ? o.param : o.object;
      d.scale =
          static_cast<std::uint32_t>(bytes(o.param >= 0 ? program_.params[static_cast<std::size_t>(o.param)].type
                                                        : program_.objects[static_cast<std::size_t>(o.object)].type));
    }
    if (o.param >= 0) d.base = bound_to(o.param);
    if (o.object >= 0) d.base = code_.shared[static_cast<std::size_t>(o.object)].offset_bytes;
    if (o.reg >= 0) {
      d.index_wide = code_.register_wide[static_cast<std::size_t>(o.reg)];
      d.index = code_.register_offset[static_cast<std::size_t>(o.reg)];
    } else if (o.special_index >= 0) {
      d.index = special_row(static_cast<Special>(o.special_index), false);
    } else if (d.space == AddressSpace::Shared && d.object < 0 && d.index_bias >= 0 &&
               d.index_bias <= std::int64_t{kMostSharedBytes}) {
      // As a pointer that is alike in all lanes.
      d.index_bias += static_cast<std::int64_t>(std::exchange(d.base, 0));
      d.index = constant_row(0, false);
    }
  }

  // ---- one instruction
  void decode_insn(std::int32_t pc, const Cfg& cfg) {
    const Insn& insn = program_.code[static_cast<std::size_t>(pc)];
    const OpInfo& row_info = info(insn.op);
    DecodedInsn& d = code_.insns[static_cast<std::size_t>(pc)];
    d.pc = pc;
    d.op = insn.op;
    d.lift = row_info.lift;
    d.type = bound(insn.type);
    d.type2 = bound(insn.type2);
    d.mods = insn.mods;
    d.space = space_of(row_info, insn.mods);
    if (d.lift == Lift::Shuffle) d.mode = shuffle_mode(insn.op);
    if (insn.guard.reg >= 0) {
      d.guard = code_.register_offset[static_cast<std::size_t>(insn.guard.reg)];
      d.guard_flip = insn.guard.negated ? ~LaneMask{0} : 0;
    }
    decode_operands(d, insn, row_info);
    if (error_) return;
    decode_lift(d, insn, cfg);
    d.is_in_place = is_copy(insn) && d.type != Type::Pred && d.dst == d.a && d.dst != kNoOffset;
  }

  void decode_lift(DecodedInsn& d, const Insn& insn, const Cfg& cfg) {
    switch (d.lift) {
      case Lift::Lane:
      case Lift::Compare:
      case Lift::Bits: {
        const LaneOp op = lane_ops().lane_op(d.op, d.type, d.mods, code_.width);
        WARPSIM_CHECK(op.full.alone != nullptr && op.masked != nullptr);
        d.masked = op.masked;
        d.fast = insn.guard.reg < 0 ? op.full : guarded_op(code_.width);
        d.reads_clock =
            insn.op == Op::Mov && insn.operands[1].kind == Operand::Kind::Special && is_clock(insn.operands[1].special);
        if (d.reads_clock) {
          d.clock = insn.operands[1].special;
          d.fast = {};  // it must know its cycle
        }
        break;
      }
      case Lift::Shuffle: decode_shuffle(d); break;
      case Lift::LoadParam: decode_load_param(d, insn); break;
      case Lift::Load:
      case Lift::Store: d.access = lane_ops().access(d.lift, d.type, code_.width); break;
      case Lift::Atomic:
        // Where lanes go is found alike for all types.
        if (bits(d.type) >= 32) d.access.span = lane_ops().access(Lift::Load, Type::U32, code_.width).span;
        if (d.space == AddressSpace::Generic) d.shared_op = shared_row(d.op);
        break;
      case Lift::Copy: decode_copy(d, insn); break;
      case Lift::Branch: d.reconvergence = cfg.reconvergence_pc(d.pc); break;
      case Lift::Barrier:
      case Lift::BarrierReduce: code_.counts_arrivals = code_.counts_arrivals || d.b != kNoOffset; break;
      default: break;
    }
  }

  void decode_operands(DecodedInsn& d, const Insn& insn, const OpInfo& row_info) {
    const auto form = slots(row_info.form);
    int source_number = 0;
    for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
      const Operand& o = insn.operands[k];
      switch (form[k].role) {
        case Role::Dst: {
          if (o.kind == Operand::Kind::None) break;  // `_`
          const std::size_t reg = static_cast<std::size_t>(o.reg);
          const Type type = bound(slot_type(form[k].type, d.type, d.type2));
          // Sets of lanes have 64 bits at 64 lanes; losing half of them silently would be a wrong answer.
          if (code_.lanes > 32 && insn.type == Type::B32 &&
              (row_info.form == Form::Ballot || row_info.form == Form::D)) {
            mask_width_error(o, reg);
          }
          const bool wide = bits(type) == 64;
          if (program_.registers[reg].cls != RegClass::Pred && code_.register_wide[reg] != wide)
            mask_width_error(o, reg);
          if (form[k].in_braces) d.element[d.elements++] = code_.register_offset[reg];
          else d.dst = code_.register_offset[reg];
          break;
        }
        case Role::DstPred:
          if (o.kind != Operand::Kind::Reg) break;
          (form[k].when_absent == Default::Required ? d.dst : d.dst_pred) =
              code_.register_offset[static_cast<std::size_t>(o.reg)];
          break;
        case Role::Src:
          if (form[k].in_braces) d.element[d.elements++] = source_row(o, slot_type(form[k].type, d.type, d.type2));
          else decode_source(d, insn, form[k], o, source_number++);
          break;
        case Role::Addr:
          if (d.lift != Lift::LoadParam)
            decode_address(space_of(row_info, form[k]) == row_info.space ? d : source_of(d), o);
          break;
        case Role::Label: d.target = o.target; break;  // of brx.idx a table
      }
    }
  }

  DecodedInsn& source_of(DecodedInsn& d) {
    d.source = static_cast<std::int32_t>(code_.copy_sources.size());
    DecodedInsn& source = code_.copy_sources.emplace_back();
    source.pc = d.pc;
    source.op = d.op;
    source.lift = Lift::Load;
    source.space = AddressSpace::Global;
    return source;
  }

  // In elements of the arrays, where they are named and have at most four elements a lane there.
  void decode_copy(DecodedInsn& d, const Insn& insn) {
    const unsigned size = static_cast<unsigned>(insn.operands[2].expr.evaluate(code_.lanes));
    DecodedInsn& source = code_.copy_sources[static_cast<std::size_t>(d.source)];
    const unsigned to = d.object < 0 ? 4 : std::min(std::max(d.scale, size / 4), size);
    const unsigned from = source.object < 0 ? 4 : std::min(source.scale, size);
    d.type = untyped_of(static_cast<int>(to) * 8);
    d.elements = static_cast<std::uint8_t>(size / to);
    source.type = untyped_of(static_cast<int>(from) * 8);
    source.elements = static_cast<std::uint8_t>(size / from);
  }

  // ld.param is a move from a constant.
  void decode_load_param(DecodedInsn& d, const Insn& insn) {
    for (const Operand& o : insn.operands) {
      if (o.kind == Operand::Kind::Reg || o.param < 0) continue;
      d.a = param_row(o, d.type);
    }
    const LaneOp op = lane_ops().lane_op(Op::Mov, bits(d.type) == 64 ? Type::B64 : Type::B32, Mods{}, code_.width);
    d.masked = op.masked;
    d.fast = insn.guard.reg < 0 ? op.full : guarded_op(code_.width);
  }

  // What stands in a row of 32-bit words that never changes; none: it may change.
  std::optional<std::uint32_t> constant_in(std::uint32_t offset) const {
    if (!code_.is_constant(offset)) return std::nullopt;
    return row<std::uint32_t>(static_cast<const std::byte*>(code_.block_template.data()), offset)[0];
  }

  // Whether the segments of a shuffle lie within the warp.
  bool is_within(ShuffleMode mode, std::uint32_t c) const {
    if (code_.lanes == code_.width) return true;
    for (unsigned width = 1; width <= code_.lanes; width *= 2)
      if (c == shuffle_clamp(mode, width, code_.lanes)) return true;
    return false;
  }

  // A shuffle of a complete warp, with a segment that never changes, needs no test of which lanes participate.
  void decode_shuffle(DecodedInsn& d) {
    const std::optional<std::uint32_t> c = constant_in(d.c), b = constant_in(d.b);
    if (!d.names_all || d.guard != kNoOffset || !c || !is_within(d.mode, *c)) return;
    if (!b) {
      d.fast = lane_ops().shuffle_variable(d.mode, d.type, code_.width);
      return;
    }
    const std::uint32_t table = grow_row(false);
    LaneMask is_xor = 0;
    for (unsigned l = 0; l < code_.width; ++l) {
      const ShuffleSource s = shuffle_source(d.mode, l, *b, *c, lane_index_mask(code_.lanes));
      row<std::uint32_t>(code_.block_template.data(), table)[l] = s.lane;
      if (s.in_range) d.in_range |= lane_bit(l);
      if ((s.lane ^ l) == (*b & 31)) is_xor |= lane_bit(l);
    }
    d.table = table;
    if (code_.lanes == 32 && is_xor == full_mask(32)) d.xor_lanes = static_cast<std::uint8_t>(*b & 31);
    d.fast = lane_ops().shuffle_constant(d.type, code_.width);
  }

  const Program& program_;
  const Binding& binding_;
  std::uint32_t dynamic_shared_;
  Dim3 block_;
  RegisterPlaces places_;
  std::uint32_t next_word_ = 0;
  Code code_;
  std::optional<LaunchError> error_;
  std::map<std::pair<std::uint64_t, bool>, std::uint32_t> constants_;
  std::map<std::pair<Special, bool>, std::uint32_t> specials_;
  std::uint32_t true_word_ = kNoOffset, false_word_ = kNoOffset;
};

}  // namespace

std::variant<Code, LaunchError> decode(const Program& program, const LaunchConfig& config, const Binding& binding) {
  return Decoder(program, config, binding).run();
}

}  // namespace warpsim
