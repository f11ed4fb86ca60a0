// The operand slots of each form, as constants: what slots() in op.h answers from.
//
// Shapes: the slots of a form are in the order in which they are written.
// Units:  none.
// Errors: none here; op_checks.cpp refuses a form with more than kMaxOperands slots.
// Source: PTX ISA 9.0, chapter 9: the operands of each instruction.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "isa/table/op.h"

namespace warpsim::table {

constexpr Slot dst(SlotType t = SlotType::T) { return {Role::Dst, t, Default::Required, "d"}; }
constexpr Slot src(std::string_view name, SlotType t = SlotType::T, Default d = Default::Required) {
  return {Role::Src, t, d, name};
}
constexpr Slot pred(std::string_view name, Default d) { return {Role::DstPred, SlotType::Pred, d, name}; }
constexpr Slot address(std::string_view name) { return {Role::Addr, SlotType::None, Default::Required, name}; }
constexpr Slot member_mask() { return src("membermask", SlotType::Mask, Default::FullMask); }

inline constexpr std::array kDA = {dst(), src("a")};
inline constexpr std::array kDAcvt = {dst(), src("a", SlotType::T2)};
inline constexpr std::array kDAB = {dst(), src("a"), src("b")};
inline constexpr std::array kDABC = {dst(), src("a"), src("b"), src("c")};
constexpr Slot carry_out() { return {Role::DstPred, SlotType::Pred, Default::Carry, "cc"}; }
constexpr Slot carry_in() { return {Role::Src, SlotType::Pred, Default::Carry, "cc"}; }
inline constexpr std::array kDABo = {dst(), carry_out(), src("a"), src("b")};
inline constexpr std::array kDABi = {dst(), src("a"), src("b"), carry_in()};
inline constexpr std::array kDABio = {dst(), carry_out(), src("a"), src("b"), carry_in()};
inline constexpr std::array kDABCo = {dst(), carry_out(), src("a"), src("b"), src("c")};
inline constexpr std::array kDABCi = {dst(), src("a"), src("b"), src("c"), carry_in()};
inline constexpr std::array kDABCio = {dst(), carry_out(), src("a"), src("b"), src("c"), carry_in()};
inline constexpr std::array kWords = {dst(SlotType::U32), src("a", SlotType::U32), src("b", SlotType::U32),
                                      src("c", SlotType::U32)};
inline constexpr std::array kDABCL = {dst(), src("a"), src("b"), src("c"), src("lut", SlotType::Byte)};
inline constexpr std::array kDASS = {dst(), src("a"), src("b", SlotType::U32), src("c", SlotType::U32)};
inline constexpr std::array kDABSS = {dst(), src("a"), src("b"), src("start", SlotType::U32),
                                      src("length", SlotType::U32)};
inline constexpr std::array kDABcvt = {dst(), src("a", SlotType::T2), src("b", SlotType::T2)};
inline constexpr std::array kDAB2C = {dst(), src("a"), src("b", SlotType::T2), src("c")};
inline constexpr std::array kDABC2 = {dst(), src("a"), src("b"), src("c", SlotType::T2)};
inline constexpr std::array kDAS = {dst(), src("a"), src("b", SlotType::U32)};
inline constexpr std::array kWAB = {dst(SlotType::Wide), src("a"), src("b")};
inline constexpr std::array kWABC = {dst(SlotType::Wide), src("a"), src("b"), src("c", SlotType::Wide)};
inline constexpr std::array kCountA = {dst(SlotType::U32), src("a")};
constexpr Slot combined_with() { return src("c", SlotType::Pred, Default::Absent); }
inline constexpr std::array kPAB = {pred("p", Default::Required), pred("q", Default::Absent), src("a"), src("b"),
                                    combined_with()};
inline constexpr std::array kWords2 = {dst(SlotType::U32), src("a", SlotType::U32), src("b", SlotType::U32)};
inline constexpr std::array kDA2B2 = {dst(), src("a", SlotType::T2), src("b", SlotType::T2), combined_with()};
inline constexpr std::array kPA = {pred("p", Default::Required), src("a")};
inline constexpr std::array kDABP = {dst(), src("a"), src("b"), src("p", SlotType::Pred)};
inline constexpr std::array kLoad = {dst(), address("address")};
inline constexpr std::array kStore = {address("address"), src("a")};
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
inline constexpr std::array kLoad2 = before(vector<2>(Role::Dst), address("address"));
inline constexpr std::array kLoad4 = before(vector<4>(Role::Dst), address("address"));
inline constexpr std::array kStore2 = after(address("address"), vector<2>(Role::Src));
inline constexpr std::array kStore4 = after(address("address"), vector<4>(Role::Src));
inline constexpr std::array kPack2 = after(dst(), vector<2>(Role::Src, SlotType::Half));
inline constexpr std::array kPack4 = after(dst(), vector<4>(Role::Src, SlotType::Quarter));
inline constexpr std::array kUnpack2 = before(vector<2>(Role::Dst, SlotType::Half), src("a"));
inline constexpr std::array kUnpack4 = before(vector<4>(Role::Dst, SlotType::Quarter), src("a"));
inline constexpr std::array kAtom = {dst(), address("address"), src("b")};
inline constexpr std::array kAtomCas = {dst(), address("address"), src("b"), src("c")};
inline constexpr std::array kRed = {address("address"), src("b")};
inline constexpr std::array kParam = {dst(), address("parameter")};
inline constexpr std::array kShfl = {dst(),
                                     pred("p", Default::Absent),
                                     src("a"),
                                     src("b", SlotType::U32),
                                     src("c", SlotType::U32, Default::FullWidth),
                                     member_mask()};
inline constexpr std::array kVote = {pred("p", Default::Required), src("a", SlotType::Pred), member_mask()};
inline constexpr std::array kBallot = {dst(), src("a", SlotType::Pred), member_mask()};
inline constexpr std::array kMatch = {dst(SlotType::Mask), src("a"), member_mask()};
inline constexpr std::array kMatchAll = {dst(SlotType::Mask), pred("p", Default::Absent), src("a"), member_mask()};
inline constexpr std::array kD = {dst()};
inline constexpr std::array kBcast = {dst(), src("a"), src("lane", SlotType::U32, Default::Zero), member_mask()};
inline constexpr std::array kCollect = {dst(), src("a"), member_mask()};
inline constexpr std::array kWarp = {member_mask()};
inline constexpr std::array kBar = {src("barrier", SlotType::U32, Default::Zero),
                                    src("count", SlotType::U32, Default::Absent)};
inline constexpr std::array kBarRed = {dst(), src("barrier", SlotType::U32),
                                       src("count", SlotType::U32, Default::Absent), src("p", SlotType::Pred)};
inline constexpr std::array kBarArrive = {src("barrier", SlotType::U32), src("count", SlotType::U32)};
constexpr Slot absent(std::string_view name) { return src(name, SlotType::U32, Default::Absent); }
inline constexpr std::array kMbarInit = {address("address"), src("count", SlotType::U32)};
inline constexpr std::array kMbarInval = {address("address")};
inline constexpr std::array kMbarArrive = {dst(), address("address"), absent("count")};
inline constexpr std::array kMbarTest = {pred("p", Default::Required), address("address"), src("state")};
inline constexpr std::array kMbarParity = {pred("p", Default::Required), address("address"),
                                           src("parity", SlotType::U32)};
inline constexpr std::array kMbarTry = before(kMbarTest, absent("hint"));
inline constexpr std::array kMbarTryParity = before(kMbarParity, absent("hint"));
inline constexpr std::array kCpAsync = {address("destination"), address("source"), src("size", SlotType::Byte),
                                        absent("read")};
inline constexpr std::array kCopiesLeft = {src("pending", SlotType::Byte)};
inline constexpr std::array kHinted = {address("address")};
inline constexpr std::array kHintedSize = {address("address"), src("size", SlotType::Byte)};
inline constexpr std::array kEvent = {src("event", SlotType::Byte)};
inline constexpr std::array kA = {src("a")};
inline constexpr std::array kTarget = {Slot{Role::Label, SlotType::None, Default::Required, "label"}};
inline constexpr std::array kPointerTest = {pred("p", Default::Required), src("a", SlotType::U64)};
inline constexpr std::array kPrintf = {dst(SlotType::U32), src("format", SlotType::U64), src("values", SlotType::U64)};
inline constexpr std::array kAssertFail = {src("message", SlotType::U64), src("file", SlotType::U64),
                                           src("line", SlotType::U32), src("function", SlotType::U64)};
inline constexpr std::array kMalloc = {dst(SlotType::U64), src("size", SlotType::U64)};
inline constexpr std::array kRuntimeCall = {dst(SlotType::U64), src("function", SlotType::U32)};
inline constexpr std::array kFree = {src("address", SlotType::U64)};
inline constexpr std::array kCallPointer = {src("a", SlotType::U64)};
inline constexpr std::array kDispatch = {src("a", SlotType::U32),
                                         Slot{Role::Label, SlotType::None, Default::Required, "table"}};

// Of what is asynchronous, has no effect, or only modules of PTX have.
constexpr std::span<const Slot> later_slots(Form form) {
  switch (form) {
    case Form::MbarInit: return kMbarInit;
    case Form::MbarInval: return kMbarInval;
    case Form::MbarArrive: return kMbarArrive;
    case Form::MbarTest: return kMbarTest;
    case Form::MbarParity: return kMbarParity;
    case Form::MbarTry: return kMbarTry;
    case Form::MbarTryParity: return kMbarTryParity;
    case Form::CpAsync: return kCpAsync;
    case Form::CopiesLeft: return kCopiesLeft;
    case Form::Hinted: return kHinted;
    case Form::HintedSize: return kHintedSize;
    case Form::Event: return kEvent;
    case Form::PointerTest: return kPointerTest;
    case Form::Printf: return kPrintf;
    case Form::AssertFail: return kAssertFail;
    case Form::Malloc: return kMalloc;
    case Form::RuntimeCall: return kRuntimeCall;
    case Form::Free: return kFree;
    case Form::CallPointer: return kCallPointer;
    case Form::Dispatch: return kDispatch;
    default: return {};
  }
}

constexpr std::span<const Slot> form_slots(Form form) {
  switch (form) {
    case Form::DA: return kDA;
    case Form::DAcvt: return kDAcvt;
    case Form::DABcvt: return kDABcvt;
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
    case Form::Words2: return kWords2;
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
    case Form::BarArrive: return kBarArrive;
    case Form::A: return kA;
    case Form::Target: return kTarget;
    default: return later_slots(form);
  }
}

}  // namespace warpsim::table
