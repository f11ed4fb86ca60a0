// The playground: a program of the catalogue or one's own, run here and stepped through; the page of `warpsim view` with an editor in
// the place of the program's text, and a bar above it.
//
// Shapes: what is chosen is `chosen` (link.js) and stands in the address. A run is a request for the page's data; App shows it.

import {App} from "../../tools/viewer/app.js";
import {byId} from "../../tools/viewer/dom.js";
import {listen, listenToGrids} from "../../tools/viewer/listen.js";
import {goTo, membersOf} from "../../tools/viewer/place.js";
import {Trace} from "../../tools/viewer/trace.js";
import {View} from "../../tools/viewer/view.js";
import {chosenBy, fileOf, filesOf, kPlain, membersFor} from "./link.js";
import {fillBar} from "./bar.js";
import {fillInputs} from "./inputs.js";
import {fillLaunch, kAsCase, launchOptions} from "./multiprocessor.js";
import {kFirst, languageAtFirst, readyName} from "./ready.js";
import {NotLoaded, Simulator, Stopped} from "./simulator.js";
import {siteWord} from "./words.js";

/** @typedef {import("./machine.js").Answer} Answer */
/** @typedef {import("./bar.js").Listed} Listed */

const kMostRun_ms = 20_000, kLong_ms = 500;  // to begin the simulator anew takes about as long

/** @type {import("./link.js").Chosen} */
const kNothing = {program: kFirst, text: null, inputs: {}, case: "", lanes: "", profile: "", beside: "", ...kAsCase};

/** What the page says of its lesson, if it is one. @param {string} name */
const byLesson = (name) => document.getElementById("lesson")?.dataset[name];

class Playground {
  constructor() {
    const early = Reflect.get(window, "early");
    this.simulator = new Simulator(new URL("worker.js", import.meta.url), early);
    /** @type {{name: string, answer: Promise<Answer|null>}|null}  the first run, where the site has it ready */
    this.ready = early?.ready ?? null;
    /** @type {import("./link.js").Chosen} */
    this.chosen = kNothing;
    /** @type {Listed[]} */
    this.listed = [];
    /** @type {App|null} */
    this.app = null;
    /** @type {import("./editor.js").Editor|null} */
    this.editor = null;
    /** @type {Promise<void>|null} */
    this.editorComes = null;
    /** @type {string|null} */
    this.original = null;  // the catalogue's text of the program; null: not read yet
    this.warming = false;  // whether the simulator runs what is shown already
    this.choice = 0;  // counts what is chosen: an answer to an earlier choice is not shown
    this.open = 0;  // requests without an answer
    this.shownIn = this.language;
    /** @type {import("../lessons/lesson.js").Lesson|null} */
    this.lesson = null;
    this.advises = false;  // whether the check says what could be faster, too
    /** @type {any} */
    this.data = null;  // the trace that is shown, as it came
  }

  get language() { return this.app?.language ?? languageAtFirst(); }
  /** @param {string} key @param {Record<string, string|number>} [values] */
  word(key, values) { return siteWord(/** @type {"en"|"ko"} */ (this.language), key, values); }

  /** The picture first, then the lists. */
  async begin() {
    this.#listen();
    this.say(this.word("loading"));
    await this.#goToAddress(location.hash || (byLesson("first") ?? ""));
    document.documentElement.dataset.shown = performance.now().toFixed(1);
    // It fetches all files once more. A page that was opened from a disk, or in a window that keeps nothing, has no such worker.
    navigator.serviceWorker?.register(new URL("offline.js", import.meta.url)).catch(() => {});
    this.listed = await (await fetch(new URL("programs.json", import.meta.url))).json();
    for (const one of this.listed) one.twins = this.listed.filter(({twin_of}) => twin_of && twin_of === one.name).map(({name}) => name);
    for (const one of this.listed) if (one.twin_of) one.twins?.push(one.twin_of);
    this.fillBar();
    if (byLesson("first")) await this.#makeLesson();
    document.documentElement.dataset.ready = performance.now().toFixed(1);
  }

  /** The simulator comes behind a picture that did without, and runs the same once: then what it runs with is compiled before something is
   * changed. @param {import("./machine.js").Request} request */
  async #warm(request) {
    const loading = this.word("loading");
    this.say(loading);
    this.warming = true;
    try {
      await this.simulator.ask(request, kMostRun_ms);
    } catch (error) {
      if (error instanceof NotLoaded) this.show(this.word("notLoaded", {text: error.message}));
    }
    this.warming = false;
    if (byId("saying").textContent === loading) this.say("");
  }

  async #makeLesson() {
    const {Lesson} = await import("../lessons/lesson.js");
    this.lesson = new Lesson({
      begin: (chosen, place) => this.#begin(chosen, place), asks: () => this.#hideAhead(), edits: async () => byId("editing").hidden && this.edit(),
      text: () => this.chosen.text, ask: (request, doing) => this.#ask(request, doing),
    });
  }

  /** What comes after this step is not shown, as in prediction. */
  #hideAhead() {
    for (const view of this.app?.views ?? []) view.predicting = true;
    this.app?.layOut();
  }

  /** What a lesson chooses. @param {Partial<import("./link.js").Chosen>} chosen @param {string} [place] */
  async #begin(chosen, place = "") {
    this.chosen = {...this.chosen, ...kAsCase, ...chosen};
    this.original = null;
    this.fillBar();
    await this.#fillEditor();
    return this.run(place);
  }

  /** Runs what an address chooses, and goes to its place in the run. @param {string} address */
  async #goToAddress(address) {
    const members = membersOf(address), chosen = await chosenBy(members);
    if (this.app) {  // the address stays until there is the run that it means
      clearTimeout(this.app.address.timer);
      this.app.address.begun = false;
    }
    const choice = ++this.choice;
    this.chosen = {...chosen, program: chosen.program || kFirst};
    this.original = null;
    const ran = await this.run(members.size > 0 ? address : "");
    if (choice + 1 !== this.choice) return;  // something else was chosen meanwhile
    if (ran && members.has("text") && chosen.text === null) this.show(this.word("badLink"));
    if (!ran && !this.app) await this.#showAnother();
    if (!ran && this.chosen.text !== null && byId("editing").hidden) await this.edit();
    await this.#keep();
    if (this.app) this.app.address.begun = true;
  }

  /** Something to look at beside the message that what was chosen does not run. */
  async #showAnother() {
    const said = byId("resultsText").textContent ?? "", {text, program} = this.chosen;
    for (const name of text === null ? [kFirst] : [program, kFirst]) {
      this.chosen = {...kNothing, program: name};
      if (await this.run()) break;
    }
    this.chosen.text = text;
    this.show(said);
  }

  /** Another link in the same tab. @param {string} address  as it came: the page's own may be written meanwhile, for the run before */
  async #follow(address) {
    const members = membersOf(address);
    if (members.size === 0) return;  // a place of the page, as #panes
    const chosen = await chosenBy(members), now = this.chosen;
    const same = ["text", "inputs", ...kPlain].every((name) => JSON.stringify(Reflect.get(chosen, name)) === JSON.stringify(Reflect.get(now, name)));
    if (same && (chosen.program || kFirst) === now.program) return;  // the place in the run: listen.js goes there
    this.lesson?.leave();
    await this.#goToAddress(address);
    await this.#fillEditor();
    this.fillBar();
  }

  /** An answer, or null after it was said why there is none. @param {import("./machine.js").Request} request @param {string} [doing]
   * @returns {Promise<Answer|null>} */
  async #ask(request, doing = "running") {
    const choice = this.choice;
    ++this.open;
    byId("stop").hidden = false;
    this.say(this.word(doing));
    try {
      return await this.simulator.ask(request, kMostRun_ms);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (choice !== this.choice) return null;  // of what nobody waits for any more
      if (error instanceof NotLoaded) this.show(this.word("notLoaded", {text}));
      else if (!(error instanceof Stopped)) this.show(this.word("broken", {text}));
      else this.show(text === "stopped" ? this.word("stopped") : this.word("tooLong", {seconds: kMostRun_ms / 1000}));
      return null;
    } finally {
      if (--this.open === 0) {
        this.#hide("stop", "runButton");
        this.say("");
      }
    }
  }

  /** Hides an element; a focus that it has goes to another. @param {string} id @param {string} next */
  #hide(id, next) {
    if (byId(id).contains(document.activeElement)) byId(next).focus();
    byId(id).hidden = true;
  }

  /** The catalogue's text of the program; null where it could not be read. @returns {Promise<string|null>} */
  async #readOriginal() {
    const {program} = this.chosen;
    if (this.original !== null) return this.original;
    const answer = await this.#ask({verb: "show", names: [program], options: {json: true}}, "loading");
    if (program !== this.chosen.program || !answer) return null;
    return (this.original = JSON.parse(answer.out).result?.text ?? null);
  }

  async #fillEditor() {
    const text = this.chosen.text ?? await this.#readOriginal();
    if (this.editor && text !== null) this.editor.text = text;
  }

  /** What runs: the program's name, or the text as a file; of two the one beside it is the second. */
  #what() {
    const {text, program, lanes, profile, beside} = this.chosen, name = text === null ? program : fileOf(text);
    /** @type {Record<string, string|boolean|string[]>} */
    const options = {lang: this.language};
    if (this.chosen.case) options.case = this.chosen.case;
    if (lanes) options.lanes = lanes;
    if (profile) options.profile = profile;
    Object.assign(options, launchOptions(this.chosen, profile !== ""));
    return {names: [name], files: text === null ? {} : filesOf(text), beside: beside === name ? "" : beside, options};
  }

  /** The changed inputs as options: of a buffer and of a number they are different ones.
   * @param {{names: string[], files: Record<string, string>}} what @returns {Promise<Record<string, string[]>|null>}  null: it was stopped */
  async #inputOptions({names, files}) {
    const given = Object.entries(this.chosen.inputs);
    if (given.length === 0) return {};
    const words = (/** @type {Set<string>} */ of, /** @type {boolean} */ are) => given.filter(([name]) => of.has(name) === are).map(([name, text]) => `${name}=${text}`);
    if (names[0] === "mine.ptx") {  // whose kernel says nothing of buffers
      const numbers = new Set([...(files["mine.launch"] ?? "").matchAll(/[(,]\s*param\s+(\w+)/g)].map(([, name]) => name));
      return {input: words(numbers, false), param: words(numbers, true)};
    }
    const answer = await this.#ask({verb: "kernels", names, files, options: {json: true}});
    if (!answer) return null;
    /** @type {{name: string, type: string}[]} */
    const params = JSON.parse(answer.out).result?.kernels?.[0]?.params ?? [];
    const numbers = new Set(params.filter(({type}) => type.startsWith("param ")).map(({name}) => name));
    return {input: words(numbers, false), param: words(numbers, true)};
  }

  /** Runs what is chosen and shows it; whether there is something to show. @param {string} [place]  an address to go to */
  async run(place = "") {
    const choice = ++this.choice;
    if (this.simulator.runs_ms > kLong_ms && !this.warming) this.simulator.stop();  // for an earlier choice
    const {names, files, options, beside} = this.#what();
    const given = await this.#inputOptions({names, files});
    const ready = this.ready?.name === readyName(this.chosen) ? await this.ready.answer : null;
    this.ready = null;
    /** @type {import("./machine.js").Request} */
    const request = {verb: "page", names: beside ? [...names, beside] : names, files, options: {...options, ...given}};
    const answer = given && choice === this.choice && (ready ?? await this.#ask(request));
    if (!answer || choice !== this.choice) return false;
    const belowIt = !answer.data && names[0] === "mine.ptx" && !files["mine.launch"] ? `\n${this.word("launchBelow")}` : "";
    this.show((answer.err || (answer.data ? "" : answer.out)) + belowIt, answer.code);
    if (!answer.data) return false;
    this.data = answer.data["trace-0"];
    this.#take(answer.data);
    this.#fillLaunch();
    await this.#keep();
    if (place && this.app) goTo(this.app, place);
    if (this.app) this.app.address.begun = true;
    if (choice === this.choice) this.#fillInputs();  // else what was typed since is on its way
    if (ready) void this.#warm(request);
    return true;
  }

  /** How the run is launched, beside the multiprocessor that it shows. */
  #fillLaunch() {
    const {program, machine, launch} = this.data, box = byId("watchChoices"), before = box.offsetHeight;
    fillLaunch(box, {
      launch: this.chosen, lanes: machine.lanes, run: launch, word: (key, values) => this.word(key, values),
      hasSize: program.params.some((/** @type {{name: string, kind: string}} */ {name, kind}) => name === "size" && kind === "param"),
      change: (changed, size) => {
        Object.assign(this.chosen, changed);
        if (size) this.chosen.inputs = {...this.chosen.inputs, size};
        if (changed === kAsCase) delete this.chosen.inputs.size;
        void this.run();
      },
    });
    if (box.offsetHeight !== before) this.app?.layOut();
  }

  /** @param {Record<string, any>} data  tools/viewer/README.md */
  #take(data) {
    const views = [0, 1].filter((k) => data[`trace-${k}`]).map((k) => {
      const view = new View(new Trace(data[`trace-${k}`], data[`notes-${k}`]), data[`timing-${k}`]);
      view.given = data.options.names?.[k] ?? "";
      view.trace.cuda = data[`cuda-${k}`] ?? "";
      return view;
    });
    const oneStep = data["one-step"] ? new View(new Trace(data["one-step"], data["one-step-notes"]), data["one-step-timing"]) : null;
    if (this.app) {
      this.app.showRuns(views, oneStep);
      return listenToGrids(this.app);
    }
    document.body.classList.remove("empty");
    this.app = new App(views, this.language);
    if (oneStep) this.app.haveOneStep(oneStep, views[0].trace.cuda);
    listen(this.app);
    this.app.laidOut = () => this.#inLanguage();
    Object.defineProperty(window, "warpsim", {value: this.app});
  }

  /** The site's own words follow the page's language. */
  #inLanguage() {
    if (this.shownIn === this.language) return;
    this.shownIn = this.language;
    this.fillBar();
    this.#fillInputs();
    this.#fillLaunch();
    this.editor?.name(this.word("editor"));
  }

  #fillInputs() {
    if (Object.keys(this.chosen.inputs).length === 0) this.#hide("asCase", "inputsSwitch");
    else byId("asCase").hidden = false;
    if (byId("inputsPanel").hidden || !this.data) return;
    const focused = document.activeElement?.getAttribute("aria-label");
    fillInputs(byId("inputFields"), {
      params: this.data.program.params, inputs: this.data.inputs, changed: this.chosen.inputs, word: (key, values) => this.word(key, values),
      change: (name, text) => {
        this.chosen.inputs = {...this.chosen.inputs, [name]: text};
        if (text === "") delete this.chosen.inputs[name];
        void this.run();
      },
    });
    if (focused) [...byId("inputFields").querySelectorAll("input")].find((one) => one.getAttribute("aria-label") === focused)?.focus();
  }

  /** Shows the table of inputs, or hides it. */
  inputs() {
    const panel = byId("inputsPanel");
    panel.hidden = !panel.hidden;
    byId("inputsSwitch").setAttribute("aria-pressed", String(!panel.hidden));
    this.#fillInputs();
  }

  async #keep() {
    if (!this.app) return;
    this.app.address.members = (await membersFor(this.chosen)).map(([name, value]) => `${name}=${value}`);
    this.app.address.keep(this.app);
  }

  async check() {
    const said = await this.#report("check", ["profile", "scheduler", "sms", "lang"], "checking", this.advises ? {advice: true} : {});
    byId("adviceSwitch").hidden = !said;
  }

  /** Checks again: what could be faster is said too, or not any more. */
  async advise() {
    this.advises = !this.advises;
    byId("adviceSwitch").setAttribute("aria-pressed", String(this.advises));
    await this.check();
    byId("adviceSwitch").focus();
  }

  /** The program as a GPU runs it. */
  ptx() { return this.#report("ptx", ["profile", "scheduler", "sms", "lang"]); }

  /** The two that run side by side, in numbers. */
  compare() { return this.#report("versus", ["lang"]); }

  /** What a verb says of what is chosen; whether it has said it. @param {string} verb @param {string[]} without  options that it does not take @param {string} [doing] @param {Record<string, boolean>} [more] */
  async #report(verb, without, doing, more) {
    const {choice} = this, {names, files, options, beside} = this.#what(), given = await this.#inputOptions({names, files});
    for (const one of without) delete options[one];
    const both = verb === "versus" ? [...names, beside] : names;
    const answer = given && await this.#ask({verb, names: both, files, options: {...options, ...given, ...more}}, doing);
    if (!answer || choice !== this.choice) return false;
    this.show([answer.err, answer.out].filter((text) => text).join("\n"), answer.code, true);
    return true;
  }

  /** Another program of the catalogue. @param {string} name */
  async choose(name) {
    this.lesson?.leave();
    this.chosen = {...kNothing, program: name, lanes: this.chosen.lanes, profile: this.chosen.profile, scheduler: this.chosen.scheduler, sms: this.chosen.sms};
    this.original = null;
    this.fillBar();
    await this.run();
    if (name === this.chosen.program) await this.#fillEditor();
  }

  async edit() {
    const panel = byId("editing"), open = panel.hidden;
    panel.hidden = !open;
    document.body.classList.toggle("edits", open);
    byId("editSwitch").setAttribute("aria-pressed", String(open));
    if (open) await (this.editorComes ??= this.#makeEditor());
    this.app?.layOut();
    if (!panel.hidden) this.editor?.focus();
  }

  async #makeEditor() {
    const [{Editor}, isa] = await Promise.all([import("./editor.js"), this.#ask({verb: "isa", options: {json: true}}, "loading")]);
    if (!isa) return void (this.editorComes = null);  // the next try
    this.editor = new Editor(byId("editor"), {
      table: JSON.parse(isa.out).result, run: () => void this.run(), changed: () => this.#changed(), label: this.word("editor"),
      applies: (text, takesAway) => this.word(takesAway ? "takesAway" : "applies", {text}), faults: (text) => this.#faults(text),
    });
    await this.#fillEditor();
    this.editor.ready = true;
  }

  /** @param {string} text @returns {Promise<import("./editor.js").Fault[]>} */
  async #faults(text) {
    try {
      const answer = await this.simulator.ask({verb: "asm", names: [fileOf(text)], files: filesOf(text), options: {json: true}}, kMostRun_ms);
      const above = (filesOf(text)["mine.ptx"] ?? "").split("\n").length - 1;
      return JSON.parse(answer.out).diagnostics.filter((/** @type {{line?: number}} */ one) => one.line)
        .map((/** @type {import("./editor.js").Fault & {file?: string}} */ one) => {
          const below = (/** @type {any} */ place) => ({...place, line: place.line + above});
          return one.file === "mine.launch" ? {...below(one), fixes: one.fixes?.map(below)} : one;
        });
    } catch {
      return [];  // a run has said why
    }
  }

  #changed() {
    if (!this.editor?.ready) return;
    const {text} = this.editor, was = this.chosen.text;
    this.chosen.text = text === this.original ? null : text;
    if (this.chosen.text !== null) this.lesson?.changed(text);
    if ((was === null) !== (this.chosen.text === null)) this.fillBar();
    void this.#keep();
  }

  async revert() {
    Object.assign(this.chosen, {text: this.lesson?.start ?? null, beside: ""});
    await this.#fillEditor();
    this.fillBar();
    await this.run();
  }

  async copyLink() {
    await this.#keep();
    this.app?.address.write(this.app);
    try {
      await navigator.clipboard.writeText(location.href);
      this.say(this.word("copied"));
    } catch {
      this.say(location.href);
    }
  }

  /** @param {string} text  a line beside the buttons */
  say(text) { byId("saying").textContent = text; }

  /** Messages, below the program. @param {string} text @param {number} [code] @param {boolean} [always] */
  show(text, code = 1, always = false) {
    const any = text.trim() !== "" || always;
    if (any) byId("results").hidden = false;
    else this.#hide("results", "runButton");
    this.#hide("adviceSwitch", "closeResults");
    byId("resultsText").textContent = text.trimEnd();
    byId("results").classList.toggle("bad", code !== 0);
    if (any) this.say(this.word("found"));
    this.app?.layOut();
  }

  fillBar() {
    fillBar({chosen: this.chosen, listed: this.listed, word: (key, values) => this.word(key, values), hide: (id, next) => this.#hide(id, next)});
  }

  #listen() {
    const on = (/** @type {string} */ id, /** @type {string} */ event, /** @type {(value: string) => unknown} */ does) =>
      byId(id).addEventListener(event, (happened) => void does(/** @type {HTMLSelectElement} */ (happened.target).value));
    on("programs", "change", (name) => this.choose(name));
    on("cases", "change", (name) => (this.chosen.case = name, this.run()));
    on("laneCounts", "change", (count) => (this.chosen.lanes = count, this.run()));
    on("profiles", "change", (name) => (this.chosen.profile = name, this.run()));
    on("besides", "change", (name) => (this.chosen.beside = name, this.fillBar(), this.run()));
    on("runButton", "click", () => this.run());
    on("checkButton", "click", () => this.check());
    on("adviceSwitch", "click", () => this.advise());
    on("ptxButton", "click", () => this.ptx());
    on("compareButton", "click", () => this.compare());
    on("stop", "click", () => this.simulator.stopAll());
    on("editSwitch", "click", () => this.edit());
    on("inputsSwitch", "click", () => this.inputs());
    on("asCase", "click", () => (this.chosen.inputs = {}, this.run()));
    on("revert", "click", () => this.revert());
    on("linkButton", "click", () => this.copyLink());
    on("closeResults", "click", () => this.show("", 0));
    window.addEventListener("hashchange", ({newURL}) => void this.#follow(new URL(newURL).hash));
  }
}

const playground = new Playground();
Object.defineProperty(window, "playground", {value: playground});
void playground.begin();
