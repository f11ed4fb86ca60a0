// Every word of the site's own controls, in English and Korean. Those of the grid and its panels are in tools/viewer/words.js.

/** @typedef {"en"|"ko"} Language */

/** @type {Record<Language, Record<string, string>>} */
const kWords = {
  en: {
    programs: "Programs", case: "Case", lanes: "Lanes", profile: "Time", noProfile: "one step a cycle",
    run: "Run", check: "Check", advice: "With advice", ptx: "PTX", ptxHint: "The program as PTX, as a GPU runs it", compare: "Compare", stop: "Stop", edit: "Edit", revert: "As it was", link: "Copy link", copied: "The link is copied.",
    besides: "What runs beside it", alone: "alone", beside: "beside {name}", besideOriginal: "beside the original",
    inputs: "Inputs", rule: "{name}: a rule or a list, as 2*i or 1,2,3", noInputs: "This program has no inputs.", asCase: "As the case has them",
    running: "Running …", checking: "Checking …", loading: "Loading the simulator …", stopped: "Stopped.",
    editor: "The program's text", results: "Results", close: "Close", found: "There are results below.",
    broken: "The simulator stopped: {text}", notLoaded: "The simulator could not be loaded: {text}",
    tooLong: "It ran for {seconds} seconds and was stopped.", badLink: "The link is damaged: its program could not be read.",
    launchWarps: "Warps a block", launchBlocks: "Blocks", launchResident: "Blocks at once", launchSms: "SMs", launchScheduler: "Scheduler", launchOwn: "as the profile has it",
    launchSize: "The parameter size is as many as there are threads.",
    runHint: "Run (Ctrl+Enter)", applies: "Put {text} there", takesAway: "Take {text} away",
    launchBelow: "Below the PTX write how it is launched, from a line such as this on:\n\n.kernel saxpy (in x: f32[n], inout y: f32[n], param a: f32, param n: u32)\n.case test\n    n = 8\n    a = 2.5\n    x = i\n    y = 1\n",
  },
  ko: {
    programs: "프로그램", case: "사례", lanes: "레인", profile: "시간", noProfile: "한 사이클에 한 단계",
    run: "실행", check: "검사", advice: "조언도", ptx: "PTX", ptxHint: "GPU가 실행하는 PTX로 보기", compare: "비교", stop: "중지", edit: "편집", revert: "처음대로", link: "링크 복사", copied: "링크를 복사했습니다.",
    besides: "나란히 볼 것", alone: "혼자", beside: "{name} 옆에", besideOriginal: "원본 옆에",
    inputs: "입력", rule: "{name}: 규칙이나 목록, 예를 들어 2*i 또는 1,2,3", noInputs: "이 프로그램에는 입력이 없습니다.", asCase: "사례대로",
    running: "실행 중 …", checking: "검사 중 …", loading: "시뮬레이터를 불러오는 중 …", stopped: "중지했습니다.",
    editor: "프로그램 텍스트", results: "결과", close: "닫기", found: "아래에 결과가 있습니다.",
    broken: "시뮬레이터가 멈췄습니다: {text}", notLoaded: "시뮬레이터를 불러오지 못했습니다: {text}",
    tooLong: "{seconds}초 동안 실행하고 중지했습니다.", badLink: "링크가 손상되어 프로그램을 읽을 수 없습니다.",
    launchWarps: "블록당 Warp", launchBlocks: "블록", launchResident: "동시에 있는 블록", launchSms: "SM", launchScheduler: "스케줄러", launchOwn: "프로파일대로",
    launchSize: "매개변수 size는 스레드 수와 같습니다.",
    runHint: "실행 (Ctrl+Enter)", applies: "바꾸기: {text}", takesAway: "지우기: {text}",
    launchBelow: "PTX 아래에 다음과 같은 줄부터 실행 방법을 적으세요:\n\n.kernel saxpy (in x: f32[n], inout y: f32[n], param a: f32, param n: u32)\n.case test\n    n = 8\n    a = 2.5\n    x = i\n    y = 1\n",
  },
};

/** @param {Language} language @param {string} key @param {Record<string, string|number>} [values] */
export function siteWord(language, key, values = {}) {
  return (kWords[language][key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}
