// App: the page's one object. It holds the views of its one or two traces and what people have chosen, and has all drawn.
//
// Shapes: layOut draws everything anew (size, language, warp, fold), refresh what a step changes. Moving is motion.js, what
//         people do listen.js, what keys and buttons stand for actions.js.

import {kDeeds} from "./actions.js";
import {sameMoment, takeOver} from "./collectives.js";
import {alignmentOf, isOfOneProgram, momentAt, momentsOf, pairsOf, sameStep} from "./compare.js";
import {differencesIn, outputDifferences} from "./differences.js";
import {byId} from "./dom.js";
import {focusAgain, focusPlace} from "./focus.js";
import {drawMarks, fillPosition, fillTabs, fillWords, namePanes, say} from "./frame.js";
import {Grid} from "./grid.js";
import {alignRows, kManyLanes} from "./layout.js";
import {Motion} from "./motion.js";
import {Watch} from "./multiprocessor/watch.js";
import {fillDiagnostics, fillMask, fillMemory, fillRegisters, fillShared, fillWhy} from "./panels.js";
import {Prediction} from "./predict.js";
import {Address} from "./place.js";
import {fillProgram, fillTwin, keepLineInSight, markProgram} from "./program.js";
import {fillSource, markSource} from "./source.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {"program"|"state"} Side */

/** Widths below which only one side panel has room beside the grid: of one trace, of two. */
const kRoomForBoth = [1100, 1700];

export class App {
  /** @param {View[]} views  one or two @param {import("./words.js").Language} language */
  constructor(views, language) {
    this.views = views;
    this.language = language;
    this.active = 0;
    /** @type {Grid[]} */
    this.grids = views.map((view) => new Grid(view, byId("panes")));
    this.allRegisters = false;
    /** @type {import("./dataflow.js").Node|null} */
    this.pointed = null;
    this.motion = new Motion(this);
    this.watch = new Watch(this);
    this.prediction = new Prediction(byId("predictPanel"), (row) => this.motion.toRow(row));
    this.turned = /** @type {boolean|null} */ (null);
    /** Which side panels are wanted; where there is room for one only, `front` is the one. */
    const room = window.innerWidth >= 1200 || (views.length === 1 && !this.narrow);
    this.wanted = {program: room, state: room};
    /** What the page's address need not say. */
    this.opened = {language, setUpShown: views[0].setUpShown};
    this.address = new Address();
    this.laidOut = () => {};  // told whenever all was drawn anew, in another language perhaps
    this.cuda = false;  // whether the program's panel shows CUDA C++
    /** Of one trace: its run in the other form, collectives as one step each or as shuffles. @type {View|null} */
    this.otherForm = null;
    this.front = /** @type {Side} */ ("state");
    /** @type {import("./compare.js").Alignment|null} */
    this.alignment = null;
    this.said = 0;  // the sentence's height
    /** @type {[number, number][]} */
    this.pairs = [];
    /** @type {import("./compare.js").Moment[]}  of two traces, those that they go through together */
    this.moments = [];
    /** @type {{name: string, here: string, there: string}[]} */
    this.outputs = [];
    this.#pair();
    this.layOut();
  }

  get view() { return this.views[this.active]; }
  get grid() { return this.grids[this.active]; }
  get narrow() { return window.innerWidth < 720 && window.innerHeight > 500; }
  /** So many lanes that they have more room as rows. Two traces share the height, and keep columns. */
  get crowded() { return this.views.length === 1 && this.view.trace.lanes >= kManyLanes && window.innerHeight > 500; }

  /** @param {string} action */
  do(action) { kDeeds[action]?.(this); }

  /** What two traces need once. */
  #pair() {
    if (this.views.length < 2) return;
    document.body.classList.add("two");
    const [a, b] = this.views;
    [this.grids[0].along, this.grids[1].along] = [this.grids[1], this.grids[0]];
    this.alignment = alignmentOf(a, b);
    this.outputs = outputDifferences(a.trace, b.trace);
    if (!isOfOneProgram(this.alignment)) return;
    document.body.classList.add("same");
    a.differences = differencesIn(a.trace, b.trace, sameStep(a, b, this.alignment));
    b.differences = differencesIn(b.trace, a.trace, sameStep(b, a, this.alignment));
  }

  /** Which steps of the two warps in sight stand beside each other. */
  #compare() {
    if (!this.alignment) return;
    const [a, b] = this.views;
    this.pairs = pairsOf(a, b, this.alignment);
    this.moments = momentsOf(a, b, this.pairs);
    alignRows(a.rows, b.rows, this.pairs);
  }

  /** Whether there is room for one side panel only. */
  get single() { return this.narrow || window.innerWidth < kRoomForBoth[this.views.length - 1]; }

  /** @param {Side} side */
  shows(side) { return this.wanted[side] && !(this.single && this.front !== side && this.wanted[this.front]); }

  /** Shows a side panel, or hides it if it is to be seen. @param {Side} side */
  toggleSide(side) {
    if (this.shows(side)) {
      this.wanted[side] = false;
      if (this.single) this.wanted = {program: false, state: false};
    } else {
      this.wanted[side] = true;
      this.front = side;
    }
    this.layOut();
  }

  #frame() {
    const {classList} = document.body, {lanes} = this.view.trace;
    const turned = this.turned ?? (this.narrow || this.crowded);
    for (const [name, on] of /** @type {[string, boolean][]} */ ([["narrow", this.narrow], ["mid", this.single && !this.narrow],
      ["wide", lanes >= 32], ["vast", lanes > 32],  // masks of 16 digits need the room
      ["stacked", turned], ["noProgram", !this.shows("program")], ["noState", !this.shows("state")]])) classList.toggle(name, on);
    for (const side of /** @type {Side[]} */ (["program", "state"]))
      document.querySelector(`#sides [data-do=${side === "program" ? "showProgram" : "showState"}]`)?.setAttribute("aria-pressed", String(this.shows(side)));
    return turned;
  }

  /** Everything anew: language, size, warp, fold. */
  layOut() {
    const markers = this.grids.map((grid) => grid.marker()), place = focusPlace();
    this.#layOut();
    this.grids.forEach((grid, k) => grid.toMarker(markers[k]));
    focusAgain(place);
    this.laidOut();
  }

  #layOut() {
    fillWords(this);
    this.said = 0;
    byId("sentence").style.minHeight = "";
    const turned = this.#frame();
    for (const view of this.views) Object.assign(view, {language: this.language, transposed: turned});
    this.#program();
    fillTabs(this);
    this.watch.frame();
    this.grids.forEach((grid) => grid.clear(turned));
    this.grids.forEach((grid) => grid.measure());  // all that is measured, before the rows are drawn
    this.views.forEach((view, k) => {
      const {width, height} = this.grids[k].sight;
      view.arrange(turned ? height : width - 12);
    });
    this.#compare();
    drawMarks(this);  // measures too
    this.grids.forEach((grid) => grid.rebuild());
    this.watch.fill();
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
    }
    this.layOut();
  }

  /** After a step: only what a step changes. @param {boolean} [scroll] */
  refresh(scroll = false) {
    const {view} = this, place = focusPlace();
    if (this.views.length > 1) this.#follow();
    this.#forget();
    if (scroll) this.grid.showCurrent();
    this.grids.forEach((grid, k) => {
      if (this.views[k].predicting) grid.redrawAll();
      grid.fill();
      grid.refresh();
    });
    fillPosition(this);
    markProgram(view);
    markSource(view);
    this.fillState();
    say(this);
    this.prediction.ask(view);
    this.watch.refresh();
    if (view.predicting) drawMarks(this);
    for (const [name, on] of /** @type {[string, boolean][]} */ ([["fold", view.folded], ["setUp", view.setUpShown], ["addresses", view.addressesShown], ["collectives", view.trace.notes.collectives === "step"], ["contributions", view.contributions],
      ["predict", view.predicting], ["transpose", view.transposed], ["panels", this.shows("program") || this.shows("state")]]))
      for (const button of document.querySelectorAll(`#menu [data-do=${name}], #views > [data-do=${name}]`)) button.setAttribute("aria-pressed", String(on));
    // Last, since these have the browser lay out what has changed.
    this.#settle(scroll);
    keepLineInSight();
    focusAgain(place);
    this.address.keep(this);
  }

  /** A longer sentence leaves the grids less room. @param {boolean} scroll */
  #settle(scroll) {
    const sentence = byId("sentence"), {clientHeight} = sentence;
    if (clientHeight > this.said) {
      this.said = clientHeight;
      sentence.style.minHeight = `${clientHeight}px`;  // it does not jump back: that would move all above it at each step
    }
    if (this.grids.every((grid) => grid.sight.height === grid.scroll.clientHeight)) return;
    if (this.view.transposed && this.views.length === 1) return this.#narrowLanes(scroll);
    this.grids.forEach((grid) => grid.measure());
    if (scroll) this.grid.showCurrent();
    this.grids.forEach((grid) => { grid.fill(); grid.refresh(); });
  }

  /** Turned, less height is a smaller pitch, so that the last lane stays in sight. @param {boolean} scroll */
  #narrowLanes(scroll) {
    const {grid, view} = this, marker = grid.marker();
    grid.clear(true);
    grid.measure();
    view.arrange(grid.sight.height);
    grid.rebuild();
    grid.toMarker(marker);
    if (scroll) grid.showCurrent();
    grid.fill();
    grid.refresh();
  }

  /** Puts the other trace where it is while this one is at its row. */
  #follow() {
    const moment = this.moments[momentAt(this.moments, this.views, this.active)];
    const other = this.views[1 - this.active], row = moment[1 - this.active];
    if (moment[this.active] === this.view.currentRow && row !== other.currentRow) other.seek(other.momentOf(row));
  }

  /** Goes on, or back, by one moment of two traces; whether there is one. @param {1|-1} direction */
  together(direction) {
    const moment = this.moments[momentAt(this.moments, this.views, this.active) + direction];
    if (!moment) return false;
    this.views.forEach((view, k) => { if (view.currentRow !== moment[k]) view.seek(view.momentOf(moment[k])); });
    this.refresh(true);
    return true;
  }

  fillState() {
    const {view} = this;
    fillRegisters(view, this.allRegisters);
    fillMask(view);
    fillMemory(view);
    fillShared(view);
    fillDiagnostics(view, (event) => (event < 0 ? this.motion.toHalt() : this.motion.toEvent(event)));
    this.#why();
  }

  #why() {
    const {view} = this;
    const row = view.rows[view.currentRow];
    const node = this.pointed ?? (row ? view.nodeOf(view.eventAt(row, view.lane), view.lane) : null);
    if (this.pointed) view.light(node);
    fillWhy(view, node, (event) => this.motion.toEvent(event));
  }

  /** @param {number|string} line */
  toggleBreakpoint(line) {
    const {breakpoints, folded, trace, addressesShown} = this.view;
    if (!breakpoints.delete(line)) breakpoints.add(line);
    if (folded || (trace.hasAddresses && !addressesShown)) return this.layOut();  // steps of this line are unfolded, or folded again
    markProgram(this.view);
    markSource(this.view);
  }

  /** Shows other runs, one or two, in the place of those that are shown. @param {View[]} views @param {View|null} oneStep  of one, see haveOneStep */
  showRuns(views, oneStep) {
    if (this.motion.playing) this.motion.play();
    const {zoom, folded, trace} = this.view;
    if (views.length === this.views.length && views[0].trace.name === trace.name) for (const view of views) Object.assign(view, {zoom, folded});
    Object.assign(this, {views, active: 0, otherForm: null, pointed: null, alignment: null, pairs: [], moments: [], outputs: []});
    this.opened.setUpShown = views[0].setUpShown;
    document.body.classList.remove("collective", "two", "same");
    byId("panes").replaceChildren();
    this.grids = views.map((view) => new Grid(view, byId("panes")));
    if (oneStep) this.haveOneStep(oneStep, views[0].trace.cuda);
    this.#pair();
    this.layOut();
    for (const view of views) view.seek(view.begin);
    this.refresh(true);
  }

  /** @param {View} view  the same run with its collectives as one step each @param {string} cuda  the program in CUDA C++ */
  haveOneStep(view, cuda) {
    this.otherForm = view;
    view.trace.cuda = cuda;
    document.body.classList.add("collective");
  }

  /** Shows collectives as one step each, or as the shuffles that a GPU runs. */
  changeForm() {
    const {otherForm, view} = this, [grid] = this.grids;
    if (!otherForm) return;
    takeOver(view, otherForm);
    Object.assign(this, {otherForm: view, views: [otherForm], pointed: null});
    grid.change(otherForm);
    this.layOut();
    otherForm.seek(sameMoment(view, otherForm));
    this.refresh(true);
  }

  #program() {
    fillSource(this.view, (line) => this.toggleBreakpoint(line));
    fillProgram(this.view, (line) => this.toggleBreakpoint(line));
    fillTwin(this.view, this.cuda);
  }

  /** Shows the program's twin in CUDA C++, or the program. */
  changeText() {
    this.cuda = !this.cuda;
    fillTwin(this.view, this.cuda);
  }

  /** Folds what stands before the first phase, or unfolds it. */
  toggleSetUp() {
    const shown = !this.view.setUpShown;
    this.each((view) => { view.setUpShown = shown; });
  }

  /** Folds arithmetic of addresses, or unfolds it. */
  toggleAddresses() {
    const shown = !this.view.addressesShown;
    this.each((view) => { view.addressesShown = shown; });
  }

  predict() {
    this.views.forEach((view) => { view.predicting = !view.predicting; });
    if (this.view.predicting) this.#toQuestion();
    this.grids.forEach((grid) => grid.redrawAll());
    if (this.view.predicting && !this.shows("state")) this.toggleSide("state");  // where it asks
    drawMarks(this);
    this.refresh(true);
    if (this.view.predicting) this.prediction.focus();
  }

  /** To where the next question is asked, if there is one. */
  #toQuestion() {
    const {grid, view} = this;
    view.seek(view.momentOf(view.beforeQuestion()));
    if (grid.stop.row > view.currentRow + 1) grid.moveStop(Math.max(0, view.currentRow), grid.stop.lane, false);
  }

  /** What was pointed at before prediction hid it is not pointed at any more. */
  #forget() {
    if (!this.views.some((view) => view.predicting)) return;
    this.pointed = null;
    this.views.forEach((view) => { view.lit = null; });
  }

  /** Makes the k-th trace the one that keys and panels are about. @param {number} k */
  choose(k) {
    if (k === this.active) return;
    this.active = k;
    if (this.narrow) return this.layOut();
    const place = focusPlace();
    this.#program();
    fillTabs(this);
    namePanes(this);
    drawMarks(this);
    this.refresh();
    focusAgain(place);
  }

  /** @param {number} lane */
  chooseLane(lane) {
    if (this.view.lane === lane) return;
    this.view.lane = lane;
    this.address.keep(this);
    fillRegisters(this.view, this.allRegisters);
    this.grid.head.querySelectorAll(".lane").forEach((cell, k) => cell.classList.toggle("chosen", k === lane));
  }

  /** Lights up where a cell's value came from. @param {number} k @param {number} row @param {number} lane @param {number} band */
  point(k, row, lane, band) {
    const view = this.views[k];
    if (!view.rows[row] || view.hides(view.rows[row].event)) return;
    this.views.forEach((one) => { one.lit = null; });
    const node = view.nodeOf(view.eventAt(view.rows[row], lane), lane, band);
    this.pointed = k === this.active ? node : null;
    view.light(node);
    fillWhy(view, node, (event) => this.motion.toEvent(event));
    this.grids.forEach((grid) => grid.refresh());
  }

  unpoint() {
    this.pointed = null;
    this.views.forEach((view) => { view.lit = null; });
    this.grids.forEach((grid) => grid.refresh());
    this.#why();
  }
}
