// Where two traces of the same program differ: registers, predicates, memory, lanes, step by step.
//
// Shapes: a difference is one lane's at one event: of a register, of what a memory access touched or left ("memory"), or of
//         where a shuffle's value came from ("from"); lane -1 stands for the event itself: other active lanes ("active"), or a
//         step that the other trace lacks ("missing"). `here` is the trace's own word, `there` the other's.
// Source: traces/compare/compare.h compares so too: against hardware, lanes and steps that only one of them has do not count, nor
//         does what is undefined in one.

import {lanesOf, sameValue, textOf} from "./trace.js";

/** @typedef {import("./trace.js").Event} Event */
/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {{lane: number, name: string, here: string, there: string}} Difference */

/** Whether a trace comes from hardware, which gives no order across lanes. @param {Trace} trace */
const fromHardware = (trace) => trace.backend !== "simulator" || trace.events.some((event) => event.cycle === null);

/** @param {{lanes: string}} list @param {number} lane @param {any[]} values */
const valueAt = (list, lane, values) => values[lanesOf(list.lanes).rank[lane]];

/** Collects the lanes at which two lists differ. @param {string} name @param {{lanes: string}|undefined} a
 * @param {{lanes: string}|undefined} b @param {(list: any, lane: number) => import("./trace.js").Value} valueOf
 * @param {boolean} hardware @param {Difference[]} out */
function compareLanes(name, a, b, valueOf, hardware, out) {
  if (hardware && (!a || !b)) return;
  const lanes = new Set([...(a ? lanesOf(a.lanes).lanes : []), ...(b ? lanesOf(b.lanes).lanes : [])]);
  for (const lane of lanes) {
    const here = a && lanesOf(a.lanes).rank[lane] >= 0 ? valueOf(a, lane) : undefined;
    const there = b && lanesOf(b.lanes).rank[lane] >= 0 ? valueOf(b, lane) : undefined;
    if (hardware && (here === undefined || there === undefined || here === null || there === null)) continue;
    if (sameValue(here, there)) continue;
    out.push({lane, name, here: here === undefined ? "–" : textOf(here), there: there === undefined ? "–" : textOf(there)});
  }
}

/** What a memory access touched and left: "tile[3] = 5"; null for something undefined. @param {import("./trace.js").Memory} memory @param {number} lane */
function touched(memory, lane) {
  const at = lanesOf(memory.lanes).rank[lane];
  const object = Array.isArray(memory.object) ? memory.object[at] : memory.object;
  const place = object === null ? "?" : `${object}[${memory.index[at]}]`;
  if (memory.access === "load") return place;  // the value is the register's
  const left = memory.stored ? memory.stored[at] : memory.values[at];
  return left === null ? null : `${place} = ${textOf(left)}`;
}

/** @param {Event} a @param {Event} b @param {boolean} hardware @returns {Difference[]} */
export function differencesOf(a, b, hardware) {
  /** @type {Difference[]} */
  const out = [];
  if (!hardware && a.active !== b.active) out.push({lane: -1, name: "active", here: a.active, there: b.active});
  const names = new Set([...(a.writes ?? []), ...(b.writes ?? [])].map((write) => write.reg));
  for (const name of names) {
    const write = (/** @type {Event} */ event) => event.writes?.find((one) => one.reg === name);
    compareLanes(name, write(a), write(b), (list, lane) => valueAt(list, lane, list.values), hardware, out);
  }
  compareLanes("memory", a.memory, b.memory, touched, hardware, out);
  if (!hardware) compareLanes("from", a.exchange, b.exchange, (list, lane) => valueAt(list, lane, list.from), false, out);
  return out;
}

/** All differences of trace a from trace b, by a's event. @param {Trace} a @param {Trace} b
 * @param {(event: number) => number} beside @returns {Map<number, Difference[]>} */
export function differencesIn(a, b, beside) {
  const hardware = fromHardware(a) || fromHardware(b);
  /** @type {Map<number, Difference[]>} */
  const all = new Map();
  a.events.forEach((event, k) => {
    const at = beside(k);
    if (at < 0 && hardware) return;
    const found = at < 0 ? [{lane: -1, name: "missing", here: "", there: ""}] : differencesOf(event, b.events[at], hardware);
    if (found.length > 0) all.set(k, found);
  });
  return all;
}

/** The elements of the outputs that differ, of any two programs whose outputs have the same names.
 * @param {Trace} a @param {Trace} b @returns {{name: string, here: string, there: string}[]} */
export function outputDifferences(a, b) {
  const out = [];
  for (const [name, values] of Object.entries(a.outcome.outputs ?? {})) {
    const others = b.outcome.outputs?.[name];
    for (let k = 0; others && k < Math.max(values.length, others.length); ++k)
      if (!sameValue(values[k], others[k])) out.push({name: `${name}[${k}]`, here: textOf(values[k]), there: textOf(others[k])});
  }
  return out;
}
