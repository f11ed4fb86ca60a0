// Every word of the element's own, in English and Korean. Those of the grid are in tools/viewer/words.js.

/** @typedef {"en"|"ko"} Language */

/** @type {Record<Language, Record<string, string>>} */
const kWords = {
  en: {
    loading: "Loading …", open: "Open in the playground", diagram: "warpsim: {title}",
    notLoaded: "The diagram could not be loaded: {text}",
    policy: "This page's Content-Security-Policy forbids it. Add to the policy: {list}",
    noText: "warp-sim: give it a program: src=\"p26/butterfly_parallel_max\", src=\"mine.warp\", or the program's text in a <script type=\"text/warp\"> inside.",
    noFile: "{url} could not be read: {text}", tooLong: "The program ran for {seconds} seconds and was stopped.",
    broken: "The simulator stopped: {text}", badLanes: "lanes=\"{text}\": expected 1, 2, 4, 8, 16, 32 or 64",
    badStep: "step=\"{text}\": expected a number of steps, from 0",
  },
  ko: {
    loading: "불러오는 중 …", open: "실험실에서 열기", diagram: "warpsim: {title}",
    notLoaded: "그림을 불러오지 못했습니다: {text}",
    policy: "이 페이지의 Content-Security-Policy가 막고 있습니다. 정책에 추가하세요: {list}",
    noText: "warp-sim: 프로그램이 필요합니다: src=\"p26/butterfly_parallel_max\", src=\"mine.warp\", 또는 안에 있는 <script type=\"text/warp\">의 텍스트.",
    noFile: "읽을 수 없는 파일: {url} ({text})", tooLong: "프로그램을 {seconds}초 동안 실행하고 중지했습니다.",
    broken: "시뮬레이터가 멈췄습니다: {text}", badLanes: "lanes=\"{text}\": 1, 2, 4, 8, 16, 32, 64 중 하나여야 합니다",
    badStep: "step=\"{text}\": 0부터 세는 단계 수여야 합니다",
  },
};

/** @param {Language} language @param {string} key @param {Record<string, string|number>} [values] */
export function embedWord(language, key, values = {}) {
  return kWords[language][key].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}
