// A lesson: its text beside the playground, and its tasks, which the simulator checks.
//
// Shapes: the article stands in the page (pages.mjs), a section a task with its data; this gives the sections their controls. A
//         program that a task begins with is the playground's text; `warpsim grade` says whether it is right.

import {byId, make} from "../../tools/viewer/dom.js";
import {Progress} from "./progress.js";
import {lessonWord} from "./words.js";

/** @typedef {{lanes: number, case: string, instruction: string, register: string, event: number, asked: boolean[]}} Question */
/** @typedef {{name: string, kind: string, program: string, hints: number, start?: string, begins: string, question?: Question}} Task */
/** @typedef {{run: string, case: string, lanes: number, inputs: Record<string, string>, params: Record<string, string>, message: string, same_as_seen: boolean}} Feedback */
/** @typedef {{solved: boolean, runs: {lanes: number, status: string}[], feedback: Feedback|null, cycles?: number, solution_cycles?: number}} Verdict */

const kFile = "mine.warp", kAnswers = "answers.txt";

/** What a lesson needs of the playground. @typedef {{
 *   begin: (chosen: Partial<import("../site/link.js").Chosen>, place?: string) => Promise<boolean>, asks: () => void, edits: () => Promise<unknown>, text: () => string|null,
 *   ask: (request: import("../site/machine.js").Request, doing?: string) => Promise<import("../site/machine.js").Answer|null>}} Host */

class TaskSection {
  /** @param {HTMLElement} section @param {Lesson} lesson */
  constructor(section, lesson) {
    this.lesson = lesson;
    this.section = section;
    /** @type {Task} */
    this.task = JSON.parse(section.dataset.task ?? "{}");
    this.buttons = make("p", "doing", section);
    const predicts = this.task.kind === "predict";
    /** @type {HTMLInputElement[]} */
    this.fields = predicts ? this.#askLanes() : [];
    if (predicts) this.buttons.before(/** @type {HTMLElement} */ (this.fields[0].closest("fieldset")));
    this.beginButton = this.#button(predicts ? "look" : this.done.text === undefined ? "begin" : "goOn", () => this.begin());
    this.anewButton = predicts ? null : this.#button("again", () => this.begin(true));
    this.gradeButton = this.#button(predicts ? "answer" : "grade", () => this.grade());
    this.hintButton = this.#button("hint", () => this.hint());
    this.hints = make("ol", "hints", section);
    this.said = make("div", "said", section);
    this.said.setAttribute("role", "status");
    if (!predicts) this.gradeButton.disabled = true;
    this.#mark();
  }

  get done() { return this.lesson.progress.of(this.task.name); }
  /** @param {string} key @param {Record<string, string|number>} [values] */
  word(key, values) { return lessonWord(this.lesson.language, key, values); }

  /** @param {string} key @param {() => unknown} does @param {HTMLElement} [where] */
  #button(key, does, where = this.buttons) {
    const button = make("button", "text", where, this.word(key));
    button.type = "button";
    button.addEventListener("click", () => void does());
    where.append(" ");
    return button;
  }

  /** A field a lane that is asked. */
  #askLanes() {
    const {asked, register} = /** @type {Question} */ (this.task.question), box = make("fieldset", "answers", this.section);
    make("legend", "", box, register ? this.word("value", {register}) : this.word("source"));
    const before = (this.done.text ?? "").split(",");
    return asked.map((is, lane) => {
      const label = make("label", "", box, this.word("lane", {lane})), input = make("input", "", label);
      Object.assign(input, {autocomplete: "off", inputMode: "text", value: is ? before[lane] ?? "" : "–", disabled: !is});
      return input;
    });
  }

  left() {
    this.gradeButton.disabled = true;
    this.beginButton.textContent = this.word("goOn");
  }

  #mark() {
    this.section.classList.toggle("solved", Boolean(this.done.solved));
    const mark = this.section.querySelector(".mark");
    if (mark) mark.textContent = this.done.solved ? `✓ ${this.word("solved")}` : "";
    if (this.anewButton) this.anewButton.hidden = this.done.text === undefined;
    this.hintButton.hidden = (this.task.hints ?? 0) === 0 || this.hints.childElementCount >= this.task.hints;
    this.lesson.mark();
  }

  /** @param {boolean} [anew] */
  async begin(anew = false) {
    const {host} = this.lesson, {task} = this, {question} = task;
    if (question) {
      const one = {program: task.program, text: null, inputs: {}, case: question.case, lanes: String(question.lanes), profile: "", beside: ""};
      if (await host.begin(one, `#v=1&step=${question.event}`)) host.asks();
      return this.lesson.toRun();
    }
    this.lesson.leave();
    this.lesson.current = this;
    const text = (anew ? undefined : this.done.text) ?? task.start ?? "";
    await host.begin({program: task.begins, text, inputs: {}, case: "", lanes: "8", profile: task.kind === "faster" ? "h200" : "", beside: ""});
    await host.edits();
    this.lesson.toRun();
    this.gradeButton.disabled = false;
    this.lesson.progress.keep(task.name, {text});
    this.#mark();
  }

  async hint() {
    const grade = this.hints.childElementCount + 1;
    const answer = await this.lesson.host.ask({verb: "grade", names: [this.task.name], options: {json: true, lang: this.lesson.language, hint: String(grade)}}, "loading");
    if (!answer || answer.code !== 0) return;
    make("li", "", this.hints, JSON.parse(answer.out).result.hint);
    this.hintButton.textContent = this.word("nextHint");
    this.lesson.progress.keep(this.task.name, {hints: grade});
    this.#mark();
  }

  async grade() {
    const {host} = this.lesson, predicts = this.fields.length > 0;
    const text = predicts ? this.fields.map(({value, disabled}) => (disabled ? "-" : value.trim().replace(/[\s,]/g, "") || "?")).join(",") : host.text();
    if (text === null) return this.say(this.word("first"), false);
    this.lesson.progress.keep(this.task.name, {text});
    this.say(this.word("grading"), null);
    const file = predicts ? kAnswers : kFile;
    const answer = await host.ask({verb: "grade", names: [this.task.name, file], files: {[file]: text}, options: {json: true, lang: this.lesson.language}}, "checking");
    if (!answer) return this.say("", null);
    const {result, diagnostics} = JSON.parse(answer.out);
    if (!result?.name) return this.say(`${this.word("broken")} ${diagnostics?.map((/** @type {{message: string, line?: number}} */ one) => `${one.line ? `${one.line}: ` : ""}${one.message}`).join("; ")}`, false);
    if (result.solved) this.lesson.progress.keep(this.task.name, {solved: true});
    if (predicts) this.#sayAnswers(result);
    else this.#sayVerdict(result);
    this.#mark();
  }

  /** @param {{solved: boolean, wrong: number, asked: number, first_wrong: number|null}} result */
  #sayAnswers({solved, wrong, asked, first_wrong}) {
    this.say(solved ? this.word("allLanes") : this.word("wrongLane", {wrong, asked, first: first_wrong ?? 0}), solved);
  }

  /** @param {Verdict} verdict */
  #sayVerdict({solved, runs, feedback, cycles, solution_cycles}) {
    const all = runs.length, right = runs.filter(({status}) => status === "right").length;
    const both = {own: cycles ?? 0, theirs: solution_cycles ?? 0}, lanes = [...new Set(runs.map((one) => one.lanes))].join(", ");
    if (solved) {
      this.say(`${this.word("allRight", {all, lanes})}${cycles ? ` ${this.word("cycles", both)}` : ""}`, true);
      this.#button("compare", () => this.lesson.host.begin({text: this.lesson.host.text(), beside: this.task.program, inputs: {}}), this.said);
    } else if (!feedback) {
      this.say(this.word("tooSlow", both), false);
    } else {
      this.say(`${this.word("runs", {right, all})} ${this.word("smallest", {run: feedback.run})}`, false);
      make("p", "", this.said, feedback.message);
      if (feedback.same_as_seen) make("p", "", this.said, this.word("sameAsSeen"));
      this.#button("showRun", () => this.lesson.host.begin({case: feedback.case === "test" ? "" : feedback.case, lanes: String(feedback.lanes),
        inputs: {...feedback.inputs, ...feedback.params}, beside: ""}), this.said);
    }
  }

  /** @param {string} text @param {boolean|null} good */
  say(text, good) {
    this.said.replaceChildren();
    this.said.className = `said ${good === null ? "" : good ? "good" : "bad"}`;
    if (text) make("p", "", this.said, good === null ? text : `${this.word(good ? "solved" : "notYet")}. ${text}`);
  }
}

export class Lesson {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.article = byId("lesson");
    this.language = this.article.dataset.language ?? "en";
    this.progress = new Progress();
    /** @type {TaskSection|null} */
    this.current = null;
    /** @type {TaskSection[]} */
    this.sections = [];
    for (const section of /** @type {NodeListOf<HTMLElement>} */ (this.article.querySelectorAll("section.task"))) this.sections.push(new TaskSection(section, this));
    this.mark();
    this.article.addEventListener("click", (event) => {
      if (event.target instanceof Element && event.target.closest("a[href^='#v=1']")) this.toRun();
    });
  }

  /** On a narrow screen the run is below the text. */
  toRun() {
    if (window.matchMedia("(max-width: 900px)").matches) byId("site").scrollIntoView();
  }

  mark() {
    const line = this.article.querySelector(".progress");
    if (line) line.textContent = lessonWord(this.language, "progress", {solved: this.sections.filter(({done}) => done.solved).length, all: this.sections.length});
  }

  /** Another program is shown: what is written from now on is no task's. */
  leave() {
    if (this.current) this.current.left();
    this.current = null;
  }

  /** What the reader has written, once it has changed. @param {string} text */
  changed(text) {
    if (this.current) this.progress.keep(this.current.task.name, {text});
  }

  /** Where "as it was" leads: the text that the task begins with; null: no task has been begun. */
  get start() { return this.current?.task.start ?? null; }
}
