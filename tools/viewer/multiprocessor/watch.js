// The multiprocessor of a timed run, beside the grid of lanes: the warps of its sub-cores over cycles, and the run's numbers.
//
// Shapes: one Watch a page. `span` is what the pointer or the keys are on. It is there where the active view has `timing`; on little
//         room it stands in the place of the grid.

import {byId, make} from "../dom.js";
import {word} from "../words.js";
import {fillAccess} from "./access.js";
import {fillOccupancy, fillRoofline, fillWaits} from "./cards.js";
import {cycleAt, isCoarse, kAxis, kGutter, kRowHeight, layoutOf, paintSample, paintSm} from "./paint.js";
import {Schedule, kReasons} from "./schedule.js";
import "./words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("./schedule.js").Span} Span */

const kMostScale = 40, kLeast = 280, kLowWindow = 560;

export class Watch {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** Whether it is wanted; null: as there is room. @type {boolean|null} */
    this.wanted = null;
    /** @type {import("../view.js").View|null}  what the schedule is of */
    this.view = null;
    /** @type {Schedule|null} */
    this.schedule = null;
    this.sm = 0;
    this.scale = 0;  // pixels a cycle; 0: all cycles are in sight
    /** @type {Span|null} */
    this.span = null;
    /** @type {import("./paint.js").SmLayout} */
    this.layout = {rows: [], height: 0};
    this.#listen();
  }

  get #scroll() { return byId("watchScroll"); }
  get #canvas() { return /** @type {HTMLCanvasElement} */ (byId("watchCanvas")); }
  get possible() { return this.app.view.timing !== null; }
  /** It takes the grid's place where both have no room. */
  get #whole() { return this.app.narrow || window.innerHeight < kLowWindow; }
  get shown() { return this.possible && (this.wanted ?? !this.#whole); }

  toggle() {
    if (!this.possible) return;
    this.wanted = !this.shown;
    this.app.layOut();
  }

  /** Before the grids are measured: how much room it takes from them. */
  frame() {
    const {classList} = document.body, {shown} = this;
    classList.toggle("timed", this.possible);
    classList.toggle("watched", shown);
    classList.toggle("watchedWhole", shown && this.#whole);
    byId("watch").hidden = !shown;
    for (const button of document.querySelectorAll("[data-do=watch]")) button.setAttribute("aria-pressed", String(shown));
    if (!shown) return;
    this.#take();
    const main = byId("panes").parentElement?.clientHeight ?? 600;
    const wants = Math.max(kLeast, this.layout.height + byId("watch").clientHeight - this.#scroll.clientHeight + 16);
    byId("watch").style.height = this.#whole ? "" : `${Math.min(wants, Math.round(main * 0.52))}px`;
    byId("panes").style.height = this.#whole ? "" : `calc(100% - ${Math.min(wants, Math.round(main * 0.52))}px)`;
  }

  /** The schedule of what the page shows now. */
  #take() {
    const {view} = this.app;
    if (this.view !== view) {
      this.view = view;
      this.schedule = new Schedule(view.trace);
      this.span = null;
      this.scale = 0;
      this.sm = this.schedule.smOf(view.warp);
    }
    if (this.schedule) this.layout = layoutOf(this.schedule, this.sm);
  }

  /** All that it says, once the page has its size. */
  fill() {
    if (!this.shown) {
      byId("panes").style.height = "";
      return;
    }
    const {view, language} = this.app, {timing} = view;
    if (!timing || !this.schedule) return;
    const {cycles, instructions, roofline} = timing.statistics, rate = instructions / (cycles * timing.statistics.sms);
    byId("watchSums").textContent = word(language, "watchSums", {cycles, instructions, rate: (roofline?.instructions_a_cycle ?? rate).toFixed(3)});
    this.#scroll.setAttribute("aria-label", word(language, "watchTimeline"));
    byId("watchCards").setAttribute("aria-label", word(language, "waits"));
    this.#fillSms();
    this.#fillLegend();
    this.#fillWaits();
    fillOccupancy(byId("occupancy"), view);
    fillRoofline(byId("roofline"), view);
    this.refresh();
  }

  #fillWaits() {
    fillWaits(byId("waits"), this.app.view, (event) => { if (event >= 0) this.app.motion.toEvent(event); });
  }

  /** While predicting, what is to come is not to be seen here either. */
  #tell() {
    const {view} = this.app, {schedule} = this, until = view.tellsUntil;
    if (!schedule || schedule.until === until) return;
    const all = Math.min(schedule.until, until) < view.trace.events.length;  // before or now something was hidden
    schedule.until = until;
    if (this.span && this.span.event >= until) this.span = null;
    if (all) this.#fillWaits();
  }

  #fillSms() {
    const list = /** @type {HTMLSelectElement} */ (byId("watchSm")), sms = this.schedule?.sms ?? [];
    list.hidden = sms.length < 2;
    list.replaceChildren();
    for (const sm of sms) make("option", "", list, word(this.app.language, "sm", {sm})).value = String(sm);
    list.value = String(this.sm);
  }

  #fillLegend() {
    const box = byId("watchLegend"), {language} = this.app, stalls = this.app.view.timing?.statistics.stalls ?? {};
    box.replaceChildren();
    ["issued", ...kReasons.map(([reason]) => `stall_${reason}`)].forEach((key, kind) => {
      if (kind > 0 && !(stalls[kReasons[kind - 1][0]] > 0)) return;
      const item = make("span", "", box), sample = make("canvas", "", item);
      sample.setAttribute("aria-hidden", "true");
      paintSample(sample, kind);
      item.append(word(language, key));
    });
    make("span", "coarse type", box, word(language, "legendCoarse"));
  }

  /** After a step: the mark goes along, and the access is that of the step. */
  refresh() {
    if (!this.shown || !this.schedule) return;
    this.#tell();
    const {view} = this.app, sm = this.schedule.smOf(view.warp);
    if (this.lastWarp !== view.warp && sm !== this.sm) this.#toSm(sm);
    this.lastWarp = view.warp;
    if (view.event !== this.lastEvent) {
      this.lastEvent = view.event;
      this.#keepInSight(view.event);
    }
    this.paint();
    this.#say();
  }
  /** @type {number|undefined} */
  lastWarp = undefined;
  /** @type {number|undefined} */
  lastEvent = undefined;

  /** @param {number} sm */
  #toSm(sm) {
    if (!this.schedule) return;
    this.sm = sm;
    this.span = null;
    this.layout = layoutOf(this.schedule, sm);
    /** @type {HTMLSelectElement} */ (byId("watchSm")).value = String(sm);
  }

  /** The smallest scale, at which all cycles are in sight, or the chosen one. */
  #scaleNow() {
    const fits = Math.max(1e-6, (this.#scroll.clientWidth - kGutter - 4) / Math.max(1, this.schedule?.cycles ?? 1));
    return Math.max(this.scale, Math.min(fits, kMostScale));
  }

  /** @returns {import("./paint.js").Sight} */
  #sight() {
    const {scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height} = this.#scroll;
    return {left, top, width, height, scale: this.#scaleNow()};
  }

  paint() {
    if (!this.shown || !this.schedule) return;
    const {cycles} = this.schedule, space = byId("watchSpace");
    space.style.width = `${Math.ceil(kGutter + cycles * this.#scaleNow())}px`;
    space.style.height = `${this.layout.height}px`;
    const sight = this.#sight();
    byId("watchLegend").classList.toggle("isCoarse", isCoarse(sight));
    paintSm(this.#canvas, {schedule: this.schedule, layout: this.layout, sight, language: this.app.language, now: this.app.view.event, cursor: this.span});
  }

  /** Scrolls to an event if it is not to be seen. @param {number} event */
  #keepInSight(event) {
    if (event < 0 || !this.schedule) return;
    const {trace} = this.schedule, warp = trace.warpOf[event], x = ((trace.events[event].cycle ?? 1) - 1) * this.#scaleNow();
    const row = this.layout.rows.find((one) => one.warp === warp), scroll = this.#scroll, room = scroll.clientWidth - kGutter;
    byId("watchSpace").style.width = `${Math.ceil(kGutter + this.schedule.cycles * this.#scaleNow())}px`;
    if (x < scroll.scrollLeft || x > scroll.scrollLeft + room - 12) scroll.scrollLeft = Math.max(0, x - room / 2);
    if (!row) return;
    if (row.y - kAxis < scroll.scrollTop) scroll.scrollTop = row.y - kAxis;
    if (row.y + kRowHeight > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = row.y + kRowHeight - scroll.clientHeight;
  }

  /** @param {number} scale  0: all cycles @param {number} [at]  the cycle that keeps its place */
  zoom(scale, at) {
    if (!this.schedule) return;
    const {trace} = this.schedule, before = this.#sight(), now = this.app.view.event;
    const cycle = at ?? this.span?.begin ?? (now < 0 ? cycleAt(before, kGutter) : trace.events[now].cycle ?? 1);
    const place = (cycle - 1) * before.scale - before.left;
    this.scale = Math.min(scale, kMostScale);
    this.paint();  // the space is as wide as it is then
    const room = before.width - kGutter, kept = place >= 0 && place < room ? place : room / 2;
    this.#scroll.scrollLeft = Math.max(0, (cycle - 1) * this.#scaleNow() - kept);
    this.paint();
  }
  zoomIn() { this.zoom(this.#scaleNow() * 1.6); }
  zoomOut() { this.zoom(this.#scaleNow() / 1.6); }
  zoomFit() { this.zoom(0); }

  /** What a span is, in words. @param {Span} span */
  textOf(span) {
    const {language, view: {trace}} = this.app, {block, warp} = trace.warps[span.warp];
    const where = `${word(language, "block", {block})} · ${word(language, "warp", {warp})}`, event = trace.events[span.event];
    const what = word(language, "spanOf", {line: trace.lineName(event.pc), op: trace.code[event.pc].text});
    const stall = this.schedule?.stallOf(span);
    if (!stall) return `${where} · ${word(language, "spanIssue", {cycle: span.begin})} · ${what}`;
    const writer = stall.pc === undefined ? "" : ` (${trace.lineName(stall.pc)}: ${trace.code[stall.pc]?.op ?? ""})`;
    const why = `${word(language, `why_${stall.reason}`)}${stall.register || stall.pipe ? ` ${stall.register ?? stall.pipe}` : ""}${writer}`;
    const count = span.end - span.begin;
    return `${where} · ${word(language, count === 1 ? "spanStallOne" : "spanStall", {first: span.begin, last: span.end - 1, count, why})} · ${what}`;
  }

  /** The line below the bars, and the access of what the cursor is on, or of the step. */
  #say() {
    const {view, language} = this.app, text = this.span ? this.textOf(this.span) : word(language, "watchHint");
    const said = byId("watchSaid");
    if (said.textContent !== text) said.textContent = text;
    const event = this.span ? this.span.event : view.event;
    if (this.accessOf === `${event} ${language}` && this.accessView === view) return;
    this.accessOf = `${event} ${language}`;
    this.accessView = view;
    fillAccess(byId("access"), view, event);
  }
  accessOf = "";
  /** @type {import("../view.js").View|null} */
  accessView = null;

  /** @param {Span|null} span */
  point(span) {
    if (this.span?.event === span?.event && this.span?.stall === span?.stall) return;
    this.span = span;
    this.paint();
    this.#say();
  }

  /** @param {MouseEvent} event @returns {Span|null} */
  #spanUnder(event) {
    if (!this.schedule) return null;
    const box = this.#canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top, sight = this.#sight();
    if (x < kGutter || y < kAxis) return null;
    const row = this.layout.rows.find((one) => one.warp >= 0 && y + sight.top >= one.y && y + sight.top < one.y + kRowHeight);
    if (!row) return null;
    // Where a cycle is less than a pixel, an issue that is near is meant.
    const cycle = cycleAt(sight, x), near = Math.floor(2 / sight.scale), at = this.schedule.placeAt(row.warp, cycle - near);
    const issue = this.schedule.spansAt(row.warp, at).pop();
    return issue && Math.abs(issue.begin - cycle) <= near ? issue : this.schedule.spanAt(row.warp, cycle);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.schedule) return;
    const {schedule, app} = this, {warps} = app.view.trace;
    const rows = this.layout.rows.filter((row) => row.warp >= 0).map((row) => row.warp);
    const start = () => schedule.spanAt(app.view.warp, app.view.event < 0 ? 1 : app.view.trace.events[app.view.event].cycle ?? 1) ?? schedule.spansAt(rows[0], 0)[0] ?? null;
    const span = this.span ?? start();
    if (!span) return;
    const other = (/** @type {number} */ step) => {
      const warp = rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(span.warp) + step))];
      const last = warps[warp].events.length - 1;
      return schedule.spanAt(warp, span.begin) ?? schedule.spansAt(warp, Math.min(last, schedule.placeAt(warp, span.begin)))[0] ?? span;
    };
    /** @type {Record<string, () => Span|null>} */
    const moves = {ArrowRight: () => (this.span ? schedule.beside(span, 1) : span), ArrowLeft: () => (this.span ? schedule.beside(span, -1) : span),
      ArrowUp: () => other(-1), ArrowDown: () => other(1), Home: () => schedule.spansAt(span.warp, 0)[0],
      End: () => schedule.spansAt(span.warp, warps[span.warp].events.length - 1).pop() ?? null};
    /** @type {Record<string, () => void>} */
    const deeds = {"+": () => this.zoomIn(), "-": () => this.zoomOut(), 0: () => this.zoomFit(), Enter: () => app.motion.toEvent(span.event), " ": () => app.motion.toEvent(span.event), Escape: () => this.point(null)};
    if (moves[event.key]) {
      const next = moves[event.key]();
      if (next) {
        this.#keepInSight(next.event);
        this.point(next);
      }
    } else if (deeds[event.key]) deeds[event.key]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #listen() {
    const scroll = this.#scroll;
    scroll.addEventListener("scroll", () => this.paint(), {passive: true});
    scroll.addEventListener("pointermove", (event) => { if (event.pointerType === "mouse") this.point(this.#spanUnder(event)); });
    scroll.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse" && document.activeElement !== scroll) this.point(null); });
    scroll.addEventListener("blur", () => this.point(null));
    scroll.addEventListener("click", (event) => {
      const span = this.#spanUnder(event);
      if (!span) return;
      this.point(span);
      this.app.motion.toEvent(span.event);
    });
    scroll.addEventListener("wheel", (event) => {
      if (!event.ctrlKey || !this.schedule) return;
      event.preventDefault();
      this.zoom(this.#scaleNow() * (event.deltaY < 0 ? 1.25 : 0.8), cycleAt(this.#sight(), event.clientX - this.#canvas.getBoundingClientRect().left));
    }, {passive: false});
    scroll.addEventListener("keydown", (event) => this.#key(event));
    byId("watchSm").addEventListener("change", (event) => {
      this.#toSm(Number(/** @type {HTMLSelectElement} */ (event.target).value));
      this.paint();
      this.#say();
    });
  }
}
