// The page's beginning and its one object: App holds the views, hears what people do, and has everything drawn.

import {alignmentOf, besideIn, momentBeside} from "./compare.js";
import {actionOf, fillHelp} from "./controls.js";
import {savePng, saveSvg} from "./export.js";
import {Grid, make} from "./grid.js";
import {byId, fillDiagnostics, fillMask, fillMemory, fillProgram, fillRegisters, fillShared, fillWhy, markProgram} from "./panels.js";
import {Prediction} from "./predict.js";
import {Trace} from "./trace.js";
import {View} from "./view.js";
import {word} from "./words.js";

/** @param {string} id */
const dataOf = (id) => {
  const element = document.getElementById(id);
  return element ? JSON.parse(element.textContent ?? "null") : null;
};

class App {
  constructor() {
    const options = dataOf("options") ?? {};
    /** @type {import("./words.js").Language} */
    this.language = options.lang === "ko" ? "ko" : "en";
    /** @type {View[]} */
    this.views = [];
    for (let k = 0; document.getElementById(`trace-${k}`); ++k)
      this.views.push(new View(new Trace(dataOf(`trace-${k}`), dataOf(`notes-${k}`))));
    this.active = 0;
    /** @type {Grid[]} */
    this.grids = this.views.map((view) => new Grid(view, byId("panes")));
    /** @type {Set<number>} */
    this.breakpoints = new Set();
    this.allRegisters = false;
    this.timer = 0;
    /** @type {import("./dataflow.js").Node|null} */
    this.pointed = null;
    this.prediction = new Prediction(byId("predictPanel"), () => this.do("forward"));
    this.turned = /** @type {boolean|null} */ (null);
    this.#listen();
    this.#compare();
    this.layOut();
  }

  get view() { return this.views[this.active]; }
  get grid() { return this.grids[this.active]; }
  get narrow() { return window.innerWidth < 720; }
  get still() { return matchMedia("(prefers-reduced-motion: reduce)").matches; }

  #compare() {
    if (this.views.length < 2) return;
    document.body.classList.add("two");
    const [a, b] = this.views;
    this.alignment = alignmentOf(a, b);
    for (const [here, there] of [[a, b], [b, a]]) {
      here.beside = besideIn(here, there, this.alignment);
      here.other = this.alignment === "Pc" ? there : null;
    }
  }

  /** Everything anew: language, size, warp, fold. */
  layOut() {
    const narrow = this.narrow;
    document.body.classList.toggle("narrow", narrow);
    document.body.classList.toggle("wide", this.view.trace.lanes >= 32);
    document.body.classList.toggle("vast", this.view.trace.lanes > 32);  // masks of 16 digits need the room
    this.#words();
    this.views.forEach((view, k) => {
      view.language = this.language;
      view.transposed = this.turned ?? narrow;
      const box = this.grids[k].scroll;
      view.arrange(view.transposed ? box.clientHeight - 60 : box.clientWidth - 12);
      this.grids[k].rebuild();
    });
    fillProgram(this.view, this.breakpoints, (line) => this.#toggleBreakpoint(line));
    this.#tabs();
    this.#marks();
    this.refresh(true);
  }

  #words() {
    const language = this.language;
    document.documentElement.lang = language;
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-word]")))
      element.textContent = word(language, element.dataset.word ?? "");
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-label]"))) {
      const text = word(language, element.dataset.label ?? "");
      element.setAttribute("aria-label", text);
      element.title = element instanceof HTMLElement && element.tagName === "SECTION" ? "" : text;
    }
    const names = this.views.map((view) => view.trace.title || view.trace.name);
    byId("title").textContent = names.join(" · ");
    document.title = `${names.join(" · ")} – warpsim`;
    const {trace} = this.view;
    byId("subtitle").textContent = this.views.length > 1
      ? `${word(language, "comparison")}: ${word(language, `comparison${this.alignment}`)}`
      : `${trace.name} · ${word(language, "lanes", {count: trace.lanes})} · ${trace.backend}`;
    this.views.forEach((view, k) => {
      const grid = this.grids[k];
      if (this.views.length < 2) return;
      grid.box.querySelector(".paneName")?.remove();
      const name = make("p", "paneName", null, `${view.trace.name} · ${view.trace.backend}`);
      grid.box.prepend(name);
    });
    byId("registersSwitch").textContent = word(language, this.allRegisters ? "oneLane" : "allLanes");
    fillHelp(byId("helpText"), language);
  }

  #tabs() {
    const tabs = byId("tabs"), {view} = this;
    tabs.hidden = view.trace.warps.length < 2;
    tabs.replaceChildren();
    tabs.setAttribute("aria-label", word(this.language, "warps"));
    const blocks = view.trace.launch.grid.reduce((all, size) => all * size, 1) > 1;
    view.trace.warps.forEach((warp, k) => {
      const name = word(this.language, "warp", {warp: warp.warp});
      const tab = make("button", "text", tabs, blocks ? `${word(this.language, "block", {block: warp.block})} · ${name}` : name);
      tab.setAttribute("aria-pressed", String(k === view.warp));
      tab.addEventListener("click", () => this.#toWarp(k));
    });
  }

  /** @param {number} warp */
  #toWarp(warp) {
    const count = this.view.trace.warps.length;
    this.view.warp = (warp + count) % count;
    if (this.views.length > 1) {
      this.views[1 - this.active].warp = Math.min(this.view.warp, this.views[1 - this.active].trace.warps.length - 1);
      this.#compare();
    }
    this.layOut();
  }

  /** Small marks above the slider: where phases begin, where lanes exchange. */
  #marks() {
    const canvas = /** @type {HTMLCanvasElement} */ (byId("marks"));
    const scale = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const context = canvas.getContext("2d");
    const {rows, trace} = this.view;
    if (!context || rows.length === 0) return;
    context.scale(scale, scale);
    const style = getComputedStyle(document.documentElement);
    rows.forEach((row, k) => {
      const x = 8 + ((width - 16) * (k + 1)) / rows.length;
      const fault = this.view.trapped(row.event);
      if (!fault && row.gap === "none") return;
      context.fillStyle = style.getPropertyValue(fault ? "--lost" : trace.events[row.event].exchange ? "--right" : "--bus");
      context.fillRect(x - 1, fault ? 0 : 2, 2, height - (fault ? 0 : 2));
    });
  }

  /** After a step: only what a step changes. @param {boolean} [scroll] */
  refresh(scroll = false) {
    const {view} = this;
    if (this.views.length > 1) this.#follow();
    this.grids.forEach((grid, k) => {
      if (scroll) grid.show(this.views[k].currentRow);
      if (this.views[k].predicting) grid.redrawAll();
      grid.fill();
      grid.refresh();
    });
    const slider = /** @type {HTMLInputElement} */ (byId("slider"));
    slider.max = String(view.rows.length);
    slider.value = String(view.currentRow + 1);
    const cycle = view.event < 0 ? null : view.trace.events[view.event].cycle;
    const at = word(this.language, "of", {at: view.currentRow + 1, all: view.rows.length});
    byId("position").textContent = cycle === null ? at : `${at} · ${word(this.language, "cycle", {cycle})}`;
    slider.setAttribute("aria-valuetext", byId("position").textContent ?? "");
    markProgram(view, this.breakpoints);
    this.#state();
    this.#say();
    this.prediction.ask(view);
    for (const [name, on] of /** @type {[string, boolean][]} */ ([["fold", view.folded], ["contributions", view.contributions],
      ["predict", view.predicting], ["transpose", view.transposed], ["panels", !document.body.classList.contains("bare")]]))
      document.querySelector(`#menu [data-do=${name}]`)?.setAttribute("aria-pressed", String(on));
  }

  #state() {
    const {view} = this;
    fillRegisters(view, this.allRegisters);
    fillMask(view);
    fillMemory(view);
    fillShared(view);
    fillDiagnostics(view, (event) => this.go(event));
    this.#why();
  }

  #why() {
    const {view} = this;
    const node = this.pointed ?? (view.event < 0 ? null : view.nodeOf(view.event, view.lane));
    const slice = node ? view.light(node) : null;
    if (!this.pointed) view.light(null);  // in words only
    fillWhy(view, node, slice, (event) => this.go(event));
  }

  #say() {
    const sentences = this.views.map((view) => {
      const event = view.event;
      return event < 0 ? word(this.language, "start") : view.trace.sentence(event, this.language);
    });
    const box = byId("sentence");
    box.setAttribute("aria-live", this.timer ? "off" : "polite");
    box.replaceChildren();
    sentences.forEach((text, k) => {
      const title = this.views[k].event < 0 ? "" : this.views[k].trace.phaseTitle(this.views[k].event, this.language);
      if (k > 0) make("br", "", box);
      if (title) make("b", "", box, `${title.replace(/:$/, "")} `);
      make("span", "", box, this.view.hides(this.views[k].event) ? "" : text);
    });
  }

  #follow() {
    const other = this.views[1 - this.active];
    other.seek(momentBeside(this.view, other));
  }

  /** @param {number} row */
  #goRow(row) {
    this.view.seek(this.view.momentOf(row));
    this.refresh(true);
  }
  /** @param {number} event */
  go(event) {
    if (this.view.trace.warpOf[event] !== this.view.warp) this.#toWarp(this.view.trace.warpOf[event]);
    this.view.seek(event + 1);
    this.refresh(true);
  }

  /** @param {number} line */
  #toggleBreakpoint(line) {
    if (!this.breakpoints.delete(line)) this.breakpoints.add(line);
    markProgram(this.view, this.breakpoints);
  }

  /** @param {1|-1} direction */
  #toBreakpoint(direction) {
    const {trace} = this.view;
    const found = this.view.findRow(direction, (row) => this.breakpoints.has(trace.code[trace.events[row.event].pc].line));
    this.#goRow(found >= 0 ? found : direction > 0 ? this.view.rows.length - 1 : -1);
  }

  /** @param {1|-1} direction */
  #toShuffle(direction) {
    const found = this.view.findRow(direction, (row) => row.gap !== "none");
    if (found >= 0) this.#goRow(found);
  }

  #toFinding() {
    const events = [...this.view.faults.keys()].sort((a, b) => a - b);
    const found = events.find((event) => event >= this.view.n) ?? events[0];
    if (found !== undefined) this.go(found);
  }

  #play() {
    if (this.timer) return this.#pause();
    if (this.view.currentRow >= this.view.rows.length - 1) this.view.seek(0);
    const tick = () => {
      this.do("forward");
      const {trace} = this.view;
      const stop = this.view.event >= 0 && this.breakpoints.has(trace.code[trace.events[this.view.event].pc].line);
      if (stop || this.view.currentRow >= this.view.rows.length - 1) return this.#pause();
      this.timer = window.setTimeout(tick, Number(/** @type {HTMLSelectElement} */ (byId("speed")).value));
    };
    this.timer = window.setTimeout(tick, 60);
    this.#playButton();
  }
  #pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.#playButton();
    this.#say();
  }
  #playButton() {
    const button = byId("play");
    button.dataset.label = this.timer ? "pause" : "play";
    button.querySelector("path")?.setAttribute("d", this.timer ? "M5 3v10M11 3v10" : "M4 2.5v11l9-5.5z");
    button.setAttribute("aria-label", word(this.language, button.dataset.label));
    button.classList.toggle("on", this.timer !== 0);
  }

  /** Changes every view and lays out. @param {(view: View) => void} change */
  #each(change) {
    this.views.forEach(change);
    const n = this.view.n;
    this.layOut();
    this.view.seek(n);
    this.refresh(true);
  }

  #wholeText() {
    const on = byId("code").classList.toggle("whole");
    byId("wholeText").setAttribute("aria-pressed", String(on));
    markProgram(this.view, this.breakpoints);
  }

  #theme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    this.#marks();
  }

  /** @param {string} action */
  do(action) {
    const {view} = this;
    switch (action) {
      case "forward": if (view.currentRow + 1 < view.rows.length) this.#goRow(view.currentRow + 1); break;
      case "back": this.#goRow(Math.max(-1, view.currentRow - 1)); break;
      case "first": this.#goRow(-1); break;
      case "last": view.seek(view.trace.events.length); this.refresh(true); break;
      case "play": this.#play(); break;
      case "nextShuffle": this.#toShuffle(1); break;
      case "previousShuffle": this.#toShuffle(-1); break;
      case "run": this.#toBreakpoint(1); break;
      case "runBack": this.#toBreakpoint(-1); break;
      case "breakpoint":
        if (view.event >= 0) this.#toggleBreakpoint(view.trace.code[view.trace.events[view.event].pc].line);
        break;
      case "nextFinding": this.#toFinding(); break;
      case "fold": this.#each((one) => { one.folded = !one.folded; }); break;
      case "contributions": this.#each((one) => { one.contributions = !one.contributions; }); break;
      case "predict": this.#predict(); break;
      case "registers": this.allRegisters = !this.allRegisters; this.#words(); this.#state(); break;
      case "wholeText": this.#wholeText(); break;
      case "panels": document.body.classList.toggle("bare"); this.layOut(); break;
      case "transpose": this.turned = !view.transposed; this.layOut(); break;
      case "zoomIn": this.#each((one) => { one.zoom = Math.min(4, one.zoom * 1.2); }); break;
      case "zoomOut": this.#each((one) => { one.zoom = Math.max(0.3, one.zoom / 1.2); }); break;
      case "zoomFit": this.#each((one) => { one.zoom = this.#fitting(one); }); break;
      case "nextWarp": this.#toWarp(view.warp + 1); break;
      case "previousWarp": this.#toWarp(view.warp - 1); break;
      case "toGrid": this.grid.moveStop(Math.max(0, view.currentRow), view.lane, true); break;
      case "theme": this.#theme(); break;
      case "language": this.language = this.language === "en" ? "ko" : "en"; this.layOut(); break;
      case "exportSvg": case "exportPng": this.#save(action === "exportPng"); break;
      case "menu": this.#menu(byId("menu").hidden); break;
      case "help": /** @type {HTMLDialogElement} */ (byId("help")).showModal(); break;
      case "closeHelp": /** @type {HTMLDialogElement} */ (byId("help")).close(); break;
      default:
    }
  }

  /** The zoom at which all lanes are in sight. @param {View} view */
  #fitting(view) {
    const box = this.grids[this.views.indexOf(view)].scroll;
    const {geometry} = view;
    const room = geometry.transposed ? box.clientHeight - 60 : box.clientWidth - geometry.label - 22;
    return Math.min(4, Math.max(0.1, (view.zoom * room) / (geometry.pitch * geometry.lanes)));
  }

  #predict() {
    this.views.forEach((view) => { view.predicting = !view.predicting; });
    this.grids.forEach((grid) => grid.redrawAll());
    this.refresh();
    if (this.view.predicting) document.getElementById("guess")?.focus();
  }

  /** @param {boolean} png */
  #save(png) {
    const {from, to} = this.grid.drawn;
    if (png) savePng(this.view, from, to).catch((error) => { byId("sentence").textContent = String(error.message); });
    else saveSvg(this.view, from, to);
  }

  /** @param {boolean} open */
  #menu(open) {
    byId("menu").hidden = !open;
    byId("menuButton").setAttribute("aria-expanded", String(open));
  }

  #listen() {
    document.addEventListener("click", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const button = /** @type {HTMLElement|null} */ (target.closest("[data-do]"));
      if (button) this.do(button.dataset.do ?? "");
      if (!target.closest("#menu, #menuButton")) this.#menu(false);
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        this.#menu(false);
        return;
      }
      if (/** @type {HTMLDialogElement} */ (byId("help")).open) return;
      const action = actionOf(event);
      if (!action) return;
      event.preventDefault();
      this.do(action);
    });
    byId("slider").addEventListener("input", (event) =>
      this.#goRow(Number(/** @type {HTMLInputElement} */ (event.target).value) - 1));
    let resizing = 0;
    window.addEventListener("resize", () => {
      clearTimeout(resizing);
      resizing = window.setTimeout(() => this.layOut(), 80);
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#marks());
    this.grids.forEach((grid, k) => this.#listenTo(grid, k));
  }

  /** @param {Grid} grid @param {number} k */
  #listenTo(grid, k) {
    /** @param {globalThis.Event} event */
    const cellOf = (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const cell = /** @type {HTMLElement|null} */ (target.closest("[data-lane]"));
      const row = /** @type {HTMLElement|null} */ (target.closest(".row"));
      return row ? {row: Number(row.dataset.row), lane: cell ? Number(cell.dataset.lane) : -1} : null;
    };
    grid.canvas.addEventListener("pointerover", (event) => {
      const at = cellOf(event);
      if (at && at.lane >= 0 && event.pointerType === "mouse") this.#point(k, at.row, at.lane);
    });
    grid.canvas.addEventListener("pointerleave", () => this.#unpoint());
    grid.canvas.addEventListener("focusin", (event) => {
      const at = cellOf(event);
      if (at && at.lane >= 0) this.#point(k, at.row, at.lane);
    });
    grid.canvas.addEventListener("focusout", () => this.#unpoint());
    grid.canvas.addEventListener("click", (event) => {
      const at = cellOf(event);
      if (!at) return;
      this.#choose(k);
      if (at.lane < 0) return this.#goRow(at.row);
      this.#chooseLane(at.lane);
      grid.moveStop(at.row, at.lane, true);
    });
    grid.canvas.addEventListener("dblclick", (event) => {
      const at = cellOf(event);
      if (at) this.#goRow(at.row);
    });
    grid.scroll.addEventListener("keydown", (event) => this.#gridKey(event, grid, k));
  }

  /** @param {KeyboardEvent} event @param {Grid} grid @param {number} k */
  #gridKey(event, grid, k) {
    const view = this.views[k];
    if (event.ctrlKey && !["Home", "End"].includes(event.key)) return;
    const turned = view.transposed;
    /** @type {Record<string, [number, number]>} */
    const moves = {ArrowLeft: turned ? [-1, 0] : [0, -1], ArrowRight: turned ? [1, 0] : [0, 1],
      ArrowUp: turned ? [0, -1] : [-1, 0], ArrowDown: turned ? [0, 1] : [1, 0], PageUp: [-10, 0], PageDown: [10, 0]};
    let {row, lane} = grid.stop;
    if (moves[event.key]) {
      row += moves[event.key][0];
      lane += moves[event.key][1];
    } else if (event.key === "Home") [row, lane] = [event.ctrlKey ? 0 : row, 0];
    else if (event.key === "End") [row, lane] = [event.ctrlKey ? view.rows.length - 1 : row, view.trace.lanes - 1];
    else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#choose(k);
      return this.#goRow(row);
    } else return;
    event.preventDefault();
    event.stopPropagation();
    row = Math.max(0, Math.min(view.rows.length - 1, row));
    lane = Math.max(0, Math.min(view.trace.lanes - 1, lane));
    this.#choose(k);
    this.#chooseLane(lane);
    grid.moveStop(row, lane, true);
  }

  /** @param {number} k */
  #choose(k) {
    if (k === this.active) return;
    this.active = k;
    fillProgram(this.view, this.breakpoints, (line) => this.#toggleBreakpoint(line));
    this.#tabs();
    this.refresh();
  }

  /** @param {number} lane */
  #chooseLane(lane) {
    if (this.view.lane === lane) return;
    this.view.lane = lane;
    fillRegisters(this.view, this.allRegisters);
    this.grid.head.querySelectorAll(".lane").forEach((cell, k) => cell.classList.toggle("chosen", k === lane));
    this.prediction.ask(this.view);
  }

  /** @param {number} k @param {number} row @param {number} lane */
  #point(k, row, lane) {
    const view = this.views[k];
    if (!view.rows[row] || view.hides(view.rows[row].event)) return;
    this.views.forEach((one) => { one.lit = null; });
    const node = view.nodeOf(view.rows[row].event, lane);
    this.pointed = k === this.active ? node : null;
    const slice = view.light(node);
    fillWhy(view, node, slice, (event) => this.go(event));
    this.grids.forEach((grid) => grid.refresh());
  }

  #unpoint() {
    this.pointed = null;
    this.views.forEach((view) => { view.lit = null; });
    this.grids.forEach((grid) => grid.refresh());
    this.#why();
  }
}

const begun = performance.now();
const app = new App();
document.documentElement.dataset.ready = (performance.now() - begun).toFixed(1);
// For the tests, which drive the page from outside.
Object.defineProperty(window, "warpsim", {value: app});
