// The lessons as pages: the playground's page with an article beside it, and the list of them; in English, and in Korean below ko/.
//
// Shapes: NN-NAME.md is lessons/NAME.html. In it `{{task NAME}}` is a task, and a link to #v=1&… is the playground's place, which the
//         page goes to at a click; the first one is where it opens. What a task asks comes from `warpsim grade`.
// Errors: a task that is in no lesson, or in two, and a link of other members stop the build.
import {readFileSync, readdirSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {lessonWord} from "./words.js";

const here = dirname(fileURLToPath(import.meta.url));
const escaped = (text) => text.replace(/[&<>"]/g, (one) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"})[one]);

/** What the simulator says of the tasks in a language, by name. */
function tasksIn(call, lang) {
  const asked = (names) => JSON.parse(call({verb: "grade", names, options: {json: true, lang}}).out).result;
  return new Map(asked([]).tasks.map(({name}) => [name, asked([name])]));
}

/** @param {any} task  of `warpsim grade` */
function taskSection(task, language, parse) {
  const {name, kind, program, hints, start, question} = task;
  const data = {name, kind, program, hints, start, question, begins: kind === "fix" || kind === "faster" ? task.begins : ""};
  return `<section class="task" data-task="${escaped(JSON.stringify(data))}" aria-label="${escaped(task.title)}">
<h2><span class="kind">${lessonWord(language, kind)}</span> ${escaped(task.title)} <span class="mark"></span></h2>
${parse(task.text)}</section>`;
}

/** @returns {{name: string, title: string, first: string, tasks: string[], body: string}} */
function lessonOf(file, language, tasks, parse) {
  const text = readFileSync(join(here, language === "ko" ? "ko" : "", file), "utf8"), names = [];
  const body = text.replace(/^\{\{task ([\w/]+)\}\}$/gm, (_, name) => {
    if (!tasks.has(name)) throw new Error(`${file}: there is no task ${name}`);
    names.push(name);
    return taskSection(tasks.get(name), language, parse);
  });
  const links = [...text.matchAll(/\]\((#[^)]*)\)/g)].map(([, link]) => link);
  for (const link of links) if (!/^#v=1(&(program|case|lanes|step|warp|lane|profile|beside)=[\w/:.-]+)+$/.test(link)) throw new Error(`${file}: ${link} is no place of the playground`);
  if (links.length === 0) throw new Error(`${file} shows no program`);
  return {name: file.replace(/^\d+-|\.md$/g, ""), title: /^# (.*)$/m.exec(text)?.[1] ?? file, first: links[0], tasks: names, body: parse(body)};
}

/** @param {(request: object) => any} call @param {(options: object) => string} play  the playground's page @param {(options: object) => object} still  a page of the site
 * @param {(markdown: string) => string} parse  into HTML */
export function lessonPages(call, play, still, parse) {
  const files = readdirSync(here).filter((name) => /^\d\d-[\w-]+\.md$/.test(name)).sort();
  return ["en", "ko"].flatMap((language) => {
    const tasks = tasksIn(call, language), lessons = files.map((file) => lessonOf(file, language, tasks, parse));
    const used = lessons.flatMap((one) => one.tasks), root = language === "ko" ? "../../" : "../", prefix = language === "ko" ? "ko/" : "";
    for (const name of tasks.keys()) if (used.filter((one) => one === name).length !== 1) throw new Error(`${name} is not in one lesson`);
    const word = (key, values) => lessonWord(language, key, values);
    const link = (one, key) => (one ? `<a href="${one.name}.html">${word(key)}: ${escaped(one.title)}</a>` : "");
    const pages = lessons.map((one, k) => ({path: `${prefix}lessons/${one.name}.html`, text: play({
      root, language, title: `${one.title} – warpsim`, lesson: `<aside id="lesson" data-language="${language}" data-first="${escaped(one.first)}" lang="${language}" aria-label="${escaped(one.title)}" tabindex="-1">
<p class="where"><a href="../lessons.html">${word("all")}</a> · <span class="progress"></span></p>
${one.body}
<p class="around">${link(lessons[k - 1], "previous")} ${link(lessons[k + 1], "next")}</p></aside>`})}));
    const items = lessons.map((one) => `<li><a href="lessons/${one.name}.html">${escaped(one.title)}</a> <span class="solved" data-tasks="${one.tasks.join(" ")}"></span></li>`);
    const body = `<h1>${word("lessons")}</h1>\n<p class="lead">${word("lead")}</p>\n<ol class="list lessons">\n${items.join("\n")}\n</ol>
<p>${word("stays")}</p>
<p class="go"><button id="saveProgress">${word("save")}</button> <label class="button plain">${word("load")} <input id="loadProgress" type="file" accept="application/json"></label> <button id="clearProgress">${word("clear")}</button></p>
<p id="progressSaid" role="status"></p>`;
    return [...pages, still({language, path: "lessons.html", title: `${word("lessons")} – warpsim`, body, script: "lesson_list.js"})];
  });
}
