// The full-screen stepper's own words, in both languages.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "traces/words/language.h"

namespace warpsim::tools {

struct TuiWords {
  std::string_view case_word, cycle, event, block, warp, lane, active, from, program, lanes, answers, keys, too_small,
      all, more_below;
  std::array<std::pair<std::string_view, std::string_view>, 16> help;
};

inline constexpr TuiWords kTuiWordsInEnglish = {
    "case",
    "cycle",
    "event",
    "block",
    "warp",
    "lane",
    "active",
    "from",
    "program",
    "lanes",
    "answers",
    " n step  p back  ] shuffle  c continue  b break  w why  : type  ? help  q quit",
    "The screen is too small: 80 columns and 24 rows are needed, here are ",
    "all lanes",
    " more lines: PgDn and PgUp move in the answers",
    {{{"n  space  s  →", "the warp's next instruction"},
      {"p  r  Backspace  ←", "back by one"},
      {"N  P", "to the next source line, and back to another"},
      {"Home  End", "the start and the end of the run"},
      {"[  ]", "the shuffle before, and the next one"},
      {"c  C", "continue to a breakpoint, and back to one"},
      {"b", "a breakpoint on the chosen line, or none any more"},
      {"h j k l", "choose a lane and a register, as arrows do among lanes"},
      {"w", "why: where the chosen lane's value came from"},
      {"Tab", "to the next pane: program, lanes, answers; ↑ ↓ move in it"},
      {":", "a command of `step`: Tab completes, ↑ ↓ earlier ones"},
      {"q  Ctrl-C", "leave; of a command being typed Ctrl-C leaves that alone"},
      {"* =", "a cell that changed; one written with what it held"},
      {"# o . x", "a lane: active, switched off by its guard, elsewhere, done"},
      {"▶ ✗ ■ B", "a line: next, trapped, the last, with a breakpoint"},
      {"Any key", "closes this page"}}}};

inline constexpr TuiWords kTuiWordsInKorean = {
    "케이스",
    "사이클",
    "이벤트",
    "블록",
    "Warp",
    "Lane",
    "활성",
    "출처",
    "프로그램",
    "Lane",
    "응답",
    " n 다음  p 이전  ] 셔플  c 계속  b 중단점  w 이유  : 명령  ? 도움말  q 종료",
    "화면이 너무 작습니다: 80열 24행이 필요한데 지금은 ",
    "모든 Lane",
    "줄 더 있음: PgDn과 PgUp으로 볼 수 있습니다",
    {{{"n  space  s  →", "이 Warp의 다음 명령"},
      {"p  r  Backspace  ←", "한 명령 뒤로"},
      {"N  P", "다음 소스 줄로, 이전 소스 줄로"},
      {"Home  End", "실행의 처음과 끝"},
      {"[  ]", "이전 셔플, 다음 셔플"},
      {"c  C", "중단점까지 계속, 중단점까지 뒤로"},
      {"b", "선택한 줄의 중단점을 켜거나 끄기"},
      {"h j k l", "Lane과 레지스터 선택; Lane 창에서는 화살표 키도 같음"},
      {"w", "선택한 Lane의 값이 어디에서 왔는지"},
      {"Tab", "다음 창으로: 프로그램, Lane, 응답; ↑ ↓로 그 안에서 이동"},
      {":", "`warpsim step`의 명령: Tab으로 완성, ↑ ↓로 이전 명령"},
      {"q  Ctrl-C", "종료; 명령을 입력하는 중에는 Ctrl-C가 그 입력만 취소"},
      {"* =", "값이 바뀐 칸; 같은 값이 다시 쓰인 칸"},
      {"# o . x", "Lane: 활성, 가드로 꺼짐, 다른 곳에 있음, 끝남"},
      {"▶ ✗ ■ B", "줄: 다음 실행, 트랩, 마지막 실행, 중단점"},
      {"아무 키", "이 화면 닫기"}}}};

inline const TuiWords& tui_words(Language language) {
  return language == Language::Korean ? kTuiWordsInKorean : kTuiWordsInEnglish;
}

}  // namespace warpsim::tools
