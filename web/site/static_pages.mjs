// The pages that stand still: the front page, the list of programs, a page a program; in English, and in Korean below ko/.
//
// Shapes: a page is {path, text}. What they show is asked of the simulator, which runs here as it does in a browser.

export const kPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src 'self' blob: data:; " +
  "style-src 'self'; base-uri 'none'; form-action 'none'";
const kHero = "p26/butterfly_parallel_max", kHeroLanes = "8";

const kWords = {
  en: {
    lessons: "Lessons", documents: "Documentation", other: "한국어", tagline: "A microscope for GPU warps", playground: "Playground", programs: "Programs",
    lead: "A GPU runs 32 threads side by side, a warp. They pass values to each other without touching memory. Here you see it: " +
      "which lane sends to which, step by step, forwards and backwards.",
    below: "Eight lanes find the largest of their values in three exchanges. Each step, every lane sends what it has and keeps the larger.",
    step: "Step through it", learn: "Learn it in twelve lessons", all: "All programs", tryIt: "Change the program, run it, have it checked: all of it happens in this browser. " +
      "Nothing is installed, and nothing leaves it.",
    open: "Step through it in the playground", text: "The program", diagram: "What happens", lanes: "at {lanes} lanes", pause: "Pause", play: "Play",
    mistake: "This program shows a mistake.", licences: "Licences", source: "Where it comes from", cuda: "In CUDA C++",
    finding: "What the checker says",
  },
  ko: {
    lessons: "학습", documents: "문서 (영어)", other: "English", tagline: "GPU 워프를 들여다보는 현미경", playground: "실험실", programs: "프로그램",
    lead: "GPU는 스레드 32개를 나란히 실행합니다. 이 묶음이 워프입니다. 레인들은 메모리를 거치지 않고 값을 주고받습니다. " +
      "어느 레인이 어느 레인에 보내는지 한 단계씩, 앞으로도 뒤로도 볼 수 있습니다.",
    below: "여덟 레인이 세 번의 교환으로 가장 큰 값을 찾습니다. 단계마다 모든 레인이 가진 값을 보내고 더 큰 값을 남깁니다.",
    step: "한 단계씩 보기", learn: "열두 번에 배우기", all: "모든 프로그램", tryIt: "프로그램을 고치고, 실행하고, 검사하세요. 모두 이 브라우저 안에서 일어납니다. " +
      "설치할 것이 없고, 밖으로 나가는 것도 없습니다.",
    open: "실험실에서 한 단계씩 보기", text: "프로그램", diagram: "일어나는 일", lanes: "레인 {lanes}개", pause: "멈춤", play: "재생",
    mistake: "이 프로그램은 실수를 보여 줍니다.", licences: "라이선스", source: "출처", cuda: "CUDA C++로 쓰면",
    finding: "검사기가 말하는 것",
  },
};

const escaped = (text) => text.replace(/[&<>"]/g, (one) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"})[one]);
const play = (root, program, lanes = "") => `${root}play.html#v=1&amp;program=${encodeURIComponent(program)}${lanes ? `&amp;lanes=${lanes}` : ""}`;

/** A page in its frame. `path` is below the site's root, or below ko/. */
export function page({language, path, title, body, script = "", twin = true}) {
  const word = kWords[language], depth = path.split("/").length - 1 + (language === "ko" ? 1 : 0), root = "../".repeat(depth);
  const here = language === "ko" ? `${root}ko/` : root, there = language === "ko" ? `${root}${path}` : `${root}ko/${path}`;
  const text = `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${kPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="${root}icon.svg">
<link rel="stylesheet" href="${root}pages.css">
</head>
<body>
<nav aria-label="warpsim"><a class="brand" href="${here}index.html">warpsim</a><a href="${root}play.html">${word.playground}</a><a href="${here}lessons.html">${word.lessons}</a><a href="${here}programs.html">${word.programs}</a><a href="${root}text/docs/README.html">${word.documents}</a>
${twin ? `<a class="other" lang="${language === "ko" ? "en" : "ko"}" href="${there}">${word.other}</a>` : ""}</nav>
<main>
${body}
</main>
<footer><a href="${root}licences.txt">${word.licences}</a></footer>
${script ? `<script type="module" src="${root}${script}"></script>\n` : ""}</body>
</html>
`;
  return {path: (language === "ko" ? "ko/" : "") + path, text};
}

/** The exchanges of a run as the front page plays them: the values before, and of each step its title, its sources and its values. */
function story(trace, titles) {
  const register = "%max_val";
  const written = (event) => event.writes?.find(({reg}) => reg === register)?.values;
  const steps = [];
  let from = null, title = "";
  trace.events.forEach((event, k) => {
    if (event.phase) title = titles[k] ?? event.phase.title;
    if (event.exchange) from = event.exchange.from;
    const values = written(event);
    if (!values || (steps.length > 0 && !from)) return;
    steps.push({title, from, values});
    from = null;
  });
  return steps;
}

function frontPage(call, language) {
  const word = kWords[language];
  const {data} = call({verb: "page", names: [kHero], options: {lanes: kHeroLanes}});
  const titles = language === "ko" ? data["notes-0"].titles.ko : {};
  const json = JSON.stringify({steps: story(data["trace-0"], titles), pause: word.pause, play: word.play}).replaceAll("<", "\\u003c");
  const body = `<h1>${word.tagline}</h1>
<p class="lead">${word.lead}</p>
<figure>
<div id="hero" role="img" aria-label="${escaped(word.below)}"></div>
<figcaption>${word.below}</figcaption>
</figure>
<p class="go"><a class="button" href="${play(language === "ko" ? "../" : "", kHero, kHeroLanes)}">${word.step}</a> <a class="button" href="lessons.html">${word.learn}</a> <a class="button plain" href="programs.html">${word.all}</a></p>
<p>${word.tryIt}</p>
<script type="application/json" id="story">${json}</script>`;
  return page({language, path: "index.html", title: `warpsim: ${word.tagline}`, body, script: "front.js"});
}

function listPage(groups, language) {
  const word = kWords[language];
  const body = groups.map(({name, title, programs}) => `<h2 id="${name}" lang="en">${escaped(title)}</h2>\n<ul class="list">\n${programs.map((one) =>
    `<li><a href="programs/${one.name}.html"${one.ko && language === "ko" ? "" : ` lang="en"`}>${escaped((language === "ko" && one.ko) || one.title)}</a> <code>${one.name}</code></li>`).join("\n")}\n</ul>`);
  return page({language, path: "programs.html", title: `${word.programs} – warpsim`, body: `<h1>${word.programs}</h1>\n${body.join("\n")}`});
}

function programPage(call, one, language) {
  const word = kWords[language], root = language === "ko" ? "../../../" : "../../";
  const shown = (options) => call({verb: "trace", names: [one.name], options: {format: "text", lang: language, lanes: kHeroLanes, ...options}});
  const small = shown({}), whole = small.out ? small : shown({lanes: "32"});
  const lanes = small.out ? kHeroLanes : "32", title = (language === "ko" && one.ko) || one.title;
  const part = (heading, text, of) => (text ? `<h2>${heading}</h2>\n<pre tabindex="0"${of === "en" ? " lang=\"en\"" : ""}>${escaped(text.trimEnd())}</pre>\n` : "");
  const body = `<h1>${escaped(title)}</h1>
<p><code>${one.name}</code>${one.name.startsWith("bugs/") && !one.name.endsWith("_fixed") ? ` · ${word.mistake}` : ""}</p>
<p class="go"><a class="button" href="${play(root, one.name, lanes)}">${word.open}</a></p>
${part(word.finding, one.found, "en")}${part(`${word.diagram}, ${word.lanes.replace("{lanes}", lanes)}`, whole.out, language)}${part(word.text, one.text, "en")}${part(word.cuda, one.cuda, "en")}`;
  return page({language, path: `programs/${one.name}.html`, title: `${title} – warpsim`, body});
}

/** Of the documentation, which is English. @param {{path: string, title: string, body: string}[]} documents */
export const documentPages = (documents) => documents.map(({path, title, body}) =>
  page({language: "en", path: `text/${path}`, title: `${title} – warpsim`, body, twin: false}));

/** All but those. @param {(request: object) => any} call @param {{name: string, title: string}[]} listed */
export function staticPages(call, listed) {
  const programs = listed.map(({name, title}) => {
    const {data} = call({verb: "page", names: [name], options: {}});
    const found = name.startsWith("bugs/") && !name.endsWith("_fixed") ? call({verb: "check", names: [name], options: {advice: true}}).err : "";
    return {name, title, found, ko: data?.["notes-0"].name?.ko ?? "", cuda: data?.["cuda-0"] ?? "", text: JSON.parse(call({verb: "show", names: [name], options: {json: true}}).out).result.text};
  });
  const titles = new Map(call({verb: "list", options: {bugs: true}}).out.split("\n").flatMap((line) => {
    const found = /^([a-z]\w*): (.*)$/.exec(line);
    return found ? [[found[1], found[2]]] : [];
  }));
  const groups = [...titles].map(([name, title]) => ({name, title, programs: programs.filter((one) => one.name.startsWith(`${name}/`))}));
  return ["en", "ko"].flatMap((language) => [frontPage(call, language), listPage(groups, language), ...programs.map((one) => programPage(call, one, language))]);
}
