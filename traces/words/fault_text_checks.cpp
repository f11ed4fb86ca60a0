// What the checker, the linter and assertions find, in Korean; see fault_text_tables.h.
//
// Source: sim/check/checker.cpp, sim/check/value_uses.cpp, sim/check/race_text.cpp, isa/program/lint.cpp,
// traces/record/recorder_phases.cpp.
#include "traces/words/fault_text_tables.h"

namespace warpsim {
namespace {

constexpr FaultSentence kChecksSentences[] = {
    // undefined values, and those that a shuffle left in place
    {"{0} holds nothing defined on {1} and {2}", "{1}의 {0}{이/가} 정의되지 않음: {2}"},
    {"{0} holds nothing defined when the atomic of {1} changes it",
     "{1}의 원자적 연산이 변경할 때 {0}{이/가} 정의되지 않음"},
    {"{0} holds what was left in place past the segment on {1} and {2}",
     "{1}의 {0}{이/가} 세그먼트 밖이라 그대로 남은 값임: {2}"},
    {"decides which lanes execute this", "실행할 Lane을 결정하는 값"},
    {"names the lanes that take part", "참여할 Lane을 지정하는 값"},
    {"is an address", "주소로 쓰이는 값"},
    {"goes into an atomic", "원자적 연산에 들어가는 값"},
    {"decides what a barrier gives", "barrier의 결과를 결정하는 값"},
    {"is stored", "저장되는 값"},
    {"decides a vote", "투표를 결정하는 값"},
    // how they came about
    {"lane {0} has never written {1}", "Lane {0}{이/가} {1}{을/를} 한 번도 쓰지 않음"},
    {"lane {0} reads {1} from lane {2}, which does not execute this",
     "Lane {0}{이/가} {1}{을/를} Lane {2}에서 읽지만 그 Lane은 이 명령어를 실행하지 않음"},
    {"lane {0} reads {1} from lane {2}, which has exited",
     "Lane {0}{이/가} {1}{을/를} Lane {2}에서 읽지만 그 Lane은 이미 끝남"},
    {"lane {0} reads {1} from lane {2}, which does not exist",
     "Lane {0}{이/가} {1}{을/를} Lane {2}에서 읽지만 그런 Lane은 없음"},
    {"lane {0} reads {1} from lane {2}, which its member mask leaves out",
     "Lane {0}{이/가} {1}{을/를} Lane {2}에서 읽지만 그 Lane은 멤버 마스크에 없음"},
    {"lane {0} loads {1}, which nobody has written", "Lane {0}{이/가} {1}{을/를} 읽지만 아무도 쓴 적이 없음"},
    {"lane {0} keeps its own value in {1}: its source is past the segment",
     "Lane {0}{이/가} {1}에 자기 값을 유지: 읽을 Lane이 세그먼트 밖"},
    {"lane {0} stores it in {1}", "Lane {0}{이/가} 이를 {1}에 저장"},
    {"lane {0} loads it into {1}", "Lane {0}{이/가} 이를 {1}{으로/로} 읽음"},
    {"lane {0} takes it from lane {1} into {2}", "Lane {0}{이/가} 이를 Lane {1}에서 {2}{으로/로} 받음"},
    {"lane {0} computes {1} from it", "Lane {0}{이/가} 이로부터 {1}{을/를} 계산"},
    {"this place", "이 자리"},
    // races
    {"{0}, which {1} at line {2}, and nothing orders the two", "{0}, {2}행에서 {1}: 둘의 순서를 정하는 것이 없음"},
    {"{0} store different values in {1} in one instruction: one of them stays",
     "{0}{이/가} 한 명령어에서 {1}에 서로 다른 값을 저장: 그중 하나만 남음"},
    {"a word", "한 워드"},
    {"bar.warp.sync {0} would order them; {1} does not: it orders no memory",
     "{0} bar.warp.sync를 두면 순서가 정해짐; {1}{은/는} 메모리의 순서를 정하지 않음"},
    {"bar.warp.sync {0} would order them", "{0} bar.warp.sync를 두면 순서가 정해짐"},
    {"bar.sync {0} would order them", "{0} bar.sync를 두면 순서가 정해짐"},
    {"membar.gl and an atomic behind line {0}, an atomic and membar.gl before line {1} would order them; or use "
     "atomics for both",
     "{0}행 뒤에 membar.gl과 원자적 연산을, {1}행 앞에 원자적 연산과 membar.gl을 두면 순서가 정해짐; 또는 둘 다 원자적 "
     "연산으로 바꿀 것"},
    {"between lines {0} and {1}", "{0}행과 {1}행 사이에"},
    {"before line {0} is executed again", "{0}행이 다시 실행되기 전에"},
    {"behind line {0}, before line {1} is executed again", "{0}행 뒤, {1}행이 다시 실행되기 전에"},
    {"the {0} of line {1}", "{1}행의 {0}"},
    {"{0} is {1} under --schedule rr and {2} under {3}", "{0}{이/가} --schedule rr에서는 {1}, {3}에서는 {2}"},
    // barriers, masks, counts
    {"{0} of the warp come to the barrier without {1}", "같은 Warp의 {0}{이/가} {1} 없이 barrier에 도달"},
    {"{0} comes from activemask and is a member mask", "{0}{은/는} activemask에서 온 값인데 멤버 마스크로 쓰임"},
    {"the segment mask {0} of operand c parts the warp into segments of no width",
     "피연산자 c의 세그먼트 마스크 {0}{으로/로}는 Warp가 고른 세그먼트로 나뉘지 않음"},
    {"the barrier counts {0} threads, and a warp has {1}", "barrier가 세는 스레드는 {0}개인데 한 Warp는 {1}개임"},
    // assertions
    {"does not hold on {0}: {1}; lane {2} has {3}", "{0}에서 성립하지 않음: {1}; Lane {2}의 값: {3}"},
    {"does not hold on {0}: {1}", "{0}에서 성립하지 않음: {1}"},
    {"asks for something undefined on {0}: {1}; lane {2} has {3}",
     "{0}에서 정의되지 않은 값을 물음: {1}; Lane {2}의 값: {3}"},
    {"asks for something undefined on {0}: {1}", "{0}에서 정의되지 않은 값을 물음: {1}"},
};

}  // namespace

std::span<const FaultSentence> check_sentences() { return kChecksSentences; }

}  // namespace warpsim
