// Why an output is wrong, in Korean; see fault_text_tables.h.
//
// Source: traces/explain/wrong_answer_explanation.cpp, traces/explain/wrong_answer_shuffles.cpp,
// traces/explain/wrong_answer_stores.cpp, tools/report/trap_text.cpp.
#include "traces/words/fault_text_tables.h"

namespace warpsim {
namespace {

constexpr FaultSentence kAnswersSentences[] = {
    // what is wrong
    {"{0} is {1}, expected {2}: {3}", "{0}{이/가} {1}, 예상 값은 {2}: {3}"},
    {"{0} is {1}, expected {2} (the first of {3} that differ)",
     "{0}{이/가} {1}, 예상 값은 {2} (다른 요소 {3}개 중 첫 번째)"},
    {"{0} is {1}, expected {2}", "{0}{이/가} {1}, 예상 값은 {2}"},
    {"{0} is undefined (the first of {1})", "{0}{이/가} 정의되지 않음 ({1}개 중 첫 번째)"},
    {"{0} is undefined", "{0}{이/가} 정의되지 않음"},
    {"{0} has {1} elements, {2} are expected", "{0}의 요소는 {1}개, 예상은 {2}개"},
    {"{0} of {1} elements are wrong: {2}", "요소 {1}개 중 {0}개가 틀림: {2}"},
    {"{0}: all from {1} on", "{0}: {1}부터 모두"},
    {"{0}: all below {1}", "{0}: {1} 앞의 모두"},
    {"{0}: all even ones from {1} on", "{0}: {1}부터 짝수 번째 모두"},
    {"{0}: all even ones", "{0}: 짝수 번째 모두"},
    {"{0}: all odd ones from {1} on", "{0}: {1}부터 홀수 번째 모두"},
    {"{0}: all odd ones", "{0}: 홀수 번째 모두"},
    {"{0}: all multiples of {1} from {2} on", "{0}: {2}부터 {1}의 배수 모두"},
    {"{0}: all multiples of {1}", "{0}: {1}의 배수 모두"},
    {"{0}: all that are {1} modulo {2} from {3} on", "{0}: {3}부터 {2}{으로/로} 나눈 나머지가 {1}인 것 모두"},
    {"{0}: all that are {1} modulo {2}", "{0}: {2}{으로/로} 나눈 나머지가 {1}인 것 모두"},
    // which inputs went in
    {"it is computed from {0}, where {1} is expected to go in", "{1}{이/가} 들어가야 하는 곳에 {0}{으로/로} 계산됨"},
    {"it is computed from {0}, where {1} are expected to go in", "{1}{이/가} 들어가야 하는 곳에 {0}{으로/로} 계산됨"},
    {"{0} goes in, on which what is expected does not depend", "예상 값과 무관한 {0}{이/가} 들어감"},
    {"is the index off by {0}?", "인덱스가 {0}만큼 어긋나지 않았는지 확인할 것"},
    {"{0} may have come to {1}, but did not go into the value",
     "{0}{이/가} {1}에 왔을 수는 있지만 값에는 들어가지 않음"},
    {"{0} never heard {1}", "{0}에 {1}의 값이 전해지지 않음"},
    {"{0}, which other warps alone load, never came to {1}", "다른 Warp만 읽는 {0}{이/가} {1}에 전해지지 않음"},
    {"nobody loads {0}", "아무도 {0}{을/를} 읽지 않음"},
    {"{0}: look at the operation and its order, not at the shuffles",
     "{0}: shuffle이 아니라 연산과 그 순서를 확인할 것"},
    {"{0}, but its value is the one that {1} began with, which no input changed",
     "{0}, 그러나 값은 {1}{이/가} 처음에 가졌던 것으로 어떤 입력도 바꾸지 않음"},
    {"{0}, but {1}", "{0}, 그러나 {1}"},
    {"{0} go in {1} times, others once", "{0}{이/가} {1}번 들어가고 나머지는 한 번 들어감"},
    {"{0} goes in {1} times, others once", "{0}{이/가} {1}번 들어가고 나머지는 한 번 들어감"},
    {"{0} go in {1} times, others less often", "{0}{이/가} {1}번 들어가고 나머지는 더 적게 들어감"},
    {"{0} goes in {1} times, others less often", "{0}{이/가} {1}번 들어가고 나머지는 더 적게 들어감"},
    {"{0} go in {1} times", "{0}{이/가} {1}번 들어감"},
    {"{0} goes in {1} times", "{0}{이/가} {1}번 들어감"},
    {"{0} reached it, as it should", "들어가야 할 {0}{은/는} 들어감"},
    {"all {0} inputs that it depends on reached it", "들어가야 할 입력 {0}개는 모두 들어감"},
    {"{0} heard {1} more than once", "{0}{이/가} {1}의 값을 두 번 이상 받음"},
    {"no input went into the value itself: it comes from constants and lane numbers",
     "값 자체에 들어간 입력이 없음: 상수와 Lane 번호에서 온 값임"},
    {"the case does not say which inputs it depends on", "어느 입력에 따라 정해지는지 케이스에 없음"},
    {"{0} went in", "{0}{이/가} 들어감"},
    {"begin with the operation's identity, or with an input", "연산의 항등원이나 입력에서 시작할 것"},
    // what the shuffles bring
    {"its warp executes no shuffle before it stores", "그 Warp는 저장하기 전에 shuffle을 실행하지 않음"},
    {"no {0} of its warp brings a lane anything but its own value", "그 Warp의 {0}{은/는} Lane마다 자기 값만 가져옴"},
    {"{0} is above it, and shfl.up brings values from lower lanes alone",
     "{0}{은/는} 더 높은 Lane인데 shfl.up은 낮은 Lane의 값만 가져옴"},
    {"{0} is below it, and shfl.down brings values from higher lanes alone",
     "{0}{은/는} 더 낮은 Lane인데 shfl.down은 높은 Lane의 값만 가져옴"},
    {"shfl.down, or shfl.bfly", "shfl.down이나 shfl.bfly를 쓸 것"},
    {"shfl.up, or shfl.bfly", "shfl.up이나 shfl.bfly를 쓸 것"},
    {"{0} is lane {1}, and no {2} has offset {3} (they have {4})",
     "{0}{은/는} Lane {1}인데 offset {3}인 {2}{이/가} 없음 (있는 것은 {4})"},
    {"{0} is {1} lanes below it, and no {2} has offset {3} (they have {4})",
     "{0}{은/는} {1}칸 아래인데 offset {3}인 {2}{이/가} 없음 (있는 것은 {4})"},
    {"{0} is {1} lane below it, and no {2} has offset {3} (they have {4})",
     "{0}{은/는} {1}칸 아래인데 offset {3}인 {2}{이/가} 없음 (있는 것은 {4})"},
    {"{0} is {1} lanes above it, and no {2} has offset {3} (they have {4})",
     "{0}{은/는} {1}칸 위인데 offset {3}인 {2}{이/가} 없음 (있는 것은 {4})"},
    {"{0} is {1} lane above it, and no {2} has offset {3} (they have {4})",
     "{0}{은/는} {1}칸 위인데 offset {3}인 {2}{이/가} 없음 (있는 것은 {4})"},
    {"its {0} have offsets {1}, and none has {2}", "그 Warp의 {0}에는 offset {1}{이/가} 있고 {2}{이/가} 없음"},
    {"add a step of offset {0}", "offset {0}의 단계를 더할 것"},
    {"is a step of offset {0} missing?", "offset {0}의 단계가 빠지지 않았는지 확인할 것"},
    // who stores
    {"{0} stored to it first, then {1}", "먼저 {0}, 다음에 {1}{이/가} 여기에 저장"},
    {"every thread stores at its number + {0}", "모든 스레드가 자기 번호 + {0} 자리에 저장"},
    {"every thread stores at its number - {0}", "모든 스레드가 자기 번호 - {0} 자리에 저장"},
    {"nobody stores it, nor any element of {0}", "아무도 저장하지 않으며 {0}의 다른 요소도 마찬가지"},
    {"nobody stores it", "아무도 저장하지 않음"},
    {"thread {0}, lane {1} of its warp, is switched off where it would store",
     "스레드 {0}(그 Warp의 Lane {1}){은/는} 저장할 곳에서 꺼져 있음"},
    {"thread {0}, lane {1} of its warp, comes to no store to {2}",
     "스레드 {0}(그 Warp의 Lane {1}){은/는} {2}에 저장하는 곳에 도달하지 않음"},
    // the steps that led there
    {"{0} stores it", "{0}{이/가} 이를 저장"},
    {"{0} stores to it first", "{0}{이/가} 먼저 저장"},
    {"{0} stores to {1}", "{0}{이/가} {1}에 저장"},
    {"{0} loads what is missing", "{0}{이/가} 빠진 값을 읽음"},
    {"{0} begins with this", "{0}{이/가} 이 값에서 시작"},
    {"{0} keeps its own value here", "{0}{이/가} 여기서 자기 값을 유지"},
    {"{0} hears {1} here", "{0}{이/가} 여기서 {1}의 값을 받음"},
    {"its guard switches it off here", "여기서 가드가 끔"},
    {"the last that it executes", "마지막으로 실행하는 명령어"},
    {"thread {0}", "스레드 {0}"},
    {"all {0}", "{0}개 모두"},
};

}  // namespace

std::span<const FaultSentence> answer_sentences() { return kAnswersSentences; }

}  // namespace warpsim
