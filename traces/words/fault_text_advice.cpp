// What could be done with less, in Korean; see fault_text_tables.h.
//
// Source: sim/check/advice_idle.cpp, sim/check/advice_memory.cpp, sim/check/advice_shuffles_report.cpp.
#include "traces/words/fault_text_tables.h"

namespace warpsim {
namespace {

constexpr FaultSentence kAdviceSentences[] = {
    // lanes that idle
    {"{0}: {1} of {2} lane slots of the warp ({3} %) are idle because of it, first {4} in cycle {5}",
     "{0}: 이 때문에 Warp의 Lane 슬롯 {2}개 중 {1}개({3} %)가 쉼, 처음은 사이클 {5}의 {4}"},
    {"what this writes switches lanes off", "여기서 쓴 값이 Lane을 끔"},
    {"this branch parts the lanes", "이 분기에서 Lane이 갈라짐"},
    {"a quarter or more in {0} warps", "4분의 1 이상 쉬는 Warp {0}개"},
    {"the warp of each block has {0} of {1} lanes: {2}", "각 블록의 Warp에는 Lane {1}개 중 {0}개만 있음: {2}"},
    {"the last warp of each block has {0} of {1} lanes: {2}",
     "각 블록의 마지막 Warp에는 Lane {1}개 중 {0}개만 있음: {2}"},
    {"one never exists, and its slots stay empty", "하나는 없으므로 그 슬롯은 비어 있음"},
    {"the other {0} never exist, and their slots stay empty", "나머지 {0}개는 없으므로 그 슬롯은 비어 있음"},
    {"make a block a multiple of {0} threads", "블록의 스레드 수를 {0}의 배수로 할 것"},
    // memory
    {"bank {0} serves {1} lanes one after another: {2}", "뱅크 {0}{이/가} Lane {1}개를 차례로 처리: {2}"},
    {"bank {0} serves {1} different words: {2}", "뱅크 {0}{이/가} 서로 다른 워드 {1}개를 처리: {2}"},
    {"bank {0} serves {1}", "뱅크 {0}{이/가} 처리: {1}"},
    {"{0}-way, as {1} bytes a lane are served in {2} parts",
     "{0}-way, Lane마다 {1}바이트를 {2}번에 나누어 처리하기 때문"},
    {"combine what the lanes bring first, by a reduction or a ballot, and let one lane do the atomic",
     "Lane들의 값을 먼저 reduction이나 ballot으로 합치고 원자적 연산은 한 Lane만 할 것"},
    {"{0} lanes touch {1} sectors of 32 bytes, where {2} could hold what they read: {3}",
     "Lane {0}개가 32바이트 섹터 {1}개를 건드림, 읽는 값은 섹터 {2}개에 들어감: {3}"},
    {"{0} lanes touch {1} sectors of 32 bytes, where {2} could hold what they write: {3}",
     "Lane {0}개가 32바이트 섹터 {1}개를 건드림, 쓰는 값은 섹터 {2}개에 들어감: {3}"},
    {"lanes are {0} bytes apart, {1}", "Lane 사이의 간격 {0}바이트, {1}"},
    // shuffles
    {"{0} combine by {1}, in {2} shuffles, the values of {3}: that is {4}",
     "{0}에서 {1}{과/와} shuffle {2}번으로 {3}: 이는 {4}{과/와} 같음"},
    {"all {0} lanes for every lane", "Lane {0}개 모두의 값을 합쳐 모든 Lane에 줌"},
    {"all {0} lanes for lane 0", "Lane {0}개 모두의 값을 합쳐 Lane 0에 줌"},
    {"the lanes up to itself for each lane", "Lane마다 자신까지의 Lane의 값을 합침"},
    {"the lanes before itself for each lane but lane 0", "Lane 0을 뺀 Lane마다 자신 앞의 Lane의 값을 합침"},
    {"{0}, rounded in another order", "{0} (반올림 순서는 다름)"},
    {"{0}, which every lane gets", "{0} (결과는 모든 Lane이 받음)"},
    {"{0}, which gives lane 0 the operation's identity", "{0} (Lane 0은 연산의 항등원을 받음)"},
    {"so in this launch, where all {0} lanes take part", "Lane {0}개가 모두 참여하는 이번 실행에 한함"},
    {"so in this launch", "이번 실행에 한함"},
    {"{0} times in this run", "이번 실행에서 {0}번"},
    {"{0}: each lane gets its own value, {1}", "{0}: Lane마다 자기 값을 받음, {1}"},
    {"every lane asks for itself", "모든 Lane이 자신을 지정함"},
    {"xor by 0 leaves every lane where it is", "0과의 xor는 Lane을 바꾸지 않음"},
    {"up by 0 leaves every lane where it is", "0칸 위로는 Lane을 바꾸지 않음"},
    {"down by 0 leaves every lane where it is", "0칸 아래로는 Lane을 바꾸지 않음"},
    {"xor by {0} on {1} lanes is xor by 0", "Lane {1}개에서 {0}{과/와}의 xor는 0과의 xor와 같음"},
    {"up by {0} on {1} lanes is up by 0", "Lane {1}개에서 {0}칸 위는 0칸 위와 같음"},
    {"down by {0} on {1} lanes is down by 0", "Lane {1}개에서 {0}칸 아래는 0칸 아래와 같음"},
    {"which lane was meant?", "어느 Lane을 뜻했는지 확인할 것"},
    {"which offset was meant?", "어느 offset을 뜻했는지 확인할 것"},
    {"every lane takes the value of lane {0}, {1}: that is {2}",
     "모든 Lane이 Lane {0}의 값을 받음, {1}: 이는 {2}{과/와} 같음"},
};

}  // namespace

std::span<const FaultSentence> advice_sentences() { return kAdviceSentences; }

}  // namespace warpsim
