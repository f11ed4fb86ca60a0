// The table of phrases; see phrases.h.
#include "traces/words/phrases.h"

#include <algorithm>
#include <iterator>

#include "isa/text/message.h"
#include "traces/words/korean.h"

namespace warpsim {
namespace {

struct Entry {
  Phrase phrase;
  std::string_view english, korean;
};

constexpr Entry kEntries[] = {
    {Phrase::Case, "case {0}, ", "케이스 {0}, "},
    {Phrase::OneLane, "{0} lane, ", "Lane {0}개, "},
    {Phrase::Lanes, "{0} lanes, ", "Lane {0}개, "},
    {Phrase::OneBlock, "{0} block of ", "블록 {0}개, "},
    {Phrase::Blocks, "{0} blocks of ", "블록 {0}개, "},
    {Phrase::OneThread, "{0} thread", "블록당 스레드 {0}개"},
    {Phrase::Threads, "{0} threads", "블록당 스레드 {0}개"},
    {Phrase::TimedBy, "profile {0}, scheduler {1}", "프로파일 {0}, 스케줄러 {1}"},
    {Phrase::OfMachineCode, ", machine code", ", 기계어"},
    {Phrase::CollectivesOneStep, ", collectives as one step", ", 집단 연산은 한 단계로 표시"},
    {Phrase::CollectivesShuffles, ", collectives as shuffles", ", 집단 연산은 shuffle로 표시"},
    {Phrase::AsShuffles, "As the shuffles that a GPU runs:", "GPU가 실행하는 shuffle:"},
    {Phrase::OnBackend, ", on {0}", ", {0}에서 실행"},
    {Phrase::OneCycle, ", {0} cycle", ", {0} 사이클"},
    {Phrase::Cycles, ", {0} cycles", ", {0} 사이클"},
    {Phrase::OneInstruction, ", {0} instruction", ", 명령어 {0}개"},
    {Phrase::Instructions, ", {0} instructions", ", 명령어 {0}개"},
    {Phrase::WindowCycle, ", cycle {0} of {1}", ", {1} 사이클 중 {0}번째"},
    {Phrase::WindowCycles, ", cycles {0} of {1}", ", {1} 사이클 중 {0}"},
    {Phrase::WindowInstructions, ", {0} of {1} instructions", ", 명령어 {1}개 중 {0}개"},
    {Phrase::BlockAndWarp, "Block {0}, warp {1}", "블록 {0}, Warp {1}"},
    {Phrase::MachineCycles, "Machine cycles ({0})", "머신 사이클 ({0})"},
    {Phrase::AtCycle, "   [cycle {0}]", "   [사이클 {0}]"},
    {Phrase::AtCycles, "   [cycles {0}]", "   [사이클 {0}]"},
    {Phrase::Letters, "Letters: A is 0, B is 1, ... Z is 25, AA is 26", "문자 표기: A는 0, B는 1, ... Z는 25, AA는 26"},
    {Phrase::Trap, "trap ({0}): {1}", "트랩 ({0}): {1}"},
    {Phrase::WindowBegins, "(the window begins within a step)", "(단계 중간에서 시작하는 구간)"},
    {Phrase::WindowEnds, "(the window ends within this step)", "(이 단계 중간에서 끝나는 구간)"},
    {Phrase::WholeRun, "Of the whole run:", "전체 실행의 결과:"},
    {Phrase::LaneRange, "Lanes {0}", "Lane {0}"},
    {Phrase::OneLaneRange, "Lane {0}", "Lane {0}"},
    {Phrase::NoSuchLane, "receives undefined (no Lane {0}) → {1} = ?",
     "정의되지 않은 값 수신 (Lane {0} 없음) → {1} = ?"},
    {Phrase::NoPart, "receives undefined (Lane {0} takes no part) → {1} = ?",
     "정의되지 않은 값 수신 (Lane {0}{은/는} 참여하지 않음) → {1} = ?"},
    {Phrase::ReceivesXor, "receives from Lane {0} ({1}⊕{2}={0}) → {3} = {4}",
     "Lane {0}에서 수신 ({1}⊕{2}={0}) → {3} = {4}"},
    {Phrase::Receives, "receives {1} from Lane {0} → {2} = {3}", "Lane {0}에서 {1} 수신 → {2} = {3}"},
    {Phrase::NoLane, "   (no lane)", "   (실행하는 Lane 없음)"},
    {Phrase::SomeLane, "   (lane {0})", "   (Lane {0})"},
    {Phrase::SomeLanes, "   (lanes {0})", "   (Lane {0})"},
    {Phrase::NoLanes, "none", "없음"},
    {Phrase::FromLane, "from lane", "보낸 Lane"},
    {Phrase::Stored, "stored", "저장"},
    {Phrase::BranchTo, "to {0}: lanes {1}; on: lanes {2}", "{0}{으로/로} 분기: Lane {1}; 계속 진행: Lane {2}"},
    {Phrase::Done, "done: lanes {0}", "종료: Lane {0}"},
    {Phrase::Together, "together again: lanes {0}", "다시 합류: Lane {0}"},
    {Phrase::Passed, "✅ {0} test passed!", "✅ {0} 테스트 통과!"},
    {Phrase::Failed, "❌ {0} test failed: {1}", "❌ {0} 테스트 실패: {1}"},
    {Phrase::NotWritten, "{0} was not written", "{0}에 저장된 값이 없음"},
    {Phrase::WrongLength, "{0} has {1} elements, expected {2}", "{0}의 요소는 {1}개, 예상은 {2}개"},
    {Phrase::IsUndefined, "undefined", "정의되지 않은 값"},
    {Phrase::Differs, "{0}[{1}] is {2}, expected {3} ({4} of {5} differ)",
     "{0}[{1}]의 값은 {2}, 예상값은 {3} ({5}개 중 {4}개가 다름)"},
    {Phrase::NotClean, "the run was not clean", "실행 중에 문제가 발견됨"},
    {Phrase::AndBlock, ", block {0}", ", 블록 {0}"},
    {Phrase::AndWarp, ", warp {0}", ", Warp {0}"},
    {Phrase::WhenCycle, "cycle {0}", "사이클 {0}"},
    {Phrase::StoppedHere, "stopped here: {0}", "여기서 멈춤: {0}"},
    {Phrase::Jumps, "jumps", "분기"},
    {Phrase::GoesOn, "goes on", "계속"},
    {Phrase::LaneNumbers, "lane", "Lane"},
    {Phrase::KeyArrows, "arrows: from source lane to destination lane", "화살표: 보낸 Lane에서 받는 Lane으로"},
    {Phrase::KeyBar, "a bar: all lanes together", "막대: 모든 Lane이 함께"},
    {Phrase::KeyStairs, "stairs: a lane gets what the lanes before it come to", "계단: 앞선 Lane들의 값을 받음"},
    {Phrase::KeyTwoBars, "two bars: one value of all lanes, to all lanes",
     "막대 두 개: 모든 Lane의 값 하나를 모두에게"},
    {Phrase::KeyKeeps, "dashed: the source is out of range, the lane keeps its own value",
     "점선: 읽을 Lane이 범위 밖, 자기 값 유지"},
    {Phrase::KeyInactive, "hatched: inactive", "빗금: 비활성"},
    {Phrase::KeyUndefined, "⟂: undefined", "⟂: 정의되지 않음"},
    {Phrase::Pairs, "Pairs", "페어"},
    {Phrase::Halves, "Halves", "절반"},
    {Phrase::Quarters, "Quarters", "1/4"},
    {Phrase::Eighths, "Eighths", "1/8"},
    {Phrase::Sixteenths, "Sixteenths", "1/16"},
    {Phrase::ThirtySeconds, "Thirty-seconds", "1/32"},
    {Phrase::XorBy, "Xor-{0}", "XOR-{0}"},
};

constexpr bool in_order() {
  for (std::size_t k = 0; k < std::size(kEntries); ++k) {
    if (static_cast<std::size_t>(kEntries[k].phrase) != k) return false;
  }
  return std::size(kEntries) == static_cast<std::size_t>(Phrase::XorBy) + 1;
}
static_assert(in_order(), "the table stands in the order of the enumeration");

}  // namespace

std::string say(Language language, Phrase phrase, std::initializer_list<std::string_view> values) {
  const Entry& entry = kEntries[static_cast<std::size_t>(phrase)];
  const std::string_view pattern = language == Language::Korean ? entry.korean : entry.english;
  std::string out;
  fill_pattern(out, pattern, [&values](std::string& text, std::string_view inside) {
    const std::size_t value = static_cast<std::size_t>(inside[0] - '0');
    if (inside.size() == 1 && value < values.size()) text += values.begin()[value];
    else text += particle(text, inside);
  });
  return out;
}

}  // namespace warpsim
