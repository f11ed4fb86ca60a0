// Refuses a wrong row of the instruction table while the build compiles it.
//
// Shapes: one static_assert a rule and row.
// Units:  none.
// Errors: the build fails with a message that names the row.
// Source: the legend of isa/table/instructions.def.
#include <cstddef>

#include "isa/table/form_slots.h"
#include "isa/table/op_rows.h"

namespace warpsim::table {
namespace {

// A cache is L1 or L2, and `::` joins what is done with it.
constexpr bool is_lower_word(std::string_view text) {
  for (const char c : text) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == ':' || c == 'L'))
      return false;
  }
  return !text.empty() && text.front() != '.' && text.back() != '.';
}
constexpr bool has_values(Form form) {
  for (const Slot& slot : form_slots(form)) {
    if (slot.type == SlotType::T || slot.type == SlotType::Wide) return true;
  }
  return form == Form::Vote || form == Form::MbarInit || form == Form::MbarInval || form == Form::MbarParity ||
         form == Form::MbarTryParity;  // of a barrier that is a word
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
    case Lift::Mbarrier: return form >= Form::MbarInit && form <= Form::MbarTryParity;
    case Lift::Copy: return form == Form::CpAsync;
    case Lift::LoadParam: return form == Form::Param;
    case Lift::Branch: return form == Form::Target;
    case Lift::Call: return form == Form::Target || form == Form::CallPointer;
    case Lift::Return: return form == Form::None;
    case Lift::Dispatch: return form == Form::Dispatch;
    case Lift::Barrier: return form == Form::Warp || form == Form::Bar || form == Form::BarArrive;
    case Lift::BarrierReduce: return form == Form::BarRed;
    case Lift::Nothing:
      return form == Form::A || form == Form::CopiesLeft || form == Form::Hinted || form == Form::HintedSize ||
             form == Form::Event || form == Form::None;
    case Lift::Special: return form == Form::D || (form >= Form::Printf && form <= Form::Free) || form == Form::None;
  }
  return false;
}
constexpr bool needs_kernel(Lift lift) {
  return is_lanewise(lift) || lift == Lift::Vote || lift == Lift::Match || lift == Lift::Redux ||
         lift == Lift::Reduce || lift == Lift::Scan || lift == Lift::Atomic || lift == Lift::Mbarrier ||
         lift == Lift::BarrierReduce;
}
constexpr bool mods_fit(const OpInfo& row) {
  const bool floats = ((row.types | second_types(row.types)) & (kFloat | kHalfFloat | kPair)) != 0;
  if ((row.mods & (kRnd | kRndReq)) == (kRnd | kRndReq)) return false;
  if ((row.mods & (kRnd | kRndReq | kFtz | kSat)) != 0 && !floats) return false;
  if ((row.mods & kCvtRnd) != 0 && row.form != Form::DAcvt) return false;
  const bool narrows = (row.mods & kNarrowRnd) != 0;
  if (narrows && ((row.form != Form::DAcvt && row.form != Form::DABcvt) || (row.mods & kCvtRnd) != 0)) return false;
  if ((row.mods & (kSatfinite | kSatfiniteReq)) != 0 && !narrows) return false;
  if (((row.mods & kBoolOp) != 0) != (row.form == Form::PAB || row.form == Form::DA2B2)) return false;
  const bool of_memory = row.lift == Lift::Atomic || row.lift == Lift::Load || row.lift == Lift::Store ||
                         (row.lift == Lift::Mbarrier && access_of(row) != AccessKind::Store);
  const bool orders = (row.mods & kSemantics) != 0;
  if ((orders && !of_memory) || ((row.mods & kScope) != 0) != orders) return false;
  if ((row.mods & kCache) != 0 && (!of_memory || row.lift == Lift::Mbarrier)) return false;
  const bool of_block = row.form == Form::Bar || row.form == Form::BarRed || row.form == Form::BarArrive;
  if (((row.mods & kUnaligned) != 0) != of_block) return false;
  return (row.mods & kExclusive) == 0 || row.lift == Lift::Scan;
}
constexpr bool space_fits(const OpInfo& row) {
  if ((row.space == AddressSpace::None) != (access_of(row) == AccessKind::None)) return false;
  return (row.space == AddressSpace::Param) == (row.lift == Lift::LoadParam) &&
         (row.space == AddressSpace::Shared) == (row.unit == Unit::Shared);
}
// PTX says the space after the opcode's first word, of an mbarrier last; of a copy both, the destination's first.
constexpr bool mnemonic_says_space(const OpInfo& row) {
  constexpr std::string_view kSecond[] = {"", ".global", ".shared", ".local", ".const", ".param", ""};
  const std::string_view word = kSecond[static_cast<std::size_t>(row.space)];
  if (row.lift == Lift::Mbarrier) return row.mnemonic.ends_with(word);
  if (row.lift == Lift::Copy) return row.mnemonic.ends_with(".shared.global");
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
  const TraitSet spreads = row.traits & kSpreadTraits;
  if ((spreads & (spreads - 1)) != 0 || (has_trait(row, kRouted) && spreads != kBitwise)) return false;
  if (has_trait(row, kCopies | kSelects) && spreads != kBitwise) return false;
  if (has_trait(row, kBorrows) && row.form != Form::DABo && row.form != Form::DABi && row.form != Form::DABio)
    return false;
  return !has_trait(row, kOverwrites | kCounts) || row.lift == Lift::Atomic;
}
// In `mov.b32 {%lo, %hi}, %a` the braces decide the row; without them, the type.
constexpr bool same_braces(Form x, Form y) {
  const std::span<const Slot> a = form_slots(x), b = form_slots(y);
  for (std::size_t k = 0; k < a.size() || k < b.size(); ++k) {
    const bool in_a = k < a.size() && a[k].in_braces, in_b = k < b.size() && b[k].in_braces;
    if (in_a != in_b) return false;
  }
  return true;
}
// Two rows may share a mnemonic only if no type is in both, or no second type is.
constexpr bool is_distinct(std::size_t index) {
  for (std::size_t i = 0; i < kOps.size(); ++i) {
    const bool same_type = (first_types(kOps[i].types) & first_types(kOps[index].types)) != 0 &&
                           (second_types(kOps[i].types) & second_types(kOps[index].types)) != 0;
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
                "kCvtRnd, kNarrowRnd and kSatfinite a cvt, kExclusive a scan, kBoolOp comparisons, kSemantics, "      \
                "kScope and kCache loads, stores and atomics, kUnaligned a barrier of the block");                    \
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
                "kOrders for Nothing, kShifts for DAS, kBorrows for a difference with the carry flag, kRouted for "   \
                "kBitwise; at most one of kBitwise, kSums, kProducts and kMonotone");                                 \
  static_assert(is_distinct(static_cast<std::size_t>(Op::Name)),                                                      \
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
}  // namespace warpsim::table
