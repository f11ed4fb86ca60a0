// The hints of isa/table/findings.def in Korean; see finding_hints.h. A finding without one is a compiler's warning.
#include "traces/words/finding_hints.h"

namespace warpsim {

std::string_view hint_in_korean(Finding finding) {
  switch (finding) {
    case Finding::NeverWritten: return "여기로 오는 모든 경로에서 값을 쓰거나, 쓸 때와 같은 조건으로 사용을 막을 것";
    case Finding::SourceInactive:
      return "읽히는 Lane이 모두 shuffle을 실행하게 할 것: 분기 밖으로 옮기고, 결과를 쓰는 곳에만 조건을 둘 것";
    case Finding::SourceExited:
      return "그 Lane을 읽는 마지막 shuffle까지 남겨 두거나, clamp를 남아 있는 마지막 Lane에서 끝낼 것";
    case Finding::SourceOutsideMask: return "읽히는 Lane도 모든 Lane의 마스크에 넣을 것";
    case Finding::SharedUnwritten: return "블록이 먼저 쓰게 하고, 쓰기와 읽기 사이에 barrier를 둘 것";
    case Finding::GlobalUnwritten:
      return "버퍼를 먼저 지울 것; 커널이 직접 쓴 값이라면 단계를 따라가면 그 값이 어디서 왔는지 보임";
    case Finding::OutOfRange:
      return "shuffle에서 조건도 함께 받아(shfl.down.b32 %x|%there, %x, 1) 결과를 @%there로만 쓰거나, selp로 "
             "가장자리의 값을 정할 것";
    case Finding::NotInOwnMask:
      return "여기에 오는 Lane만 정확히 지정하고 다른 Lane은 오지 않게 할 것: 마스크는 조건이 아님";
    case Finding::NamedLaneNeverCame:
      return "여기에 오는 Lane만 지정하거나(분기 앞에서 그 조건의 ballot), 모두가 오는 곳으로 명령어를 옮길 것";
    case Finding::DifferentMasks:
      return "각 Lane이 먼저 원본 Lane을 정한 뒤 한곳에서 shuffle하고, 모든 Lane에 같은 마스크를 줄 것";
    case Finding::PartialCollective:
      return "분기 밖으로 옮기고 요소가 없는 Lane은 결과를 바꾸지 않는 값을 내게 하거나, shuffle과 width로 쓸 것";
    case Finding::ActiveMaskAsMember: return "데이터에서 마스크를 구할 것: 분기 앞에서 그 조건의 ballot";
    case Finding::BadWidth: return "다음 2의 거듭제곱을 쓰고 남는 Lane은 조건으로 막거나, 검사되는 width=를 쓸 것";
    case Finding::RaceInWarp: return "두 접근 사이에 bar.warp.sync를 둘 것; 둘 다 값을 바꾼다면 원자적 연산을 쓸 것";
    case Finding::RaceInBlock: return "두 접근 사이, 모든 Warp가 오는 곳에 bar.sync를 둘 것";
    case Finding::RaceInGrid:
      return "그 값에 원자적 연산을 쓰거나, 한쪽은 원자적 연산 앞에, 다른 쪽은 뒤에 fence를 두거나, 커널을 둘로 나눌 "
             "것";
    case Finding::StoresOfSeveralValues:
      return "저장할 Lane을 고르거나, 원자적 연산이 값을 고르게 할 것: red.min, red.max";
    case Finding::DependsOnSchedule:
      return "누가 먼저 오는지가 아니라 데이터에서 자리를 정하거나(ballot, scan), 순서가 상관없다면 .unordered로 밝힐 "
             "것";
    case Finding::DivergentBarrier: return "barrier를 모든 Lane이 오는 분기 뒤로 옮기고, 분기에는 일만 남길 것";
    case Finding::BarrierCount: return "개수를 생략하거나 WARP_SZ의 배수로 올릴 것";
    case Finding::BarrierStarved:
      return "개수를 생략할 것; 아니면 스레드를 마지막 barrier까지 남기고 대신 그 일에 조건을 둘 것";
    case Finding::OutOfBounds:
      return "먼저 인덱스를 요소 수와 비교할 것; 0보다 작을 수 있으면 부호 있는 수로 비교할 것";
    case Finding::Misaligned:
      return "포인터는 바이트를 셈: 인덱스에 요소의 크기를 곱할 것; 벡터는 그 길이의 배수에서 시작함";
    case Finding::ReadOnly: return "`out` 버퍼에 저장하거나, 이 버퍼를 `inout`으로 선언할 것";
    case Finding::Deadlock:
      return "각 Lane이 어디에서 무엇을 기다리는지 볼 것: 풀어 줄 수 있던 Lane은 지나쳤거나 그 앞에 서 있음";
    case Finding::CycleLimit:
      return "루프를 끝내는 조건이 모든 Lane에서 참이 되는지 확인할 것; 오래 걸릴 뿐이라면 케이스에 max_cycles = …를 "
             "쓸 것";
    case Finding::FellOffTheEnd: return "모든 경로를 exit로 끝낼 것";
    case Finding::Livelock:
      return "각 Lane이 무엇을 기다리고 누가 그것을 바꿔야 하는지 볼 것; 한 Warp에서는 다른 Lane에 필요한 것을 쥔 채 "
             "그 Lane을 기다리지 않게 할 것";
    case Finding::BankConflict:
      return "열이 모든 뱅크를 지나도록 행을 한 워드 늘리거나, 누가 무엇에 접근하는지 바꿀 것";
    case Finding::Uncoalesced: return "이웃한 Lane이 이웃한 요소에 접근하게 할 것; 구조체의 배열 대신 배열의 구조체";
    case Finding::IdleLanes:
      return "양쪽이 명령어가 아니라 데이터에서 다르게 하고(selp), 공통 부분은 모든 Lane이 한 번에 할 것";
    case Finding::CollectiveInstead: return "집합 연산을 쓸 것; --expand는 그것이 나타내는 shuffle을 보여 줌";
    case Finding::XorIsIdentity:
      return "어느 Lane을 뜻했는지 확인할 것; 다른 Warp의 Lane은 shuffle로 읽을 수 없으니 공유 메모리와 barrier를 쓸 "
             "것";
    case Finding::WrongOutput: return "처음 틀린 요소에 어떤 입력이 도달했고 어떤 입력이 도달하지 않았는지 볼 것";
    case Finding::AssertFailed: return "그 사이클로 가서 레지스터가 왜 그 값인지 물을 것: 스테퍼의 `why`";
  }
  return "";
}

}  // namespace warpsim
