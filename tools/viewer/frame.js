// What stands around the grid: the title, every word that is not in a panel, the warps' tabs, the marks above the slider, the
// sentence.
//
// Shapes: each function fills its element from the App as it is now.

import {isOfOneProgram} from "./compare.js";
import {fillHelp, keyOf} from "./controls.js";
import {byId, make} from "./dom.js";
import {laneCount, word} from "./words.js";

/** As many tabs as have room; of more warps there are lists. */
const kTabs = 8;

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./words.js").Language} Language */

/** @param {App} app */
export function fillWords(app) {
  const {language} = app;
  document.documentElement.lang = language;
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-word]")))
    element.textContent = word(language, element.dataset.word ?? "");
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-label]"))) {
    const text = word(language, element.dataset.label ?? "");
    element.setAttribute("aria-label", text);
    element.title = element.tagName === "SECTION" ? "" : text;
  }
  const titles = app.views.map((view) => view.trace.titleIn(language));
  const names = app.views.length > 1 && titles[0] === titles[1] ? [titles[0], ...toldApart(app)] : titles;
  byId("title").textContent = names.join(" · ");
  document.title = `${names.join(" · ")} – warpsim`;
  const {trace} = app.view;
  byId("subtitle").textContent = app.views.length > 1
    ? `${word(language, "comparison")}: ${word(language, `comparison${app.alignment}`)}`
    : [trace.name, laneCount(language, trace.lanes), backendIn(trace, language), timingIn(trace, language), formIn(trace, language)].filter((text) => text).join(" · ");
  byId("registersSwitch").textContent = word(language, app.allRegisters ? "oneLane" : "allLanes");
  byId("formSwitch").textContent = word(language, trace.notes.collectives === "step" ? "formStepShort" : "formShufflesShort");
  nameKeys(language);
  namePanes(app);
  fillHelp(byId("helpText"), language);
}

/** Each control's tooltip says what it does and which key does that too. @param {Language} language */
function nameKeys(language) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-do]"))) {
    const key = keyOf(element.dataset.do ?? ""), {label} = element.dataset;
    if (key && !element.closest(".setUpFold")) element.title = `${label ? word(language, label) : element.textContent} (${key})`;
  }
  const slider = byId("slider");
  slider.title = `${slider.getAttribute("aria-label")} (← →)`;
}

/** A GPU's name is its name; the simulator has one in each language. @param {import("./trace.js").Trace} trace
 * @param {import("./words.js").Language} language */
const backendIn = (trace, language) => (trace.backend === "simulator" ? word(language, "simulator") : trace.backend);

/** By which profile and scheduler a run was timed, "" of one that was not. @param {import("./trace.js").Trace} trace
 * @param {import("./words.js").Language} language */
const timingIn = ({profile, scheduler, isMachineCode}, language) =>
  (scheduler ? word(language, "timedBy", {profile: profile.split(" --")[0], scheduler}) + (isMachineCode ? word(language, "ofMachineCode") : "") : "");

/** Whether collectives are one step or shuffles, "" of a program without. @param {import("./trace.js").Trace} trace @param {Language} language */
const formIn = ({notes: {collectives}}, language) => (collectives ? word(language, collectives === "step" ? "formStep" : "formShuffles") : "");

/** What tells each of two traces from the other: its number, its file, and of backend, case and lanes what differs.
 * @param {App} app @returns {string[]} */
function toldApart({views, language}) {
  const short = (/** @type {string} */ given) => given.slice(given.lastIndexOf("/") + 1);
  const sameFile = views.length > 1 && short(views[0].given) === short(views[1].given);
  /** @type {((trace: import("./trace.js").Trace) => string)[]} */
  const parts = [(trace) => backendIn(trace, language), (trace) => trace.launch.case, (trace) => laneCount(language, trace.lanes),
    (trace) => timingIn(trace, language)];
  const different = parts.filter((part) => new Set(views.map((view) => part(view.trace))).size > 1);
  return views.map(({trace, given}, k) => {
    const file = given === trace.name ? "" : sameFile ? given : short(given);
    const told = [file, ...different.map((part) => part(trace))].filter((text) => text).join(", ");
    return told ? `${k + 1}: ${told}` : `${k + 1}`;
  });
}

/** The title of the k-th of two traces; or only what tells it from the other. @param {App} app @param {number} k @param {boolean} [whole] */
export function paneText(app, k, whole = true) {
  const told = toldApart(app)[k], {trace} = app.views[k], backend = backendIn(trace, app.language);
  return [told, ...(whole ? [trace.name, told.includes(backend) ? "" : backend] : [])].filter((text) => text).join(" · ");
}

/** A button above each of two traces: the one that keys and panels are about. @param {App} app */
export function namePanes(app) {
  if (app.views.length < 2) return;
  app.views.forEach((view, k) => {
    const {box} = app.grids[k];
    let name = /** @type {HTMLButtonElement|null} */ (box.querySelector(".paneName"));
    if (!name) {
      name = make("button", "paneName");
      name.addEventListener("click", () => app.choose(k));
      box.prepend(name);
    }
    name.textContent = paneText(app, k);
    name.title = view.given;
    name.setAttribute("aria-pressed", String(k === app.active));
    box.classList.toggle("active", k === app.active);
  });
}

/** More tabs than one sees at once: lists of the blocks and of the warps of one. @param {App} app @param {HTMLElement} tabs */
function fillChoices(app, tabs) {
  const {warps} = app.view.trace, now = warps[app.view.warp];
  const at = (/** @type {number} */ block, /** @type {number} */ warp) => warps.findIndex((one) => one.block === block && one.warp === warp);
  const blocks = [...new Set(warps.map(({block}) => block))];
  const own = warps.flatMap(({block, warp}) => (block === now.block ? [warp] : []));
  /** @param {"block"|"warp"} kind @param {number[]} all @param {(one: number) => number} to */
  const choice = (kind, all, to) => {
    if (all.length < 2) return;
    const list = make("select", "", tabs);
    list.setAttribute("aria-label", word(app.language, kind, {[kind]: now[kind]}));
    for (const one of all) make("option", "", list, word(app.language, kind, {[kind]: one})).value = String(one);
    list.value = String(now[kind]);
    list.addEventListener("change", () => app.toWarp(to(Number(list.value))));
  };
  choice("block", blocks, (block) => Math.max(at(block, now.warp), warps.findIndex((one) => one.block === block)));
  choice("warp", own, (warp) => at(now.block, warp));
}

/** @param {App} app */
export function fillTabs(app) {
  const tabs = byId("tabs"), {view} = app;
  const {warps} = view.trace;
  tabs.hidden = warps.length < 2;
  tabs.replaceChildren();
  tabs.setAttribute("aria-label", word(app.language, "warps"));
  const blocks = view.trace.launch.grid.reduce((all, size) => all * size, 1) > 1;
  if (warps.length > kTabs) return fillChoices(app, tabs);
  warps.forEach((warp, k) => {
    const name = word(app.language, "warp", {warp: warp.warp});
    const tab = make("button", "text", tabs, blocks ? `${word(app.language, "block", {block: warp.block})} · ${name}` : name);
    tab.setAttribute("aria-pressed", String(k === view.warp));
    tab.addEventListener("click", () => app.toWarp(k));
    if (k === view.warp) tab.scrollIntoView({block: "nearest", inline: "nearest"});
  });
}

/** Small marks above the slider: where lanes exchange, where something went wrong, where two traces differ. @param {App} app */
export function drawMarks(app) {
  const canvas = /** @type {HTMLCanvasElement} */ (byId("marks"));
  const scale = window.devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext("2d");
  const {view} = app, {rows, trace} = view;
  if (!context || rows.length === 0) return;
  context.scale(scale, scale);
  const style = getComputedStyle(document.documentElement);
  const [right, bus, lost, mark] = ["--right", "--bus", "--lost", "--mark"].map((name) => style.getPropertyValue(name));
  if (view.halt && !view.predicting) {
    context.fillStyle = lost;
    context.fillRect(width - 9, 0, 2, height);
  }
  // So many that they are one bar say nothing: then faults and differences alone are marked.
  const few = rows.reduce((sum, row) => sum + (row.gap === "none" ? 0 : 1), 0) < width / 4;
  rows.forEach((row, k) => {
    if (view.predicting && k > view.currentRow) return;
    const x = 8 + ((width - 16) * (k + 1)) / rows.length;
    const fault = view.trapped(row.event) && !view.predicting;
    if (fault || (few && row.gap !== "none")) {
      context.fillStyle = fault ? lost : trace.events[row.event].exchange ? right : bus;
      context.fillRect(x - 1, fault ? 0 : 2, 2, height - (fault ? 0 : 2));
    }
    if (view.predicting || !view.differences.has(row.event)) return;
    context.fillStyle = mark;  // a wedge, which no other mark is
    context.beginPath();
    context.moveTo(x - 4, 0);
    context.lineTo(x + 4, 0);
    context.lineTo(x, height);
    context.fill();
  });
}

/** The slider and what stands beside it. @param {App} app */
export function fillPosition(app) {
  const {view, language} = app;
  const slider = /** @type {HTMLInputElement} */ (byId("slider"));
  slider.max = String(view.rows.length);
  slider.value = String(view.currentRow + 1);
  const cycle = view.event < 0 ? null : view.trace.events[view.event].cycle;
  const at = word(language, "of", {at: view.currentRow + 1, all: view.rows.length});
  const whole = cycle === null ? at : `${at} · ${word(language, "cycle", {cycle})}`;
  byId("position").textContent = app.narrow && whole.length > 22 ? at : whole;  // on one line with the speed
  slider.setAttribute("aria-valuetext", whole);
}

/** What is said before the first step, and how one goes on. @param {App} app @param {import("./view.js").View} view */
function startOf(app, view) {
  const {trace, language} = view;
  if (trace.events.length === 0) return beginningOf(view, language);
  return `${beginningOf(view, language)} ${word(language, app.narrow ? "tapToBegin" : "pressToBegin")}`;
}

/** @param {import("./view.js").View} view @param {import("./words.js").Language} language */
export function beginningOf({begin, trace, setUps, warp}, language) {
  const {window} = trace.notes;
  const {findings, trap} = trace.outcome;
  if (trap && trace.events.length === 0) return word(language, "stoppedFirst", {message: trace.fault(findings.length, language).message});
  if (!window && begin > 0) return word(language, setUps[warp] === 1 ? "startSetUpOne" : "startSetUp", {count: setUps[warp]});
  if (!window) return word(language, "start");
  const one = window.first === window.last ? "One" : "";
  return word(language, `${trace.events[0]?.cycle === null ? "window" : "windowCycles"}${one}`, {...window});
}

/** The sentence of a view's step, or what is said before the first one. @param {import("./view.js").View} view @param {HTMLElement} box @param {string} start */
export function sayStep(view, box, start) {
  const {event, language, trace} = view, row = view.rows[view.currentRow];
  const title = event < 0 ? "" : trace.phaseTitle(event, language);
  const line = make("span", "said", box);
  if (title) make("b", "", line, `${title.replace(/:$/, "")} `);
  if (row && trace.sourceKey(trace.events[event].pc)) make("b", "source", line, `${trace.lineName(trace.events[event].pc)} `);
  make("span", "", line, row ? [event, ...row.fused].map((k) => trace.sentence(k, language)).join(" · ") : start);
}

/** The sentence of this step, of each trace. @param {App} app */
export function say(app) {
  const box = byId("sentence");
  box.setAttribute("aria-live", app.motion.playing ? "off" : "polite");
  box.replaceChildren();
  for (const view of app.views) sayStep(view, box, startOf(app, view));
  const compared = comparedText(app);
  if (compared) make("span", "compared", box, compared);
}

/** Says that there is nowhere to go. @param {App} app @param {string} key */
export function sayInstead(app, key) {
  say(app);
  const line = make("span", "compared", null, word(app.language, key));
  byId("sentence").prepend(line);
}

/** In words, where two traces differ: at this step and in all. @param {App} app */
function comparedText(app) {
  const {view, language, outputs} = app;
  if (app.views.length < 2 || view.predicting) return "";
  const parts = outputs.slice(0, 3).map((one) => word(language, "differenceOf", one));
  const output = outputs.length === 0 ? word(language, "sameOutputs")
    : word(language, "differentOutputs", {list: parts.join(", ") + (outputs.length > 3 ? word(language, "andMore", {count: outputs.length - 3}) : "")});
  if (!isOfOneProgram(app.alignment)) return output;
  const here = view.event < 0 ? undefined : view.differences.get(view.event);
  if (here) return word(language, "differsHere", {list: listOf(here, language)});
  if (view.differences.size === 0) return `${word(language, "tracesAgree")} ${output}`;
  const first = Math.min(...view.differences.keys());
  return word(language, view.differences.size === 1 ? "tracesDifferOne" : "tracesDiffer",
    {count: view.differences.size, when: view.trace.when(first, language)});
}

/** @param {import("./differences.js").Difference[]} differences @param {Language} language */
function listOf(differences, language) {
  const texts = differences.slice(0, 3).map(({lane, name, here, there}) => {
    if (name === "missing") return word(language, "differenceMissing");
    const what = lane < 0 ? word(language, "mask") : name === "from" ? word(language, "differenceFrom", {lane})
      : `${word(language, "lane", {lane})} ${name === "memory" ? "" : name}`.trim();
    return word(language, "differenceOf", {name: what, here, there});
  });
  return texts.join(", ") + (differences.length > 3 ? word(language, "andMore", {count: differences.length - 3}) : "");
}

/** @param {boolean} open */
export function openMenu(open) {
  byId("menu").hidden = !open;
  byId("menuButton").setAttribute("aria-expanded", String(open));
}
