// A run in an element: the grid of `warpsim view` (tools/viewer/) with buttons, a slider and the sentence of the step.
//
// Units: CSS pixels.

import {actionOf} from "../../tools/viewer/controls.js";
import {make, makeSvg} from "../../tools/viewer/dom.js";
import {beginningOf, sayStep} from "../../tools/viewer/frame.js";
import {Grid} from "../../tools/viewer/grid.js";
import {kFrame, kManyLanes} from "../../tools/viewer/layout.js";
import {listenToGrids} from "../../tools/viewer/listen.js";
import {Trace} from "../../tools/viewer/trace.js";
import {View} from "../../tools/viewer/view.js";
import {laneCount, word} from "../../tools/viewer/words.js";
import {embedWord} from "./words.js";

const kPeriod_ms = 700;
const kNarrow = 560;  // below this width time runs to the right
const kMostHeight = 460, kMostAcross = 560, kLaneHeight = 38, kBelow = 28;
const kFaults = 3;  // findings that are said

const kPlay = "M4 2.5v11l9-5.5z", kPause = "M5 3v10M11 3v10";
/** What the buttons do, and their paths. */
const kButtons = Object.entries({first: "M4 3v10M13 3L6 8l7 5z", back: "M10.5 3l-6 5 6 5", play: kPlay, forward: "M5.5 3l6 5-6 5", last: "M12 3v10M3 3l7 5-7 5z"});

export class Run {
  /** @param {HTMLElement} frame @param {Record<string, any>} data  of tools/viewer/README.md @param {import("./element.js").Given} given
   * @param {string[]} members  of the link to the playground */
  constructor(frame, data, given, members) {
    this.frame = frame;
    this.given = given;
    this.members = members;
    this.timer = 0;
    this.width = 0;
    const view = this.view = new View(new Trace(data["trace-0"], data["notes-0"])), {language} = given;
    view.language = language;
    frame.replaceChildren();
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", embedWord(language, "diagram", {title: view.trace.titleIn(language)}));
    this.#head();
    this.panes = make("div", "panes", frame);
    this.grid = new Grid(view, this.panes);
    this.sentence = make("p", "", frame);
    this.sentence.id = "sentence";
    this.sentence.setAttribute("role", "status");
    const bar = make("div", "bar", frame);
    this.playButton = this.#buttons(bar);
    this.slider = make("input", "", bar);
    this.position = make("output", "", bar);
    this.link = given.site ? make("a", "", bar, embedWord(language, "open")) : null;
    this.#rest();
    this.#listen();
    this.#layOut();
    view.seek(given.step ? Number(given.step) : view.begin);
    this.#refresh();
  }

  #head() {
    const {language, trace} = this.view, {warps} = trace, head = make("div", "head", this.frame);
    make("b", "", head, trace.titleIn(language));
    make("span", "subtitle", head, `${trace.name} · ${laneCount(language, trace.lanes)}`);
    if (warps.length < 2) return;
    const list = make("select", "", head);
    list.setAttribute("aria-label", word(language, "warps"));
    warps.forEach(({block, warp}, k) => make("option", "", list, `${word(language, "block", {block})} · ${word(language, "warp", {warp})}`).value = String(k));
    list.addEventListener("change", () => {
      this.view.warp = Number(list.value);
      this.#layOut();
    });
  }

  /** @param {HTMLElement} bar @returns {HTMLButtonElement}  the one that plays */
  #buttons(bar) {
    const buttons = kButtons.map(([action, path]) => {
      const button = make("button", "", bar), picture = makeSvg("svg", action === "back" || action === "forward" ? "stroke" : "", button);
      picture.setAttribute("viewBox", "0 0 16 16");
      picture.setAttribute("aria-hidden", "true");
      makeSvg("path", "", picture, path);
      this.#name(button, action);
      button.addEventListener("click", () => this.#do(action));
      return button;
    });
    return buttons[kButtons.findIndex(([action]) => action === "play")];
  }

  /** @param {HTMLElement} element @param {string} key */
  #name(element, key) { element.title = element.ariaLabel = word(this.view.language, key); }

  /** What the slider and the link are, and what went wrong in the run. */
  #rest() {
    const {language, trace} = this.view, {findings, trap} = trace.outcome;
    Object.assign(this.slider, {type: "range", min: "0", step: "1", id: "slider"});
    this.#name(this.slider, "position");
    if (this.link) Object.assign(this.link, {target: "_blank", rel: "noopener"});
    const count = findings.length + (trap ? 1 : 0);
    for (let k = 0; k < Math.min(count, kFaults); ++k) make("p", "fault", this.frame, `⚠ ${trace.fault(k, language).message}`);
  }

  #listen() {
    const {grid, view} = this;
    listenToGrids({grids: [grid], views: [view], motion: {toRow: (row) => this.#toRow(row)}, choose: () => {}, unpoint: () => this.#light(null),
      point: (_, row, lane, band) => this.#light(view.nodeOf(view.eventAt(view.rows[row], lane), lane, band)),
      chooseLane: (lane) => {
        view.lane = lane;
        grid.head.querySelectorAll(".lane").forEach((cell, k) => cell.classList.toggle("chosen", k === lane));
      }});
    grid.canvas.addEventListener("click", (event) => {
      if (event.target instanceof HTMLElement && event.target.dataset.do === "setUp") this.#do("setUp");
    });
    this.slider.addEventListener("input", () => this.#toRow(Number(this.slider.value) - 1));
    for (const part of this.frame.children) part.addEventListener("keydown", (event) => this.#key(/** @type {KeyboardEvent} */ (event)));
  }

  /** Another width is another layout. */
  fit() {
    if (this.frame.clientWidth !== this.width) this.#layOut();
  }

  #layOut() {
    const {grid, panes, view} = this, {n} = view, {lanes} = view.trace, marker = grid.marker(), wanted = parseFloat(this.given.height);
    this.width = this.frame.clientWidth;
    const turned = view.transposed = this.width < kNarrow || lanes >= kManyLanes;
    grid.clear(turned);
    const most = wanted > 0 ? wanted : turned ? Math.min(kMostAcross, 2 * kFrame + lanes * kLaneHeight) : kMostHeight;
    panes.style.height = `${most}px`;
    grid.measure();
    view.arrange(turned ? grid.sight.height : grid.sight.width - 12);
    if (!turned && !(wanted > 0)) panes.style.height = `${Math.min(most, kFrame + grid.end + kBelow)}px`;
    grid.measure();
    grid.rebuild();
    view.seek(n);
    grid.toMarker(marker);
    this.#refresh();
  }

  #refresh() {
    const {grid, position, sentence, slider, view} = this, {language} = view;
    grid.showCurrent();
    grid.fill();
    grid.refresh();
    slider.max = String(view.rows.length);
    slider.value = String(view.currentRow + 1);
    position.textContent = word(language, "of", {at: view.currentRow + 1, all: view.rows.length});
    slider.setAttribute("aria-valuetext", position.textContent);
    sentence.setAttribute("aria-live", this.timer ? "off" : "polite");
    sentence.replaceChildren();
    sayStep(view, sentence, beginningOf(view, language));
    if (!this.link) return;
    const place = [view.n === view.begin ? "" : `step=${view.n}`, view.warp === 0 ? "" : `warp=${view.warp}`, `lang=${language}`];
    this.link.href = `${this.given.site.replace(/\/*$/, "/")}play.html#${["v=1", ...this.members, ...place].filter((one) => one).join("&")}`;
  }

  /** @param {number} row  -1 is the start */
  #toRow(row) {
    this.view.seek(this.view.momentOf(row));
    this.#refresh();
  }

  /** Lights up where a value came from. @param {import("../../tools/viewer/dataflow.js").Node|null} node */
  #light(node) {
    this.view.light(node);
    this.grid.refresh();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.#do(actionOf(event))) return;
    event.preventDefault();
    event.stopPropagation();  // the host page may have keys of its own
  }

  /** Whether there is such an action here. @param {string} action */
  #do(action) {
    const {view} = this, {currentRow, rows} = view;
    /** @type {Record<string, () => void>} */
    const deeds = {
      first: () => this.#toRow(-1), back: () => this.#toRow(Math.max(-1, currentRow - 1)), forward: () => this.#toRow(Math.min(rows.length - 1, currentRow + 1)),
      last: () => this.#toRow(rows.length), play: () => this.#play(),
      setUp: () => {
        view.setUpShown = !view.setUpShown;
        this.#layOut();
      },
    };
    if (!deeds[action]) return false;
    const playing = this.timer !== 0;
    this.pause();
    if (action !== "play" || !playing) deeds[action]();
    return true;
  }

  #play() {
    const {view} = this;
    if (view.currentRow >= view.rows.length - 1) this.#toRow(-1);
    this.timer = window.setInterval(() => {
      this.#toRow(view.currentRow + 1);
      if (view.currentRow >= view.rows.length - 1) this.pause();
    }, kPeriod_ms);
    this.#playing(true);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.#playing(false);
  }

  /** @param {boolean} plays */
  #playing(plays) {
    this.playButton.querySelector("path")?.setAttribute("d", plays ? kPause : kPlay);
    this.#name(this.playButton, plays ? "pause" : "play");
  }
}
