// Every word of the lessons' own controls, in English and Korean.

/** @type {Record<string, Record<string, string>>} */
const kWords = {
  en: {
    lessons: "Lessons", begin: "Begin", goOn: "Go on", again: "Begin anew", grade: "Check my program", answer: "Check my answers", hint: "Hint",
    nextHint: "Another hint", look: "Show the step", solved: "Solved", notYet: "Not yet", grading: "Checking with inputs that you have not seen …",
    runs: "{right} of {all} runs are right.", allRight: "All {all} runs are right, with inputs that you had not seen, at {lanes} lanes.",
    smallest: "The smallest run that is not: {run}.", showRun: "Show that run", compare: "Beside the documents' solution, step by step",
    sameAsSeen: "Your outputs are those of the case's own inputs, though these are others: compute them.",
    cycles: "Yours takes {own} cycles, the solution {theirs}.", tooSlow: "It is right, but takes {own} cycles; at most {theirs} are asked for.",
    lane: "Lane {lane}", wrongLane: "{wrong} of {asked} lanes are not right yet. The first is lane {first}.", allLanes: "All lanes are right.",
    source: "From which lane does each lane receive?", value: "What does {register} hold on each lane afterwards?",
    first: "Begin with the task, then check.", progress: "{solved} of {all} tasks solved", save: "Save my progress", load: "Load progress",
    clear: "Forget my progress", badFile: "This file holds no progress of the lessons.", previous: "Before", next: "Next", all: "All lessons",
    predict: "predict", complete: "complete", fix: "fix", write: "write", faster: "make faster", fold: "Text of the lesson",
    stays: "What you have solved is kept in this browser alone.", broken: "It could not be checked:",
    lead: "From what a warp is to how many cycles it takes. Each lesson has a program that runs beside its text, and tasks. Your program is checked here, with inputs that you have not seen.",
  },
  ko: {
    lessons: "학습", begin: "시작", goOn: "이어서", again: "처음부터", grade: "내 프로그램 검사", answer: "내 답 검사", hint: "힌트",
    nextHint: "힌트 더 보기", look: "해당 단계 보기", solved: "해결", notYet: "아직 아닙니다", grading: "본 적 없는 입력으로 검사하는 중 …",
    runs: "실행 {all}개 가운데 {right}개가 맞습니다.", allRight: "본 적 없는 입력을 포함한 실행 {all}개가 모두 맞습니다. Lane 수: {lanes}.",
    smallest: "틀린 실행 가운데 가장 작은 것: {run}.", showRun: "그 실행 보기", compare: "문서의 풀이와 나란히 한 단계씩 보기",
    sameAsSeen: "입력이 바뀌었는데도 출력이 사례의 출력과 같습니다. 값을 계산해야 합니다.",
    cycles: "내 프로그램: {own}사이클, 풀이: {theirs}사이클.", tooSlow: "결과는 맞지만 {own}사이클이 걸립니다. {theirs}사이클 이하여야 합니다.",
    lane: "Lane {lane}", wrongLane: "Lane {asked}개 가운데 {wrong}개가 아직 맞지 않습니다. 첫 번째는 Lane {first}입니다.", allLanes: "모든 Lane이 맞습니다.",
    source: "각 Lane은 어느 Lane에서 값을 받을까요?", value: "실행한 뒤 각 Lane의 {register}에는 어떤 값이 있을까요?",
    first: "먼저 과제를 시작한 다음 검사하세요.", progress: "과제 {all}개 가운데 {solved}개 해결", save: "진도 저장", load: "진도 불러오기",
    clear: "진도 지우기", badFile: "이 파일에는 학습 진도가 없습니다.", previous: "이전", next: "다음", all: "모든 학습",
    predict: "예측", complete: "완성", fix: "수정", write: "작성", faster: "더 빠르게", fold: "학습 내용",
    stays: "해결한 과제는 이 브라우저에만 남습니다.", broken: "검사하지 못했습니다:",
    lead: "워프가 무엇인지부터 몇 사이클이 걸리는지까지. 학습마다 글 옆에서 실행되는 프로그램과 과제가 있습니다. 프로그램은 여기서, 본 적 없는 입력으로 검사합니다.",
  },
};

/** @param {string} language @param {string} key @param {Record<string, string|number>} [values] */
export function lessonWord(language, key, values = {}) {
  return ((kWords[language] ?? kWords.en)[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}
