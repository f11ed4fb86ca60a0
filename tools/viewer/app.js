// App: the page's one object. It holds the views of its one or two traces and what people have chosen, and has all drawn.
//
// Shapes: layOut draws everything anew (size, language, warp, fold), refresh what a step changes. Moving is motion.js, what
//         people do listen.js, what keys and buttons stand for actions.js.

import {kDeeds} from "./actions.js";
import {alignmentOf, besideIn, momentBeside} from "./compare.js";
import {byId} from "./dom.js";
import {drawMarks, fillPosition, fillTabs, fillWords, say} from "./frame.js";
import {Grid} from "./grid.js";
import {Motion} from "./motion.js";
import {fillDiagnostics, fillMask, fillMemory, fillRegisters, fillShared, fillWhy} from "./panels.js";
import {Prediction} from "./predict.js";
import {fillProgram, markProgram} from "./program.js";

/** @typedef {import("./view.js").View} View */

export class App {
  /** @param {View[]} views  one or two @param {import("./words.js").Language} language */
  constructor(views, language) {
    this.views = views;
    this.language = language;
    this.active = 0;
    /** @type {Grid[]} */
    this.grids = views.map((view) => new Grid(view, byId("panes")));
    /** @type {Set<number>} */
    this.breakpoints = new Set();
    this.allRegisters = false;
    /** @type {import("./dataflow.js").Node|null} */
    this.pointed = null;
    this.motion = new Motion(this);
    this.prediction = new Prediction(byId("predictPanel"), () => this.motion.forward());
    this.turned = /** @type {boolean|null} */ (null);
    this.#compare();
    this.layOut();
  }

  get view() { return this.views[this.active]; }
  get grid() { return this.grids[this.active]; }
  get narrow() { return window.innerWidth < 720; }

  /** @param {string} action */
  do(action) { kDeeds[action]?.(this); }

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
    fillWords(this);
    this.views.forEach((view, k) => {
      view.language = this.language;
      view.transposed = this.turned ?? narrow;
      const box = this.grids[k].scroll;
      view.arrange(view.transposed ? box.clientHeight - 60 : box.clientWidth - 12);
      this.grids[k].rebuild();
    });
    fillProgram(this.view, this.breakpoints, (line) => this.toggleBreakpoint(line));
    fillTabs(this);
    drawMarks(this);
    this.refresh(true);
  }

  /** Changes every view and lays out. @param {(view: View, k: number) => void} change */
  each(change) {
    this.views.forEach(change);
    const n = this.view.n;
    this.layOut();
    this.view.seek(n);
    this.refresh(true);
  }

  /** @param {number} warp */
  toWarp(warp) {
    const count = this.view.trace.warps.length;
    this.view.warp = (warp + count) % count;
    if (this.views.length > 1) {
      const other = this.views[1 - this.active];
      other.warp = Math.min(this.view.warp, other.trace.warps.length - 1);
      this.#compare();
    }
    this.layOut();
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
    fillPosition(this);
    markProgram(view, this.breakpoints);
    this.fillState();
    say(this);
    this.prediction.ask(view);
    for (const [name, on] of /** @type {[string, boolean][]} */ ([["fold", view.folded], ["contributions", view.contributions],
      ["predict", view.predicting], ["transpose", view.transposed], ["panels", !document.body.classList.contains("bare")]]))
      document.querySelector(`#menu [data-do=${name}]`)?.setAttribute("aria-pressed", String(on));
  }

  #follow() {
    const other = this.views[1 - this.active];
    other.seek(momentBeside(this.view, other));
  }

  fillState() {
    const {view} = this;
    fillRegisters(view, this.allRegisters);
    fillMask(view);
    fillMemory(view);
    fillShared(view);
    fillDiagnostics(view, (event) => this.motion.toEvent(event));
    this.#why();
  }

  #why() {
    const {view} = this;
    const node = this.pointed ?? (view.event < 0 ? null : view.nodeOf(view.event, view.lane));
    const slice = node ? view.light(node) : null;
    if (!this.pointed) view.light(null);  // in words only
    fillWhy(view, node, slice, (event) => this.motion.toEvent(event));
  }

  /** @param {number} line */
  toggleBreakpoint(line) {
    if (!this.breakpoints.delete(line)) this.breakpoints.add(line);
    markProgram(this.view, this.breakpoints);
  }

  predict() {
    this.views.forEach((view) => { view.predicting = !view.predicting; });
    this.grids.forEach((grid) => grid.redrawAll());
    this.refresh();
    if (this.view.predicting) document.getElementById("guess")?.focus();
  }

  /** Makes the k-th trace the one that keys and panels are about. @param {number} k */
  choose(k) {
    if (k === this.active) return;
    this.active = k;
    fillProgram(this.view, this.breakpoints, (line) => this.toggleBreakpoint(line));
    fillTabs(this);
    this.refresh();
  }

  /** @param {number} lane */
  chooseLane(lane) {
    if (this.view.lane === lane) return;
    this.view.lane = lane;
    fillRegisters(this.view, this.allRegisters);
    this.grid.head.querySelectorAll(".lane").forEach((cell, k) => cell.classList.toggle("chosen", k === lane));
    this.prediction.ask(this.view);
  }

  /** Lights up where a cell's value came from. @param {number} k @param {number} row @param {number} lane */
  point(k, row, lane) {
    const view = this.views[k];
    if (!view.rows[row] || view.hides(view.rows[row].event)) return;
    this.views.forEach((one) => { one.lit = null; });
    const node = view.nodeOf(view.rows[row].event, lane);
    this.pointed = k === this.active ? node : null;
    const slice = view.light(node);
    fillWhy(view, node, slice, (event) => this.motion.toEvent(event));
    this.grids.forEach((grid) => grid.refresh());
  }

  unpoint() {
    this.pointed = null;
    this.views.forEach((view) => { view.lit = null; });
    this.grids.forEach((grid) => grid.refresh());
    this.#why();
  }
}
