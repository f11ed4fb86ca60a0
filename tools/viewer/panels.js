// The panels on the right of the grid: the registers, memory, where a value came from, and what went wrong.
//
// Shapes: each function fills one element from a View at its moment. Long buffers show the elements around what changed.

import {kAddress} from "./dataflow.js";
import {byId, make} from "./dom.js";
import {activeIn, kUnwritten, lanesOf, lanesText, ofLane, sameValue, shortened, textOf} from "./trace.js";
import {word} from "./words.js";

/** @typedef {import("./view.js").View} View */

const kElements = 128;
const kPlaces = 64;
const kSources = 14;
const kSteps = 12;
/** How many steps of where a value came from are asked for, and of which. @type {{view: View|null, key: string, count: number}} */
let asked = {view: null, key: "", count: kSources};

/** @param {View} view @param {boolean} all  a table of all lanes instead of the chosen one's list */
export function fillRegisters(view, all) {
  const {trace, history, warp, n, lane, language} = view;
  byId("registersTitle").textContent = `${word(language, "registers")}${all ? "" : `, ${word(language, "lane", {lane})}`}`;
  const box = byId("registers");
  box.replaceChildren();
  const last = view.lastEvent();
  const written = new Set(last < 0 ? [] : (trace.events[last].writes ?? []).map((write) => write.reg));
  const table = make("table", all ? "wide" : "", box);
  if (all) {
    const head = make("tr", "", make("thead", "", table));
    make("th", "", head).textContent = word(language, "laneShort");
    for (const register of trace.registers) make("th", "", head, register.name).scope = "col";
  }
  const pc = last < 0 ? -1 : trace.events[last].pc;
  const body = make("tbody", "", table);
  const rows = all ? Array.from({length: trace.lanes}, (_, k) => k) : trace.registers.map((_, k) => k);
  for (const row of rows) {
    const line = make("tr", "", body);
    const header = make("th", "", line, all ? `${row}` : trace.registers[row].name);
    header.scope = "row";
    const variable = all ? "" : trace.variableOf(trace.registers[row].name, pc);
    if (variable) make("i", "variable", header, ` ${variable}`);
    if (!all) make("td", "type", line, trace.registers[row].type);
    const cells = all ? trace.registers.map((_, k) => k) : [row];
    for (const register of cells) {
      const at = all ? row : lane;
      const value = history.value(warp, register, at, n);
      const cell = make("td", undefinedClass(view, register, at, value), line,
        value === null && !history.isWritten(warp, register, at, n) ? kUnwritten : textOf(value));
      if (written.has(trace.registers[register].name) && last >= 0 &&
          !sameValue(value, history.value(warp, register, at, last))) cell.classList.add("changed");
    }
  }
}

/** Undefined is an alarm once it has been used. @param {View} view @param {number} register @param {number} lane
 * @param {import("./trace.js").Value} value */
function undefinedClass({trace, history, uses, warp, n}, register, lane, value) {
  if (value !== null) return "";
  const {name} = trace.registers[register];
  return uses.used(warp, name, lane, history.writer(warp, register, lane, n), n) ? "undefined" : "unwritten";
}

/** @param {View} view */
export function fillMask(view) {
  const box = byId("mask");
  box.replaceChildren();
  const event = view.event < 0 ? null : view.trace.events[view.event];
  const mask = event ? activeIn(event) : "0x0";
  const active = event ? lanesOf(mask) : {lanes: [], rank: new Int8Array(64).fill(-1), mask: ""};
  const exited = view.history.exited(view.warp, view.n);
  const row = make("div", "maskRow", box);
  for (let lane = 0; lane < view.trace.lanes; ++lane)
    make("i", active.rank[lane] >= 0 ? "on" : exited.has(lane) ? "gone" : "off", row);
  row.setAttribute("aria-hidden", "true");
  make("p", "", box, event ? `${mask} · ${word(view.language, "maskOf",
    {count: active.lanes.length, all: view.trace.lanes})}` : word(view.language, "none"));
}

/** @param {View} view */
export function fillMemory(view) {
  const box = byId("memory");
  box.replaceChildren();
  const last = view.lastEvent();
  for (const param of view.trace.params) {
    if (param.length === undefined) {
      const line = make("p", "scalar", box);
      make("b", "", line, param.name);
      make("span", "", line, ` = ${textOf(param.value ?? null)}`);
      continue;
    }
    const head = make("p", "", box);
    make("b", "", head, param.name);
    make("span", "type", head, ` ${param.type}[${param.length}] ${param.kind}`);
    const touched = touchedElements(view, last, param.name);
    const from = param.length <= kElements ? 0
      : Math.max(0, Math.min(param.length - kElements, (Math.min(...touched.keys(), Infinity) || 0) - 8));
    const begin = Number.isFinite(from) ? from : 0;
    if (param.length > kElements)
      make("p", "type", box, word(view.language, "elements", {from: begin, to: begin + kElements - 1}));
    const cells = make("div", "cells", box);
    for (let index = begin; index < Math.min(param.length, begin + kElements); ++index)
      element(cells, index, view.history.element(param.name, index, view.n), touched.get(index));
  }
}

/** @param {HTMLElement} parent @param {number} index @param {any} value @param {string|undefined} access
 * @param {boolean} [written] */
function element(parent, index, value, access, written = true) {
  const text = written ? textOf(value) : kUnwritten;
  const cell = make("span", !written ? "unwritten" : value === null ? "undefined" : "", parent, shortened(text, 8));
  cell.title = `[${index}] = ${text}`;
  if (access) cell.classList.add(access === "load" ? "read" : "changed");
}

/** Elements of an object that event k touches, and how. @param {View} view @param {number} k @param {string} name
 * @returns {Map<number, string>} */
function touchedElements(view, k, name) {
  /** @type {Map<number, string>} */
  const touched = new Map();
  const memory = k < 0 ? undefined : view.trace.events[k].memory;
  if (!memory) return touched;
  memory.index.forEach((index, at) => {
    if (index === null || view.history.object(k, at) !== name) return;
    for (let e = 0; e < (memory.elements ?? 1); ++e) touched.set(index + e, memory.access);
  });
  return touched;
}

/** Shared arrays as the hardware lays them out: 32 banks side by side. @param {View} view */
export function fillShared(view) {
  const {trace, language} = view;
  byId("sharedBlock").hidden = trace.shared.length === 0;
  const box = byId("shared");
  box.replaceChildren();
  if (trace.shared.length === 0) return;
  make("p", "type", box, word(language, "banks"));
  const last = view.lastEvent();
  const memory = last < 0 ? undefined : trace.events[last].memory;
  const block = trace.warps[view.warp].block;
  for (const array of trace.shared) {
    const head = make("p", "", box);
    make("b", "", head, array.name);
    make("span", "type", head, ` ${array.type}[${array.length}]`);
    const touched = touchedElements(view, last, `${block}:${array.name}`);
    bankTable(view, array, block, touched, box);
  }
  if (memory?.space === "shared" && memory.ways !== undefined)
    make("p", memory.ways > 1 ? "conflict" : "type", box,
      memory.ways > 1 ? word(language, "ways", {ways: memory.ways}) : word(language, "noConflict"));
}

/** One row a bank, one column for each 128 bytes. @param {View} view @param {{name: string, type: string, length: number}} array
 * @param {number} block @param {Map<number, string>} touched @param {HTMLElement} box */
function bankTable(view, array, block, touched, box) {
  const bytes = Number(/\d+/.exec(array.type)?.[0] ?? 32) / 8;
  const perBank = Math.max(1, Math.round(4 / bytes)), perRow = Math.round(128 / bytes);
  const columns = Math.min(Math.ceil(array.length / perRow), 32);
  const sideways = make("div", "sideways", box);
  sideways.tabIndex = 0;
  sideways.setAttribute("role", "group");
  sideways.setAttribute("aria-label", array.name);
  const table = make("table", "banks", sideways);
  for (let bank = 0; bank < 32; ++bank) {
    const first = bytes > 4 ? Math.floor((bank * 4) / bytes) : bank * perBank;
    if (first >= array.length || (bytes > 4 && (bank * 4) % bytes !== 0)) continue;
    const line = make("tr", "", table);
    make("th", "", line, `${bank}`).scope = "row";
    for (let column = 0; column < columns; ++column) {
      const cell = make("td", "", line);
      for (let k = 0; k < perBank; ++k) {
        const index = column * perRow + first + k;
        if (index < array.length)
          element(cell, index, view.history.sharedElement(block, array.name, index, view.n), touched.get(index),
            view.history.isStored(block, array.name, index, view.n));
      }
    }
  }
}

/** The last steps of where a value came from. @param {View} view @param {import("./dataflow.js").Node|null} node
 * @param {(event: number) => void} go */
export function fillWhy(view, node, go) {
  const box = byId("why");
  box.replaceChildren();
  const {trace, language} = view;
  if (!node) return void make("p", "type", box, word(language, "whyHint"));
  const register = node.register === kAddress ? view.dataflow.given(node.event).join(", ")
    : node.register >= 0 ? trace.registers[node.register].name : trace.destinations(node.event)[view.bandOf(node)].name;
  make("p", "", box, word(language, "whyHead", {register, lane: node.lane, when: trace.when(node.event, language)}));
  const inputs = view.dataflow.text(view.dataflow.contributions(node), true);
  if (inputs || !trace.start) make("p", "", box, inputs ? word(language, "inputs", {list: inputs}) : word(language, "inputsNone"));
  if (trace.start) make("p", "type", box, word(language, "whyWindow"));
  const list = make("ol", "chain", box);
  const key = `${node.event}:${node.lane}:${node.register}:${node.element ?? 0}`;
  if (asked.view !== view || asked.key !== key) asked = {view, key, count: kSources};
  const {nodes, more} = view.dataflow.latest(node, asked.count);
  for (const one of nodes) {
    const event = trace.events[one.event];
    const item = make("li", "", list);
    const button = make("button", "", item);
    make("b", "", button, `${event.cycle ?? trace.positionOf[one.event] + 1}`);
    const arrow = event.exchange ? ofLane(event.exchange.lanes, event.exchange.from, one.lane) : undefined;
    const value = one.register >= 0 ? view.history.value(trace.warpOf[one.event], one.register, one.lane, one.event + 1)
      : ofLane(event.memory?.lanes ?? "0x0", event.memory?.values ?? [], one.lane);
    const given = one.register === kAddress ? view.dataflow.given(one.event).map((name) =>
      textOf(view.history.value(trace.warpOf[one.event], trace.registerIndex.get(name) ?? 0, one.lane, one.event))).join(", ") : null;
    const from = arrow !== undefined && arrow !== one.lane ? ` ← ${arrow}` : "";
    make("span", "", button, `${event.op} · ${word(language, "lane", {lane: one.lane})}${from} · ${given ?? textOf(value)}`);
    button.addEventListener("click", () => go(one.event));
  }
  if (!more) return;
  const button = make("button", "more", make("li", "", list), "…");
  button.setAttribute("aria-label", word(language, "whyMore"));
  button.title = word(language, "whyMore");
  button.addEventListener("click", () => {
    const before = asked.count;
    asked.count *= 3;
    fillWhy(view, node, go);
    /** @type {HTMLElement|undefined} */ (box.querySelectorAll(".chain button")[before])?.focus();
  });
}

/** @param {View} view @param {{block: number, warp: number, pc: number|null}} at @param {boolean} always  also of one warp alone
 * @returns {string[]} */
function whereText({trace, language}, at, always) {
  const warp = always || trace.warps.length > 1;
  return [warp ? `${word(language, "block", {block: at.block})} · ${word(language, "warp", {warp: at.warp})}` : "",
    at.pc === null ? word(language, "placeDone") : trace.code[at.pc] ? word(language, "placeLine", {line: trace.lineName(at.pc)}) : ""];
}

/** Where the lanes stood then, and what they waited for. @param {View} view @param {import("./trace.js").Place[]} places
 * @param {string[]} waits  one a place @param {HTMLElement} parent */
function fillPlaces(view, places, waits, parent) {
  if (places.length === 0) return;
  const {language} = view;
  make("p", "type", parent, word(language, "whereLanes"));
  const list = make("ul", "places", parent);
  places.slice(0, kPlaces).forEach((place, n) => {
    const [warp, line] = whereText(view, place, false);
    const item = make("li", "", list);
    make("b", "", item, [(warp && `${warp} · `) + lanesText(lanesOf(place.lanes).lanes, language), line].filter(Boolean).join(", "));
    if (waits[n]) make("span", "", item, `: ${waits[n]}`);
  });
  if (places.length > kPlaces) make("li", "type", list, word(language, "andMore", {count: places.length - kPlaces}).trim());
}

/** What led to a finding, each with its cycle and line: a click goes there. Of a long way both ends are shown.
 * @param {View} view @param {import("./trace.js").Finding} fault @param {string[]} texts  one a step @param {HTMLElement} parent
 * @param {(event: number) => void} go */
function fillSteps(view, fault, texts, parent, go) {
  const {language} = view, steps = fault.steps ?? [];
  if (steps.length === 0) return;
  make("p", "type", parent, word(language, "howCame"));
  const list = make("ol", "chain steps", parent);
  const left = steps.length > kSteps ? steps.length - kSteps : 0;
  steps.forEach((step, n) => {
    if (left > 0 && n === kSteps / 2) make("li", "type", list, word(language, "andMore", {count: left}).trim());
    if (n >= kSteps / 2 && n < kSteps / 2 + left) return;
    const event = view.eventOf(step);
    const item = event < 0 ? make("div", "still", make("li", "", list)) : make("button", "", make("li", "", list));
    make("b", "", item, step.cycle ? `${step.cycle}` : "");
    const [warp, line] = whereText(view, step, step.block !== fault.block || step.warp !== fault.warp);
    make("span", "", item, `${[warp, line].filter(Boolean).join(" · ")}: ${texts[n] ?? step.text}`);
    if (event >= 0) item.addEventListener("click", () => go(event));
  });
}

/** @param {View} view @param {(event: number) => void} go  -1: to the end of the run, which stopped there */
export function fillDiagnostics(view, go) {
  const box = byId("diagnostics");
  box.replaceChildren();
  const {language, trace} = view, {outcome} = trace;
  view.allFaults().forEach((fault, n) => {
    const event = view.eventOf(fault);
    if (view.predicting && (event < 0 ? view.n < trace.events.length : view.hides(event))) return;
    const item = make("div", "fault", box);
    const {message, hint, steps, places} = trace.fault(n, language);
    make("b", "", item, `${word(language, fault === outcome.trap ? "trap" : "finding")}: ${fault.code ? `${fault.code} ` : ""}${fault.kind}`);
    make("p", "", item, message);
    const {lanes} = lanesOf(fault.lanes);
    const when = fault.cycle === 0 ? word(language, "beforeRun") : fault.cycle ? word(language, "cycle", {cycle: fault.cycle}) : "";
    const line = fault.pc === null ? "" : whereText(view, fault, false)[1];
    make("p", "type", item, [lanes.length > 0 ? lanesText(lanes, language) : "", line, when].filter(Boolean).join(", "));
    fillSteps(view, fault, steps, item, go);
    fillPlaces(view, fault.places ?? [], places, item);
    if (hint) make("p", "type", item, hint);
    if (event >= 0 || fault === view.halt) make("button", "text", item, word(language, "jump")).addEventListener("click", () => go(event));
  });
  if (view.predicting && view.n < trace.events.length) return void make("p", "type", box, word(language, "predictLater"));
  if (view.allFaults().length === 0) make("p", "fine", box, word(language, "noDiagnostics"));
  const verdict = outcome.trap ? "stopped" : outcome.passed === null ? "notExpected" : outcome.passed ? "passed" : "failed";
  make("p", outcome.passed === false ? "conflict" : "type", box, word(language, verdict));
  if (trace.notes.window) make("p", "type", box, word(language, "windowVerdict"));
}
