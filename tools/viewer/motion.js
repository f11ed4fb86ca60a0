// Moving through the run: to a row, an event, a shuffle, a breakpoint, a finding; and playing.
//
// Shapes: moves the App's active view and has the App draw. `playing` is true while the timer runs.

import {byId} from "./dom.js";
import {say, sayInstead} from "./frame.js";
import {rowOfLine} from "./source.js";
import {word} from "./words.js";

/** @typedef {import("./app.js").App} App */

export class Motion {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.timer = 0;
  }

  get playing() { return this.timer !== 0; }
  get #atEnd() {
    const {views, view} = this.app;
    return (this.#together ? views : [view]).every((one) => one.currentRow >= one.rows.length - 1);
  }
  /** Whether a step is one of both traces; prediction asks about each of one's own. */
  get #together() { return this.app.views.length > 1 && !this.app.view.predicting; }

  /** @param {number} row  -1 is the start */
  toRow(row) {
    const {view, views} = this.app;
    for (const one of row < 0 ? views : [view]) one.seek(one.momentOf(row));
    this.app.refresh(true);
  }

  forward() {
    if (this.#together) this.app.together(1);
    else if (!this.#atEnd) this.toRow(this.app.view.currentRow + 1);
  }
  back() {
    if (this.#together) this.app.together(-1);
    else this.toRow(Math.max(-1, this.app.view.currentRow - 1));
  }
  toEnd() {
    for (const view of this.app.views) view.seek(view.trace.events.length);
    this.app.refresh(true);
  }

  /** @param {number} event */
  toEvent(event) {
    const {view} = this.app;
    if (view.trace.warpOf[event] !== view.warp) this.app.toWarp(view.trace.warpOf[event]);
    if (view.isSetUp(event) && !view.setUpShown) this.app.toggleSetUp();
    if (!view.addressesShown && view.trace.code[view.trace.events[event].pc].address && !view.faults.has(event)) this.app.toggleAddresses();
    view.seek(event + 1);
    this.app.refresh(true);
  }

  /** @param {1|-1} direction */
  toBreakpoint(direction) {
    const {view} = this.app;
    const stops = (/** @type {number} */ k) => view.breakpoints.has(view.lineOf(view.rows[k].event)) ||
      (view.breaksAt(view.rows[k].event) && view.beginsLine(k));
    const found = view.findRow(direction, (_, k) => stops(k));
    this.toRow(found >= 0 ? found : direction > 0 ? view.rows.length - 1 : -1);
  }

  /** To the end of the next line of the source, or of the one before. @param {1|-1} direction */
  toLine(direction) {
    const {view} = this.app;
    const found = rowOfLine(view, direction);
    this.toRow(found >= 0 ? found : direction > 0 ? view.rows.length - 1 : -1);
  }

  /** @param {1|-1} direction */
  toShuffle(direction) {
    const found = this.app.view.findRow(direction, (row) => row.gap === "arrows");
    if (found >= 0) this.toRow(found);
    else sayInstead(this.app, "noShuffle");
  }

  toFinding() {
    const {view} = this.app;
    const events = [...view.faults].sort((a, b) => a - b);
    const found = events.find((event) => event >= view.n);
    if (found !== undefined) this.toEvent(found);
    else if (view.halt && (view.n < view.trace.events.length || events.length === 0)) this.toHalt();
    else if (events.length > 0) this.toEvent(events[0]);
    else if (!view.predicting) sayInstead(this.app, "noDiagnostics");
  }

  /** To the end, where the run trapped without an event of its own, in a warp that waits. */
  toHalt() {
    const {view} = this.app;
    const places = view.halt?.places ?? [];
    const {warps} = view.trace;
    const waits = (/** @type {number} */ w) =>
      places.some((place) => place.pc !== null && place.block === warps[w].block && place.warp === warps[w].warp);
    const first = warps.findIndex((_, w) => waits(w));
    if (first >= 0 && !waits(view.warp)) this.app.toWarp(first);
    this.toEnd();
  }

  /** To the next step, or the one before, at which the two traces differ. @param {1|-1} direction */
  toDifference(direction) {
    const {view} = this.app;
    const events = [...view.differences.keys()].sort((a, b) => direction * (a - b));
    const found = events.find((event) => (direction > 0 ? event >= view.n : event + 1 < view.n));
    if (found !== undefined) this.toEvent(found);
    else if (this.app.views.length > 1) sayInstead(this.app, "noDifference");
  }

  /** Plays, or pauses; prediction's questions are not played over. */
  play() {
    if (this.playing) return this.#pause();
    const {prediction} = this.app;
    if (prediction.waiting) return prediction.focus();
    if (this.#atEnd) for (const view of this.app.views) view.seek(view.begin);
    const tick = () => {
      const begun = performance.now();
      const before = this.app.views.map((view) => view.event);
      this.forward();
      const stop = this.app.views.some((view, k) =>
        view.event >= 0 && view.event !== before[k] && view.breaksAt(view.event));
      if (stop || this.#atEnd || prediction.waiting) {
        this.#pause();
        return prediction.waiting ? prediction.focus() : undefined;
      }
      const period = Number(/** @type {HTMLSelectElement} */ (byId("speed")).value);
      this.timer = window.setTimeout(tick, Math.max(0, period - (performance.now() - begun)));
    };
    this.timer = window.setTimeout(tick, 60);
    this.#button();
  }
  #pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.#button();
    say(this.app);
  }
  #button() {
    const button = byId("play");
    button.dataset.label = this.playing ? "pause" : "play";
    button.querySelector("path")?.setAttribute("d", this.playing ? "M5 3v10M11 3v10" : "M4 2.5v11l9-5.5z");
    button.setAttribute("aria-label", word(this.app.language, button.dataset.label));
    button.classList.toggle("on", this.playing);
  }
}
