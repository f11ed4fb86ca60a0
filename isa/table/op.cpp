// The instruction table as data, the operand slots of each form, and the checks that refuse a wrong row.
//
// Shapes: kOps is indexed by Op; kSlots by Form.
// Units:  none.
// Errors: a wrong row fails the build with a message that names it.
// Source: isa/table/instructions.def.
#include "isa/table/op.h"

#include <array>
#include <cstddef>

namespace warpsim {
namespace {

constexpr std::array<OpInfo, kOpCount> kOps = {{
#define INSN(Name, mnemonic, form, types, mods, lift, kernel, unit, space, traits, doc, aka) \
  {#Name, mnemonic, Form::form, types, mods, Lift::lift, #kernel, Unit::unit, AddressSpace::space, traits, doc, aka},
#include "isa/table/instructions.def"
#undef INSN
}};

// ---- the slots of each form
constexpr Slot dst(SlotType t = SlotType::T) { return {Role::Dst, t, Default::Required, "d"}; }
constexpr Slot src(std::string_view name, SlotType t = SlotType::T, Default d = Default::Required) {
  return {Role::Src, t, d, name};
}
constexpr Slot pred(std::string_view name, Default d) { return {Role::DstPred, SlotType::Pred, d, name}; }
constexpr Slot address(std::string_view name) { return {Role::Addr, SlotType::None, Default::Required, name}; }
constexpr Slot member_mask() { return src("membermask", SlotType::Mask, Default::FullMask); }

constexpr std::array kDA = {dst(), src("a")};
constexpr std::array kDAcvt = {dst(), src("a", SlotType::T2)};
constexpr std::array kDAB = {dst(), src("a"), src("b")};
constexpr std::array kDABC = {dst(), src("a"), src("b"), src("c")};
constexpr Slot carry_out() { return {Role::DstPred, SlotType::Pred, Default::Carry, "cc"}; }
constexpr Slot carry_in() { return {Role::Src, SlotType::Pred, Default::Carry, "cc"}; }
constexpr std::array kDABo = {dst(), carry_out(), src("a"), src("b")};
constexpr std::array kDABi = {dst(), src("a"), src("b"), carry_in()};
constexpr std::array kDABio = {dst(), carry_out(), src("a"), src("b"), carry_in()};
constexpr std::array kDABCo = {dst(), carry_out(), src("a"), src("b"), src("c")};
constexpr std::array kDABCi = {dst(), src("a"), src("b"), src("c"), carry_in()};
constexpr std::array kDABCio = {dst(), carry_out(), src("a"), src("b"), src("c"), carry_in()};
constexpr std::array kWords = {dst(SlotType::U32), src("a", SlotType::U32), src("b", SlotType::U32),
                               src("c", SlotType::U32)};
constexpr std::array kDABCL = {dst(), src("a"), src("b"), src("c"), src("lut", SlotType::Byte)};
constexpr std::array kDASS = {dst(), src("a"), src("b", SlotType::U32), src("c", SlotType::U32)};
constexpr std::array kDABSS = {dst(), src("a"), src("b"), src("start", SlotType::U32), src("length", SlotType::U32)};
constexpr std::array kDA2B2 = {dst(), src("a", SlotType::T2), src("b", SlotType::T2)};
constexpr std::array kDAB2C = {dst(), src("a"), src("b", SlotType::T2), src("c")};
constexpr std::array kDABC2 = {dst(), src("a"), src("b"), src("c", SlotType::T2)};
constexpr std::array kDAS = {dst(), src("a"), src("b", SlotType::U32)};
constexpr std::array kWAB = {dst(SlotType::Wide), src("a"), src("b")};
constexpr std::array kWABC = {dst(SlotType::Wide), src("a"), src("b"), src("c", SlotType::Wide)};
constexpr std::array kCountA = {dst(SlotType::U32), src("a")};
constexpr std::array kPAB = {pred("p", Default::Required), pred("q", Default::Absent), src("a"), src("b")};
constexpr std::array kPA = {pred("p", Default::Required), src("a")};
constexpr std::array kDABP = {dst(), src("a"), src("b"), src("p", SlotType::Pred)};
constexpr std::array kLoad = {dst(), address("address")};
constexpr std::array kStore = {address("address"), src("a")};
constexpr Slot element(Role role, std::string_view name, SlotType t = SlotType::T) {
  return {role, t, Default::Required, name, true};
}
template <int Elements>
constexpr auto vector(Role role, SlotType t = SlotType::T) {
  constexpr std::array<std::string_view, 4> kDst = {"d0", "d1", "d2", "d3"}, kSrc = {"a0", "a1", "a2", "a3"};
  std::array<Slot, Elements> all{};
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = element(role, role == Role::Dst ? kDst[k] : kSrc[k], t);
  return all;
}
template <std::size_t N>
constexpr auto after(Slot first, const std::array<Slot, N>& rest) {
  std::array<Slot, N + 1> all{};
  all[0] = first;
  for (std::size_t k = 0; k < N; ++k) all[k + 1] = rest[k];
  return all;
}
template <std::size_t N>
constexpr auto before(const std::array<Slot, N>& first, Slot last) {
  std::array<Slot, N + 1> all{};
  for (std::size_t k = 0; k < N; ++k) all[k] = first[k];
  all[N] = last;
  return all;
}
constexpr std::array kLoad2 = before(vector<2>(Role::Dst), address("address"));
constexpr std::array kLoad4 = before(vector<4>(Role::Dst), address("address"));
constexpr std::array kStore2 = after(address("address"), vector<2>(Role::Src));
constexpr std::array kStore4 = after(address("address"), vector<4>(Role::Src));
constexpr std::array kPack2 = after(dst(), vector<2>(Role::Src, SlotType::Half));
constexpr std::array kPack4 = after(dst(), vector<4>(Role::Src, SlotType::Quarter));
constexpr std::array kUnpack2 = before(vector<2>(Role::Dst, SlotType::Half), src("a"));
constexpr std::array kUnpack4 = before(vector<4>(Role::Dst, SlotType::Quarter), src("a"));
constexpr std::array kAtom = {dst(), address("address"), src("b")};
constexpr std::array kAtomCas = {dst(), address("address"), src("b"), src("c")};
constexpr std::array kRed = {address("address"), src("b")};
constexpr std::array kParam = {dst(), address("parameter")};
constexpr std::array kShfl = {dst(),
                              pred("p", Default::Absent),
                              src("a"),
                              src("b", SlotType::U32),
                              src("c", SlotType::U32, Default::FullWidth),
                              member_mask()};
constexpr std::array kVote = {pred("p", Default::Required), src("a", SlotType::Pred), member_mask()};
constexpr std::array kBallot = {dst(), src("a", SlotType::Pred), member_mask()};
constexpr std::array kMatch = {dst(SlotType::Mask), src("a"), member_mask()};
constexpr std::array kMatchAll = {dst(SlotType::Mask), pred("p", Default::Absent), src("a"), member_mask()};
constexpr std::array kD = {dst()};
constexpr std::array kBcast = {dst(), src("a"), src("lane", SlotType::U32, Default::Zero), member_mask()};
constexpr std::array kCollect = {dst(), src("a"), member_mask()};
constexpr std::array kWarp = {member_mask()};
constexpr std::array kBar = {src("barrier", SlotType::U32, Default::Zero),
                             src("count", SlotType::U32, Default::Absent)};
constexpr std::array kBarRed = {dst(), src("barrier", SlotType::U32), src("count", SlotType::U32, Default::Absent),
                                src("p", SlotType::Pred)};
constexpr std::array kA = {src("a")};
constexpr std::array kTarget = {Slot{Role::Label, SlotType::None, Default::Required, "label"}};

constexpr std::span<const Slot> form_slots(Form form) {
  switch (form) {
    case Form::DA: return kDA;
    case Form::DAcvt: return kDAcvt;
    case Form::DAB: return kDAB;
    case Form::DABC: return kDABC;
    case Form::DABCL: return kDABCL;
    case Form::DABo: return kDABo;
    case Form::DABi: return kDABi;
    case Form::DABio: return kDABio;
    case Form::DABCo: return kDABCo;
    case Form::DABCi: return kDABCi;
    case Form::DABCio: return kDABCio;
    case Form::Words: return kWords;
    case Form::DAS: return kDAS;
    case Form::DASS: return kDASS;
    case Form::DABSS: return kDABSS;
    case Form::WAB: return kWAB;
    case Form::WABC: return kWABC;
    case Form::CountA: return kCountA;
    case Form::PAB: return kPAB;
    case Form::DA2B2: return kDA2B2;
    case Form::DAB2C: return kDAB2C;
    case Form::DABC2: return kDABC2;
    case Form::DABP: return kDABP;
    case Form::PA: return kPA;
    case Form::Load: return kLoad;
    case Form::Store: return kStore;
    case Form::Load2: return kLoad2;
    case Form::Load4: return kLoad4;
    case Form::Store2: return kStore2;
    case Form::Store4: return kStore4;
    case Form::Pack2: return kPack2;
    case Form::Pack4: return kPack4;
    case Form::Unpack2: return kUnpack2;
    case Form::Unpack4: return kUnpack4;
    case Form::Atom: return kAtom;
    case Form::AtomCas: return kAtomCas;
    case Form::Red: return kRed;
    case Form::Param: return kParam;
    case Form::Shfl: return kShfl;
    case Form::Vote: return kVote;
    case Form::Ballot: return kBallot;
    case Form::Match: return kMatch;
    case Form::MatchAll: return kMatchAll;
    case Form::D: return kD;
    case Form::Bcast: return kBcast;
    case Form::Collect: return kCollect;
    case Form::Warp: return kWarp;
    case Form::Bar: return kBar;
    case Form::BarRed: return kBarRed;
    case Form::A: return kA;
    case Form::Target: return kTarget;
    case Form::None: break;
  }
  return {};
}

// ---- what makes a row wrong
constexpr bool is_lower_word(std::string_view text) {
  for (const char c : text) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_')) return false;
  }
  return !text.empty() && text.front() != '.' && text.back() != '.';
}
constexpr bool has_values(Form form) {
  for (const Slot& slot : form_slots(form)) {
    if (slot.type == SlotType::T || slot.type == SlotType::Wide) return true;
  }
  return form == Form::Vote;
}
constexpr bool computes_on_a_lane(Form form) {
  bool writes = false;
  for (const Slot& slot : form_slots(form)) {
    const bool value = slot.role == Role::Dst || slot.role == Role::DstPred || slot.role == Role::Src;
    if (!value || slot.type == SlotType::Mask) return false;
    writes = writes || slot.role != Role::Src;
  }
  return writes;
}
constexpr bool lift_fits(Lift lift, Form form) {
  switch (lift) {
    case Lift::Lane:
      return form == Form::DA || form == Form::DAcvt || form == Form::DAB || form == Form::DABC || form == Form::DAS ||
             form == Form::WAB || form == Form::WABC || form == Form::CountA || form == Form::DABP;
    case Lift::Compare: return form == Form::PAB;
    case Lift::Bits: return computes_on_a_lane(form);
    case Lift::Shuffle: return form == Form::Shfl;
    case Lift::Vote: return form == Form::Vote || form == Form::Ballot;
    case Lift::Match: return form == Form::Match || form == Form::MatchAll;
    case Lift::Broadcast: return form == Form::Bcast;
    case Lift::Redux:
    case Lift::Reduce:
    case Lift::Scan: return form == Form::Collect;
    case Lift::Load: return form == Form::Load || form == Form::Load2 || form == Form::Load4;
    case Lift::Store: return form == Form::Store || form == Form::Store2 || form == Form::Store4;
    case Lift::Pack: return form == Form::Pack2 || form == Form::Pack4;
    case Lift::Unpack: return form == Form::Unpack2 || form == Form::Unpack4;
    case Lift::Atomic: return form == Form::Atom || form == Form::AtomCas || form == Form::Red;
    case Lift::LoadParam: return form == Form::Param;
    case Lift::Branch: return form == Form::Target;
    case Lift::Barrier: return form == Form::Warp || form == Form::Bar;
    case Lift::BarrierReduce: return form == Form::BarRed;
    case Lift::Nothing: return form == Form::A || form == Form::None;
    case Lift::Special: return form == Form::D || form == Form::None;
  }
  return false;
}
constexpr bool needs_kernel(Lift lift) {
  return is_lanewise(lift) || lift == Lift::Vote || lift == Lift::Match || lift == Lift::Redux ||
         lift == Lift::Reduce || lift == Lift::Scan || lift == Lift::Atomic || lift == Lift::BarrierReduce;
}
constexpr bool mods_fit(const OpInfo& row) {
  const bool floats = ((row.types | second_types(row.types)) & (kFloat | kHalfFloat | kPair)) != 0;
  if ((row.mods & (kRnd | kRndReq)) == (kRnd | kRndReq)) return false;
  if ((row.mods & (kRnd | kRndReq | kFtz | kSat)) != 0 && !floats) return false;
  if ((row.mods & kCvtRnd) != 0 && row.form != Form::DAcvt) return false;
  if ((row.mods & (kSemantics | kScope)) != 0 && row.lift != Lift::Atomic) return false;
  return (row.mods & kExclusive) == 0 || row.lift == Lift::Scan;
}
constexpr bool space_fits(const OpInfo& row) {
  if ((row.space == AddressSpace::None) != (access_of(row) == AccessKind::None)) return false;
  return (row.space == AddressSpace::Param) == (row.lift == Lift::LoadParam) &&
         (row.space == AddressSpace::Shared) == (row.unit == Unit::Shared);
}
// PTX says the space behind the opcode's first word.
constexpr bool mnemonic_says_space(const OpInfo& row) {
  constexpr std::string_view kSecond[] = {"", ".global", ".shared", ".param"};
  const std::string_view word = kSecond[static_cast<std::size_t>(row.space)];
  const std::size_t first = row.mnemonic.find('.');
  return word.empty() || (first != std::string_view::npos && row.mnemonic.substr(first, word.size()) == word);
}
constexpr bool traits_fit(const OpInfo& row) {
  const TraitSet shuffles = row.traits & kShuffleTraits;
  const bool one_source = shuffles != 0 && (shuffles & (shuffles - 1)) == 0;
  if (row.lift == Lift::Shuffle ? !one_source : shuffles != 0) return false;
  if (has_trait(row, kCopies) && row.form != Form::DA) return false;
  if (has_trait(row, kSelects) && row.form != Form::DABP) return false;
  if (has_trait(row, kIdempotent) && row.form != Form::DAB) return false;
  if (has_trait(row, kOrders) && row.lift != Lift::Nothing) return false;
  if (has_trait(row, kShifts) && row.form != Form::DAS) return false;
  if (has_trait(row, kBorrows) && row.form != Form::DABo && row.form != Form::DABi && row.form != Form::DABio)
    return false;
  return !has_trait(row, kOverwrites | kCounts) || row.lift == Lift::Atomic;
}
// In `mov.b32 {%lo, %hi}, %a` the braces tell the row; beside them, the type.
constexpr bool same_braces(Form x, Form y) {
  const std::span<const Slot> a = form_slots(x), b = form_slots(y);
  for (std::size_t k = 0; k < a.size() || k < b.size(); ++k) {
    const bool in_a = k < a.size() && a[k].in_braces, in_b = k < b.size() && b[k].in_braces;
    if (in_a != in_b) return false;
  }
  return true;
}
// Two rows may share a mnemonic only if no type is in both.
constexpr bool told_apart(std::size_t index) {
  for (std::size_t i = 0; i < kOps.size(); ++i) {
    const bool same_type = (first_types(kOps[i].types) & kOps[index].types) != 0;
    if (i != index && kOps[i].mnemonic == kOps[index].mnemonic && same_type &&
        same_braces(kOps[i].form, kOps[index].form))
      return false;
  }
  return true;
}

#define INSN(Name, ...)                                                                                               \
  static_assert(is_lower_word(kOps[static_cast<std::size_t>(Op::Name)].mnemonic),                                     \
                "instructions.def, row " #Name ": the mnemonic is not lower-case words joined by dots");              \
  static_assert(!kOps[static_cast<std::size_t>(Op::Name)].doc.empty(),                                                \
                "instructions.def, row " #Name ": the doc is empty: users read it");                                  \
  static_assert(has_values(kOps[static_cast<std::size_t>(Op::Name)].form) ==                                          \
                    (kOps[static_cast<std::size_t>(Op::Name)].types != kNoType),                                      \
                "instructions.def, row " #Name ": the form has typed operands and the types are kNoType, or not so"); \
  static_assert(kOps[static_cast<std::size_t>(Op::Name)].types != 0,                                                  \
                "instructions.def, row " #Name ": no type at all; kNoType says that the instruction has none");       \
  static_assert(                                                                                                      \
      lift_fits(kOps[static_cast<std::size_t>(Op::Name)].lift, kOps[static_cast<std::size_t>(Op::Name)].form),        \
      "instructions.def, row " #Name ": this lift does not act on this form");                                        \
  static_assert(needs_kernel(kOps[static_cast<std::size_t>(Op::Name)].lift) ==                                        \
                    (kOps[static_cast<std::size_t>(Op::Name)].kernel != "None"),                                      \
                "instructions.def, row " #Name ": the lift needs a kernel and there is None, or not so");             \
  static_assert(mods_fit(kOps[static_cast<std::size_t>(Op::Name)]),                                                   \
                "instructions.def, row " #Name                                                                        \
                ": modifiers that do not fit: rounding, .ftz and .sat need floats, "                                  \
                "kCvtRnd a cvt, kExclusive a scan, kSemantics and kScope an atomic");                                 \
  static_assert(space_fits(kOps[static_cast<std::size_t>(Op::Name)]),                                                 \
                "instructions.def, row " #Name                                                                        \
                ": a load, a store and an atomic have a space and nothing else has; Param goes with LoadParam, "      \
                "Shared with the unit Shared");                                                                       \
  static_assert(mnemonic_says_space(kOps[static_cast<std::size_t>(Op::Name)]),                                        \
                "instructions.def, row " #Name ": the mnemonic's second word is not the row's space");                \
  static_assert(traits_fit(kOps[static_cast<std::size_t>(Op::Name)]),                                                 \
                "instructions.def, row " #Name                                                                        \
                ": traits that do not fit: a shuffle has one of kFromLane, kFromBelow, kFromAbove and kSwapped; "     \
                "kCopies is for DA, kSelects for DABP, kIdempotent for DAB, kOverwrites and kCounts for atomics, "    \
                "kOrders for Nothing, kShifts for DAS, kBorrows for a difference with the carry flag");               \
  static_assert(told_apart(static_cast<std::size_t>(Op::Name)),                                                       \
                "instructions.def, row " #Name ": another row has the same mnemonic and one of its types");
#include "isa/table/instructions.def"
#undef INSN

constexpr bool slots_fit() {
  for (int f = 0; f < kFormCount; ++f) {
    if (form_slots(static_cast<Form>(f)).size() > static_cast<std::size_t>(kMaxOperands)) return false;
  }
  return true;
}
static_assert(slots_fit(), "op.h: kMaxOperands is smaller than a form");

}  // namespace

const OpInfo& info(Op op) { return kOps[static_cast<std::size_t>(op)]; }
std::span<const OpInfo> all_ops() { return kOps; }
std::span<const Slot> slots(Form form) { return form_slots(form); }
int elements(Form form) {
  int count = 0;
  for (const Slot& slot : form_slots(form)) count += slot.in_braces ? 1 : 0;
  return count;
}
bool has_second_type(Form form) {
  for (const Slot& slot : form_slots(form)) {
    if (slot.type == SlotType::T2) return true;
  }
  return false;
}

bool may_flush(const OpInfo& row, Type t, Type t2) {
  if (!has_second_type(row.form)) return takes_ftz(row, t);
  return (row.mods & kFtz) != 0 && (t2 == Type::F32 || (row.form == Form::DAcvt && t == Type::F32));
}

std::string_view name(Unit unit) {
  switch (unit) {
    case Unit::Alu: return "alu";
    case Unit::Fma: return "fma";
    case Unit::Fp64: return "fp64";
    case Unit::Sfu: return "sfu";
    case Unit::Conv: return "conv";
    case Unit::Shfl: return "shfl";
    case Unit::Vote: return "vote";
    case Unit::Mem: return "mem";
    case Unit::Shared: return "shared";
    case Unit::Branch: return "branch";
    case Unit::Barrier: return "barrier";
    case Unit::Special: return "special";
  }
  return "";
}

std::string_view name(Round round) {
  switch (round) {
    case Round::None: return "";
    case Round::Rn: return "rn";
    case Round::Rz: return "rz";
    case Round::Rm: return "rm";
    case Round::Rp: return "rp";
    case Round::Rni: return "rni";
    case Round::Rzi: return "rzi";
    case Round::Rmi: return "rmi";
    case Round::Rpi: return "rpi";
  }
  return "";
}

bool is_idempotent(Op op) { return has_trait(info(op), kIdempotent); }
ShuffleMode shuffle_mode(Op op) { return shuffle_mode(info(op).traits); }

std::string spelling(Op op) {
  const OpInfo& row = info(op);
  return std::string(row.mnemonic) + (row.lift == Lift::Barrier ? ".sync" : "");
}

std::string usage(Op op) {
  const OpInfo& row = info(op);
  std::string text = spelling(op);
  if (row.types != kNoType) text += has_second_type(row.form) ? ".TYPE.TYPE" : ".TYPE";
  const std::span<const Slot> form = form_slots(row.form);
  for (std::size_t k = 0; k < form.size(); ++k) {
    const Slot& slot = form[k];
    if (is_hidden(slot)) continue;
    const bool optional = slot.when_absent != Default::Required;
    const bool second_destination = is_second_destination(slot);
    std::string word(slot.name);
    if (slot.role == Role::Addr) word = "[" + word + "]";
    if (slot.in_braces && (k == 0 || !form[k - 1].in_braces)) word = "{" + word;
    if (slot.in_braces && (k + 1 == form.size() || !form[k + 1].in_braces)) word += "}";
    const std::string joint = second_destination ? "|" : k == 0 ? "" : ", ";
    text += k == 0 ? " " : "";
    text += optional ? "[" + joint + word + "]" : joint + word;
  }
  return text;
}

}  // namespace warpsim
