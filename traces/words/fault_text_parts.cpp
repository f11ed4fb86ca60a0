// What the sentences of faults are put together from, in Korean; see fault_text_tables.h.
//
// Source: sim/machine/traps_memory.cpp, sim/machine/livelock.cpp, sim/event/lane_mask.cpp, sim/check/.
#include "traces/words/fault_text_tables.h"

namespace warpsim {
namespace {

constexpr FaultSentence kPartsSentences[] = {
    {"{0} bytes at {1}", "주소 {1}의 {0}바이트"},
    {"{0} to [{1}]", "{0}~[{1}]"},
    // places
    {"waits for {0} of its member mask {1}", "멤버 마스크 {1}의 {0}{을/를} 기다림"},
    {"waits at barrier {0}: {1} thread of {2} there", "barrier {0}에서 기다림: 스레드 {2}개 중 {1}개 도착"},
    {"waits at barrier {0}: {1} threads of {2} there", "barrier {0}에서 기다림: 스레드 {2}개 중 {1}개 도착"},
    {"waits to meet {0} here again", "여기서 {0}{을/를} 다시 만나기를 기다림"},
    {"goes round lines {0} to {1}", "{0}~{1}행을 되풀이"},
    {"goes round line {0}", "{0}행을 되풀이"},
    {"never has its turn", "차례가 오지 않음"},
    // how often
    {"{0}, and this is the worst", "{0}, 그중 가장 나쁜 것"},
    {"in its one execution", "한 번 실행 중 한 번"},
    {"in each of {0} executions", "{0}번 실행에서 매번"},
    {"in {0} of {1} executions", "{1}번 실행 중 {0}번"},
    // who does what
    {"{0} reads {1}", "{0}{이/가} {1}{을/를} 읽음"},
    {"{0} read {1}", "{0}{이/가} {1}{을/를} 읽음"},
    {"{0} writes {1}", "{0}{이/가} {1}에 저장"},
    {"{0} write {1}", "{0}{이/가} {1}에 저장"},
    {"{0} changes {1}", "{0}{이/가} {1}{을/를} 변경"},
    {"{0} change {1}", "{0}{이/가} {1}{을/를} 변경"},
    {"{0} reads", "{0}{이/가} 읽음"},
    {"{0} read", "{0}{이/가} 읽음"},
    {"{0} writes", "{0}{이/가} 저장"},
    {"{0} write", "{0}{이/가} 저장"},
    {"{0} changes", "{0}{이/가} 변경"},
    {"{0} change", "{0}{이/가} 변경"},
    {"{0} of warp {1} of block {2}", "블록 {2}, Warp {1}의 {0}"},
    {"{0} of warp {1}", "Warp {1}의 {0}"},
    // lists
    {"{0} and {1} more", "{0} 외 {1}개"},
    {"word {0} ({1}), {2}", "워드 {0}({1}), {2}"},
    {"word {0} ({1})", "워드 {0}({1})"},
    {"{0}, lane {1}", "{0}, Lane {1}"},
    {"{0}, lanes {1}", "{0}, Lane {1}"},
    // places and numbers
    {"line {0} ({1})", "{0}행({1})"},
    {"line {0}", "{0}행"},
    {"lines {0}", "{0}행"},
    {"1 thread", "스레드 1개"},
    {"{0} threads", "스레드 {0}개"},
    {"1 lane", "Lane 1개"},
    {"{0} lanes", "Lane {0}개"},
    {"the end", "끝"},
    {"memory", "메모리"},
    {"lane {0}", "Lane {0}"},
    {"lanes {0}", "Lane {0}"},
};

}  // namespace

std::span<const FaultSentence> part_sentences() { return kPartsSentences; }

}  // namespace warpsim
