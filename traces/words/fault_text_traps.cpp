// What stops a run, in Korean; see fault_text_tables.h.
//
// Source: sim/machine/traps.cpp, sim/machine/deadlock.cpp, sim/machine/livelock.cpp, sim/machine/convergence.cpp,
// sim/machine/machine.cpp, sim/machine/execute.cpp.
#include "traces/words/fault_text_tables.h"

namespace warpsim {
namespace {

constexpr FaultSentence kTrapsSentences[] = {
    // what several have in common
    {"{0}; so do 1 other lane", "{0}; 다른 Lane 1개도 같음"},
    {"{0}; so do {1} other lanes", "{0}; 다른 Lane {1}개도 같음"},
    // accesses
    {"{0}, which the kernel takes as `in`", "{0}: 커널이 `in`으로 받는 버퍼"},
    {"{0}; 1 block has not begun: there is room for {1} at a time",
     "{0}; 블록 1개는 시작되지 않음: 한 번에 {1}개의 자리뿐"},
    {"{0}; {1} blocks have not begun: there is room for {2} at a time",
     "{0}; 블록 {1}개는 시작되지 않음: 한 번에 {2}개의 자리뿐"},
    {"do not wait for a block that has not begun: launch as many as have room at a time",
     "시작되지 않은 블록을 기다리지 말 것: 한 번에 자리가 있는 만큼만 실행할 것"},
    {"its block has not begun", "블록이 시작되지 않음"},
    {"{0}, which is read-only memory", "{0}: 읽기 전용 메모리"},
    {"take the mark away, or write elsewhere", "표시를 없애거나 다른 곳에 쓸 것"},
    {"{0}, in {1}, which was freed", "{0}: 해제된 {1}의 안"},
    {"free it behind the last launch that uses it", "마지막으로 쓰는 커널 실행 뒤에 해제할 것"},
    {"{0}, but nothing is allocated at {1}", "{0}: {1}에 할당된 것이 없음"},
    {"bind the parameter to memory that is allocated", "매개변수를 할당된 메모리에 연결할 것"},
    {"{0}, which is not a multiple of {1}", "{0}: {1}의 배수가 아님"},
    {"{0}, 1 element past the end of its {1}", "{0}: 요소 {1}개의 끝에서 1개 벗어남"},
    {"{0}, {1} elements past the end of its {2}", "{0}: 요소 {2}개의 끝에서 {1}개 벗어남"},
    {"{0}, 1 element before the start of its {1}", "{0}: 요소 {1}개의 시작보다 1개 앞"},
    {"{0}, {1} elements before the start of its {2}", "{0}: 요소 {2}개의 시작보다 {1}개 앞"},
    {"{0}, the block has 1 byte of shared memory", "{0}: 블록의 공유 메모리는 1바이트"},
    {"{0}, the block has {1} bytes of shared memory", "{0}: 블록의 공유 메모리는 {1}바이트"},
    {"{0}, 1 byte past the end of {1}", "{0}: {1}의 끝에서 1바이트 벗어남"},
    {"{0}, {1} bytes past the end of {2}", "{0}: {2}의 끝에서 {1}바이트 벗어남"},
    {"{0}, 1 byte before the start of {1}", "{0}: {1}의 시작보다 1바이트 앞"},
    {"{0}, {1} bytes before the start of {2}", "{0}: {2}의 시작보다 {1}바이트 앞"},
    {"guard the access: compare the index with the number of elements",
     "인덱스를 요소 개수와 비교하여 접근을 가드로 보호할 것"},
    {"follow the pointer back to where it was made", "포인터가 만들어진 곳까지 되짚어 볼 것"},
    {"an access of {0} bytes must be aligned to them", "{0}바이트 접근은 그 크기에 맞게 정렬되어야 함"},
    {"declare the buffer `out` or `inout`", "버퍼를 `out` 또는 `inout`으로 선언할 것"},
    // lanes that must meet
    {"lanes {0} execute with the member mask {1}, which does not name them",
     "Lane {0}{이/가} 자신이 빠진 멤버 마스크 {1}{으로/로} 실행"},
    {"a lane must be in its own member mask: name exactly the lanes that get here",
     "Lane은 자신의 멤버 마스크에 들어 있어야 함: 여기에 도달하는 Lane만 지정할 것"},
    {"a collective needs every living lane ({0}), its member mask names {1}",
     "집합 연산에는 살아 있는 모든 Lane({0})이 필요하지만 멤버 마스크는 {1}{을/를} 지정"},
    {"leave the member mask out, or write the pattern with shuffles and a width",
     "멤버 마스크를 생략하거나 shuffle과 width로 패턴을 작성할 것"},
    {"lane {0} names lane {1}, but their member masks differ: {2} and {3}",
     "Lane {0}{이/가} Lane {1}{을/를} 지정하지만 두 멤버 마스크가 다름: {2}, {3}"},
    {"all lanes that a member mask names must give the same mask",
     "멤버 마스크에 든 모든 Lane이 같은 마스크를 지정해야 함"},
    {"{0} wait at {1} and {2} at {3} for each other", "{0}{은/는} {1}에서, {2}{은/는} {3}에서 서로를 기다림"},
    {"lanes of one member mask must execute the same instruction: move it out of the branch, or name only the lanes "
     "that get there",
     "한 멤버 마스크의 Lane은 같은 명령어를 실행해야 함: 분기 밖으로 옮기거나 도달하는 Lane만 지정할 것"},
    // runs that do not end as they should
    {"nothing can ever run again: 1 warp waits, the first in block {0}, warp {1} at {2}",
     "더 이상 실행될 수 없음: 기다리는 Warp 1개, 블록 {0}, Warp {1}의 {2}"},
    {"nothing can ever run again: {0} warps wait, the first in block {1}, warp {2} at {3}",
     "더 이상 실행될 수 없음: 기다리는 Warp {0}개, 첫 번째는 블록 {1}, Warp {2}의 {3}"},
    {"{0} wait at {1}, {2} of the warp went past it, to {3}",
     "{0}{은/는} {1}에서 기다리지만 같은 Warp의 {2}{은/는} 이를 지나쳐 {3}에 있음"},
    {"{0} waits at {1}, {2} of the warp went past it, to {3}",
     "{0}{은/는} {1}에서 기다리지만 같은 Warp의 {2}{은/는} 이를 지나쳐 {3}에 있음"},
    {"{0} wait at {1}, {2} of the warp never came: they are at {3}",
     "{0}{은/는} {1}에서 기다리지만 같은 Warp의 {2}{은/는} 오지 않고 {3}에 있음"},
    {"{0} waits at {1}, {2} of the warp never came: they are at {3}",
     "{0}{은/는} {1}에서 기다리지만 같은 Warp의 {2}{은/는} 오지 않고 {3}에 있음"},
    {"move the barrier behind the branch, where all lanes come", "barrier를 모든 Lane이 도달하는 분기 뒤로 옮길 것"},
    {"the barrier of {0} counts {1}, which is no multiple of the warp's {2}",
     "{0}의 barrier가 세는 {1}{은/는} Warp의 {2}의 배수가 아님"},
    {"the barrier of {0} counts {1}, the block has only {2}", "{0}의 barrier는 {1}{을/를} 세지만 블록에는 {2}개뿐"},
    {"the barrier of {0} counts {1}, only {2} are left: the others have exited",
     "{0}의 barrier는 {1}{을/를} 세지만 남은 것은 {2}개뿐: 나머지는 종료됨"},
    {"leave the count out, or give a multiple of `WARP_SZ` that the block has",
     "개수를 생략하거나 블록에 있는 `WARP_SZ`의 배수를 줄 것"},
    {"leave the count out, or keep the threads until then", "개수를 생략하거나 스레드를 그때까지 남겨 둘 것"},
    {"{0} wait at {1} for {2} of the member mask, but {3} are at {4}",
     "{0}{은/는} {1}에서 멤버 마스크의 {2}{을/를} 기다리지만 {3}{은/는} {4}에 있음"},
    {"{0} wait at {1} for {2} of the member mask, but {3} is at {4}",
     "{0}{은/는} {1}에서 멤버 마스크의 {2}{을/를} 기다리지만 {3}{은/는} {4}에 있음"},
    {"{0} waits at {1} for {2} of the member mask, but {3} are at {4}",
     "{0}{은/는} {1}에서 멤버 마스크의 {2}{을/를} 기다리지만 {3}{은/는} {4}에 있음"},
    {"{0} waits at {1} for {2} of the member mask, but {3} is at {4}",
     "{0}{은/는} {1}에서 멤버 마스크의 {2}{을/를} 기다리지만 {3}{은/는} {4}에 있음"},
    {"name only the lanes that get here, or bring the others",
     "여기에 도달하는 Lane만 지정하거나 나머지도 도달하게 할 것"},
    {"goes round for ever: cycle {0} finds everything as cycle {1} did",
     "끝없이 되풀이됨: 사이클 {0}의 상태가 사이클 {1}의 상태와 모두 같음"},
    {"the lanes that wait may hold what the others wait for in memory: let a lane finish before it goes on; "
     "`--reconvergence independent` gives each its turn",
     "다른 Lane이 메모리에서 기다리는 것을 기다리고 있는 Lane이 쥐고 있을 수 있음: Lane이 할 일을 마친 뒤에 넘어가게 "
     "할 "
     "것; `--reconvergence independent`에서는 Lane마다 차례가 옴"},
    {"what it reads in memory never changes: see who should change it, and where those lanes are",
     "메모리에서 읽는 값이 바뀌지 않음: 누가 바꾸어야 하는지, 그 Lane이 어디에 있는지 확인할 것"},
    {"nothing that the loop tests ever changes: is its exit condition ever true?",
     "루프가 검사하는 값이 바뀌지 않음: 종료 조건이 참이 되는지 확인할 것"},
    {"every lane that is named must get there: see where each one stands",
     "지정된 모든 Lane이 도달해야 함: 각 Lane이 어디에 있는지 확인할 것"},
    {"still running after {0} cycles", "{0} 사이클이 지나도 끝나지 않음"},
    {"is the loop's exit condition ever true? --max-cycles raises the limit",
     "루프의 종료 조건이 참이 되는지 확인할 것, --max-cycles로 한도를 높일 수 있음"},
    {"is the loop's exit condition ever true? what goes round for ever is found in lockstep, without --profile, "
     "and by `warpsim check`; --max-cycles raises the limit",
     "루프의 종료 조건이 참이 되는지 확인할 것. 끝없이 되풀이되는 실행은 --profile 없이 실행하거나 `warpsim check`로 "
     "찾을 수 있음. --max-cycles로 한도를 높일 수 있음"},
    {"control passed the last instruction", "마지막 명령어를 지나쳐 실행됨"},
};

}  // namespace

std::span<const FaultSentence> trap_sentences() { return kTrapsSentences; }

}  // namespace warpsim
