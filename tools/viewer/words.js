// Every word of the page, in English and Korean. Nothing else in the page holds text that people read.
//
// Shapes: word(language, key, {name: value}) fills `{name}`. No Korean particle follows a value that is filled in, since 이 or 가
//         depends on its last sound: where one must, C++ writes the text (traces/korean.h) and the notes bring it.

import {ranges} from "./trace.js";

/** @typedef {"en"|"ko"} Language */

/** @type {Record<Language, Record<string, string>>} */
const kWords = {
  en: {
    lanes: "{count} lanes", warp: "Warp {warp}", block: "Block {block}", lane: "Lane {lane}", lanesOf: "Lanes {lanes}", laneShort: "lane",
    warps: "Warps and blocks", program: "Program", wholeText: "Whole text", grid: "Lanes and instructions", inspector: "State",
    first: "To the start", back: "One step back", play: "Play", pause: "Pause", forward: "One step forward",
    last: "To the end", speed: "Speed", position: "Position", previousShuffle: "Previous shuffle",
    nextShuffle: "Next shuffle", fold: "Fold arithmetic", contributions: "Contributions", predict: "Predict",
    theme: "Theme", help: "Keyboard and signs", exportSvg: "Save as SVG", exportPng: "Save as PNG",
    zoomIn: "Wider columns", zoomOut: "Narrower columns", zoomFit: "Fit the columns", transpose: "Turn the grid",
    panels: "Side panels", more: "View", language: "한국어", languageLabel: "한국어로 보기", close: "Close",
    cycle: "cycle {cycle}", of: "{at} of {all}", start: "Start: nothing has run yet.",
    windowCycles: "Cycles {first} to {last} of {of} are shown, {events} of {all} steps. This is the state before cycle {first}.",
    windowCyclesOne: "Cycle {first} of {of} is shown, {events} of {all} steps. This is the state before it.",
    window: "Steps {first} to {last} of {of} are shown. This is the state before step {first}.",
    windowOne: "Step {first} of {of} is shown. This is the state before it.",
    windowVerdict: "This is said of the whole run; only a part of it is shown here.", simulator: "simulator",
    placeLine: "line {line}", placeDone: "done", troubleAt: "{label}, trouble here",
    stopped: "The run stopped there.", stoppedFirst: "The run stopped at its first step: {message}", pictureFailed: "This browser could not draw the picture.",
    registers: "Registers", oneLane: "One lane", allLanes: "All lanes", memory: "Buffers",
    shared: "Shared memory", banks: "32 banks of 4 bytes; a row is 128 bytes.", ways: "{ways}-way bank conflict",
    noConflict: "no bank conflict", why: "Where it comes from", diagnostics: "Diagnostics",
    noDiagnostics: "No finding, no trap.", passed: "The outputs are as expected.",
    failed: "The outputs are not as expected.", notExpected: "This case expects nothing.", trap: "Trap", finding: "Finding",
    jump: "Go there", mask: "Active lanes", maskOf: "{count} of {all}", none: "none", elements: "elements {from} to {to}",
    whyMore: "Show more", whyHint: "Point at a cell, or move to it with the arrow keys.", inputs: "Inputs: {list}",
    inputsNone: "No input went into it.", whyWindow: "What came before the steps shown here is not followed.", whyHead: "{register} of lane {lane}, {when}", step: "step {step}",
    cellValue: "lane {lane}: {value}", cellInactive: "lane {lane}: not active",
    cellUndefined: "lane {lane}: undefined", cellHidden: "lane {lane}: hidden", cellFrom: ", from lane {from}",
    cellChanged: ", changed", cellKeeps: ", keeps its own: no such lane", cellBreak: "Breakpoint on line {line}",
    cellTaken: "lane {lane}: takes the branch", cellNotTaken: "lane {lane}: does not take the branch",
    cellExit: "lane {lane}: done", cellFault: "lane {lane}: at fault", signAtFault: "the trap is this lane's", cellWait: "lane {lane}: waits at the barrier",
    predictTitle: "What comes next?", predictAsk: "Lane {lane} executes {text}. What will {register} hold?",
    predictStore: "Lane {lane} executes {text}. What will it store?",
    predictNothing: "The next step writes no value.", predictGoOn: "Go on",
    predictEnd: "That was the last step.", predictLater: "What went wrong is said once the run has come there.",
    predictHow: "A pair is two numbers: 1, 2. Also 0x1f, inf, nan, true.", predictUnreadable: "“{guess}” is no value that this can hold. It does not count.", predictCheck: "Check", predictSkip: "Tell me",
    predictRight: "Right: lane {lane} holds {value}.", predictWrong: "Not quite: you said {guess}, lane {lane} holds {value}.",
    predictTold: "Lane {lane} holds {value}.", predictScore: "{right} of {all} right", predictAnswer: "Your answer",
    signOffer: "what a lane holds out to the others", signRight: "goes to a higher lane", signLeft: "goes to a lower lane",
    signExit: "the lane is done", signWait: "waits at a barrier", signIdle: "active, without a value of its own",
    signHidden: "hidden until you have said what it is", signDiffers: "differs from the other trace",
    signFault: "a finding or the trap", signBreak: "breakpoint on this line",
    signMarks: "above the slider: exchanges and, full height, faults; where two traces differ",
    signs: "Signs", signChanged: "changed in this step", signInactive: "not active", signUndefined: "undefined: the hardware leaves it open",
    signKeeps: "keeps its own value: the source lane is out of range", signLost: "the source takes no part",
    signFuture: "not yet run", signCurrent: "this step", signTaken: "takes the branch, does not",
    signBus: "a vote or match: all its lanes meet", signStairs: "a scan: a lane gets from those before it",
    signThrough: "a reduction: one value of all lanes, to all", signLit: "part of where the value comes from",
    keys: "Keys", comparison: "Two traces", comparisonPc: "aligned by instruction and occurrence",
    comparisonPhase: "aligned by phase, then by step in it", comparisonStep: "aligned by step number",
    skip: "To the grid",
    key_step: "one step forward, back", key_play: "play, pause", key_ends: "to the start, to the end",
    key_shuffle: "next, previous shuffle", key_run: "run to the next breakpoint, back to the previous one",
    key_break: "breakpoint on the current line", key_fold: "fold arithmetic", key_contributions: "contributions",
    key_predict: "prediction", key_registers: "one lane, all lanes", key_panels: "side panels", key_turn: "turn the grid",
    key_zoom: "wider, narrower, fitting columns", key_warp: "next, previous warp", key_theme: "theme",
    key_language: "language", key_save: "save as SVG, PNG", key_help: "this page of keys",
    cellDiffers: ", differs: {here} here, {there} there", differenceOf: "{name}: {here} here, {there} there",
    differenceFrom: "lane {lane}'s source", differenceMissing: "the other has no such step", andMore: " and {count} more",
    differsHere: "They differ in this step: {list}.", tracesAgree: "All steps that both have are equal.",
    tracesDifferOne: "They differ in one step, {when} (X).",
    tracesDiffer: "They differ in {count} steps, first in {when} (X).", sameOutputs: "The outputs are equal.",
    differentOutputs: "The outputs differ: {list}.",
    otherTrace: "The other trace", key_other: "the other of two traces", key_sides: "program, state",
    previousDifference: "Previous difference", nextDifference: "Next difference", key_difference: "next, previous difference of two traces",
    key_move: "in the grid: from cell to cell", key_go: "in the grid: go to that step",
    key_grid: "to the grid, from anywhere", key_finding: "next finding", nextFinding: "Next finding",
  },
  ko: {
    lanes: "Lane {count}개", warp: "Warp {warp}", block: "블록 {block}", lane: "Lane {lane}", lanesOf: "Lane {lanes}", laneShort: "Lane",
    warps: "Warp와 블록", program: "프로그램", wholeText: "전체 보기", grid: "Lane과 명령어", inspector: "상태",
    first: "처음으로", back: "한 단계 뒤로", play: "재생", pause: "일시 정지", forward: "한 단계 앞으로",
    last: "끝으로", speed: "속도", position: "위치", previousShuffle: "이전 shuffle",
    nextShuffle: "다음 shuffle", fold: "산술 접기", contributions: "기여한 입력", predict: "예측",
    theme: "테마", help: "단축키와 기호", exportSvg: "SVG로 저장", exportPng: "PNG로 저장",
    zoomIn: "열 넓게", zoomOut: "열 좁게", zoomFit: "열 맞추기", transpose: "행과 열 바꾸기",
    panels: "옆 패널", more: "보기", language: "English", languageLabel: "View in English", close: "닫기",
    cycle: "사이클 {cycle}", of: "{at} / {all}", start: "초기 상태: 아직 아무것도 실행되지 않았습니다.",
    windowCycles: "전체 {of} 사이클 중 {first}~{last} 사이클, {all}단계 중 {events}단계를 표시합니다. 지금은 사이클 {first} 직전의 상태입니다.",
    windowCyclesOne: "전체 {of} 사이클 중 사이클 {first}, {all}단계 중 {events}단계를 표시합니다. 지금은 그 직전의 상태입니다.",
    window: "전체 {of}단계 중 {first}~{last}단계를 표시합니다. 지금은 {first}단계 직전의 상태입니다.",
    windowOne: "전체 {of}단계 중 {first}단계를 표시합니다. 지금은 그 직전의 상태입니다.",
    windowVerdict: "전체 실행에 대한 결과이며, 여기에는 그 일부만 표시됩니다.", simulator: "시뮬레이터",
    placeLine: "{line}번째 줄", placeDone: "끝남", troubleAt: "{label}, 문제가 있는 줄",
    stopped: "실행이 그곳에서 멈췄습니다.", stoppedFirst: "첫 단계에서 실행이 멈췄습니다: {message}", pictureFailed: "이 브라우저에서 그림을 그리지 못했습니다.",
    registers: "레지스터", oneLane: "한 Lane", allLanes: "모든 Lane", memory: "버퍼",
    shared: "공유 메모리", banks: "4바이트 뱅크 32개, 한 줄은 128바이트입니다.", ways: "{ways}-way 뱅크 충돌",
    noConflict: "뱅크 충돌 없음", why: "값의 출처", diagnostics: "진단",
    noDiagnostics: "발견된 문제도 트랩도 없습니다.", passed: "출력이 예상과 같습니다.",
    failed: "출력이 예상과 다릅니다.", notExpected: "이 케이스에는 예상 출력이 없습니다.", trap: "트랩", finding: "발견 사항",
    jump: "그 단계로 이동", mask: "활성 Lane", maskOf: "{all}개 중 {count}개", none: "없음", elements: "요소 {from}~{to}",
    whyMore: "더 보기", whyHint: "칸을 가리키거나 화살표 키로 이동하세요.", inputs: "입력: {list}",
    inputsNone: "입력이 쓰이지 않았습니다.", whyWindow: "여기에 표시된 단계보다 앞선 출처는 추적하지 않습니다.", whyHead: "Lane {lane}의 {register}, {when}", step: "{step}단계",
    cellValue: "Lane {lane}: {value}", cellInactive: "Lane {lane}: 비활성",
    cellUndefined: "Lane {lane}: 정의되지 않음", cellHidden: "Lane {lane}: 숨김", cellFrom: ", Lane {from}에서 수신",
    cellChanged: ", 바뀜", cellKeeps: ", 자기 값 유지: 해당 Lane 없음", cellBreak: "{line}번째 줄의 중단점",
    cellTaken: "Lane {lane}: 분기함", cellNotTaken: "Lane {lane}: 분기하지 않음",
    cellExit: "Lane {lane}: 끝남", cellFault: "Lane {lane}: 트랩의 원인", signAtFault: "트랩을 일으킨 Lane", cellWait: "Lane {lane}: barrier에서 대기",
    predictTitle: "다음은 무엇일까요?", predictAsk: "Lane {lane}에서 다음 명령어를 실행합니다: {text} – {register}에는 무엇이 들어갈까요?",
    predictStore: "Lane {lane}에서 다음 명령어를 실행합니다: {text} – 무엇을 저장할까요?",
    predictNothing: "다음 단계는 값을 쓰지 않습니다.", predictGoOn: "계속",
    predictEnd: "마지막 단계였습니다.", predictLater: "문제가 있으면 실행이 그곳에 이르렀을 때 표시합니다.",
    predictHow: "쌍은 두 수로 씁니다: 1, 2. 0x1f, inf, nan, true도 쓸 수 있습니다.", predictUnreadable: "읽을 수 없는 값입니다: “{guess}” – 세지 않습니다.", predictCheck: "확인", predictSkip: "답 보기",
    predictRight: "맞습니다. Lane {lane}의 값은 {value}입니다.", predictWrong: "아닙니다. 입력한 값은 {guess}, Lane {lane}의 값은 {value}입니다.",
    predictTold: "Lane {lane}의 값은 {value}입니다.", predictScore: "{all}개 중 {right}개 정답", predictAnswer: "답",
    signOffer: "Lane이 다른 Lane에 내놓는 값", signRight: "더 높은 Lane으로", signLeft: "더 낮은 Lane으로",
    signExit: "끝난 Lane", signWait: "barrier에서 대기", signIdle: "활성이지만 자기 값이 없음",
    signHidden: "예측할 때까지 숨김", signDiffers: "다른 트레이스와 다름",
    signFault: "발견 사항 또는 트랩", signBreak: "이 줄의 중단점",
    signMarks: "슬라이더 위: 교환, 문제(전체 높이), 두 트레이스가 다른 곳",
    signs: "기호", signChanged: "이 단계에서 바뀜", signInactive: "비활성", signUndefined: "정의되지 않음: 하드웨어가 정하지 않은 값",
    signKeeps: "자기 값 유지: 읽을 Lane이 범위 밖", signLost: "읽을 Lane이 참여하지 않음",
    signFuture: "아직 실행되지 않음", signCurrent: "현재 단계", signTaken: "분기함, 분기하지 않음",
    signBus: "투표 또는 match: 모든 Lane이 만남", signStairs: "스캔: 앞선 Lane들의 값을 받음",
    signThrough: "reduction: 모든 Lane의 값 하나를 모두에게", signLit: "값의 출처에 속함",
    keys: "단축키", comparison: "두 트레이스", comparisonPc: "명령어와 실행 횟수로 맞춤",
    comparisonPhase: "단계와 그 안의 순서로 맞춤", comparisonStep: "순서 번호로 맞춤",
    skip: "격자로",
    key_step: "한 단계 앞으로, 뒤로", key_play: "재생, 일시 정지", key_ends: "처음으로, 끝으로",
    key_shuffle: "다음, 이전 shuffle", key_run: "다음 중단점까지, 이전 중단점까지 실행",
    key_break: "현재 줄에 중단점", key_fold: "산술 접기", key_contributions: "기여한 입력",
    key_predict: "예측", key_registers: "한 Lane, 모든 Lane", key_panels: "옆 패널", key_turn: "행과 열 바꾸기",
    key_zoom: "열 넓게, 좁게, 맞춤", key_warp: "다음, 이전 Warp", key_theme: "테마",
    key_language: "언어", key_save: "SVG, PNG로 저장", key_help: "단축키 보기",
    cellDiffers: ", 다름: 이쪽 {here}, 저쪽 {there}", differenceOf: "{name}: 이쪽 {here}, 저쪽 {there}",
    differenceFrom: "Lane {lane}의 출처", differenceMissing: "다른 쪽에는 없는 단계", andMore: " 외 {count}개",
    differsHere: "이 단계에서 다릅니다: {list}.", tracesAgree: "양쪽에 있는 모든 단계가 같습니다.",
    tracesDifferOne: "한 단계에서만 다릅니다: {when} (X).",
    tracesDiffer: "{count}개 단계에서 다릅니다. 처음: {when} (X).", sameOutputs: "출력이 같습니다.",
    differentOutputs: "출력이 다릅니다: {list}.",
    otherTrace: "다른 트레이스", key_other: "두 트레이스 중 다른 쪽", key_sides: "프로그램, 상태",
    previousDifference: "이전 차이", nextDifference: "다음 차이", key_difference: "두 트레이스의 다음, 이전 차이",
    key_move: "격자에서: 칸 사이 이동", key_go: "격자에서: 그 단계로 이동",
    key_grid: "어디서든 격자로", key_finding: "다음 발견 사항", nextFinding: "다음 발견 사항",
  },
};

/** @param {Language} language @param {string} key @param {Record<string, string|number>} [fill] */
export function word(language, key, fill = {}) {
  const text = kWords[language][key] ?? kWords.en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in fill ? String(fill[name]) : whole));
}

/** "Lane 3", "Lanes 4-7" @param {number[]} lanes @param {Language} language */
export const lanesText = (lanes, language) =>
  (lanes.length === 1 ? word(language, "lane", {lane: lanes[0]}) : word(language, "lanesOf", {lanes: ranges(lanes)}));

/** When event k ran: its cycle, or where the trace has none the number of the step. @param {import("./trace.js").Trace} trace
 * @param {number} k @param {Language} language */
export function whenOf(trace, k, language) {
  const {cycle} = trace.events[k];
  return cycle === null ? word(language, "step", {step: trace.positionOf[k] + 1}) : word(language, "cycle", {cycle});
}

/** Both languages have the same words. */
export const wordKeys = () => ({en: Object.keys(kWords.en), ko: Object.keys(kWords.ko)});
