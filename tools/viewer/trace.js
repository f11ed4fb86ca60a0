// The trace as the page holds it: what was embedded, with lookups by name and by warp.
//
// Shapes: `Trace.events` are the trace's own event objects (traces/FORMAT.md); event k is the k-th of them. A warp is an
//         index into `Trace.warps`. Lane lists come from lanesOf(), which remembers each mask that it has read.
// Errors: none: the command has checked the trace before it wrote the page.

import {word} from "./words.js";

/** @typedef {null|boolean|number|string|{nan: string}|Array<any>} Value  as in the trace; null is undefined */
/** @typedef {{reg: string, lanes: string, values: Value[]}} Write */
/** @typedef {{lanes: string, from: number[], in_range: string, undefined: string}} Exchange */
/** @typedef {{space: string, access: string, type: string, elements?: number, lanes: string,
 *   object: string|null|Array<string|null>, index: Array<number|null>, address: string[], values: Value[],
 *   stored?: Value[], order?: number[], read?: number[], bank?: number[], ways?: number}} Memory */
/** @typedef {{kind: string, taken?: string, not_taken?: string, target?: number, reconvergence?: number|null,
 *   lanes?: string, pc?: number}} MaskChange */
/** @typedef {{index: number, number: number, step: number, title: string}} PhaseStart */
/** @typedef {{reason: string, cycles: number, register?: string, pc?: number, pipe?: string}} Stall  what a warp of a timed run waited for */
/** @typedef {{cycle: number|null, block: number, warp: number, pc: number, op: string, active: string, group?: string,
 *   phase?: PhaseStart, exchange?: Exchange, memory?: Memory, source?: Memory, writes?: Write[], masks?: MaskChange[],
 *   sub_core?: number, stalls?: Stall[]}} Event */
/** @typedef {{pc: number, line: number, text: string, op: string, type: string, operands: string[],
 *   phase: number|null, doc: string, address?: boolean, place?: number, innermost?: number}} Instruction */
/** @typedef {{source: number, line: number, column: number, length: number, function?: string, inlined_at?: number}} SourcePlace */
/** @typedef {{name: string, kind: string, type: string, length?: number, value?: Value}} Param */
/** @typedef {{kind: string, code?: string, cycle: number|null, block: number, warp: number, pc: number|null, lanes: string,
 *   message: string, hint: string, places?: Place[], steps?: Step[]}} Finding  cycle 0: known before the run */
/** @typedef {{block: number, warp: number, lanes: string, pc: number|null, waits_for: string}} Place  where lanes stood */
/** @typedef {{cycle: number|null, block: number, warp: number, pc: number|null, lanes: string, text: string}} Step  what led to a finding */
/** @typedef {{kind: string, exclusive: boolean, overwrites: boolean, guard: string|null, negated: boolean, value: string[],
 *   exchanged: string[], address: string[], writes: string[], members: string}} Flow  see traces/replay/dataflow.h: InsnFlow */
/** @typedef {{first: number, last: number, of: number, events: number, all: number}} Window  what of the run is shown */
/** @typedef {{message: string, hint: string, steps: string[], places: string[]}} FaultText */
/** @typedef {{sentences: Record<string, string[]>, name: Record<string, string>, titles: Record<string, Record<string, string>>, collectives: string, sources: {text: string, address: string}[],
 *   faults: Record<string, FaultText[]>, window: Window|null, flow: Flow[]}} Notes  see traces/sentence/notes.h */
/** @typedef {{name: string, lanes: string, values: Value[], element: number}} Destination  element: in memory; -1: a register */
/** @typedef {{block: number, warp: number, events: number[]}} Warp */
/** @typedef {{mask: string, lanes: number[], rank: Int8Array}} LaneList  rank: position of a lane in `lanes`, or -1 */

/** @type {Map<string, LaneList>} */
const knownMasks = new Map();

/** The lanes of a mask, in rising order. @param {string} mask @returns {LaneList} */
export function lanesOf(mask) {
  const known = knownMasks.get(mask);
  if (known) return known;
  const rank = new Int8Array(64).fill(-1);
  /** @type {number[]} */
  const lanes = [];
  for (let digit = mask.length - 1, first = 0; digit > 1; --digit, first += 4) {
    const bits = parseInt(mask[digit], 16);
    for (let bit = 0; bit < 4; ++bit) {
      if ((bits >> bit) & 1) {
        rank[first + bit] = lanes.length;
        lanes.push(first + bit);
      }
    }
  }
  const list = {mask, lanes, rank};
  knownMasks.set(mask, list);
  return list;
}

/** The lanes that an event is about: those that execute; of a branch, whose guard switches nobody off, all that stand there.
 * @param {Event} event @returns {string} */
export const activeIn = (event) => (event.masks?.some((mask) => mask.kind === "branch") ? event.group : undefined) ?? event.active;

/** The member of a per-lane list that belongs to `lane`; undefined if the mask lacks it.
 * @template T @param {string} mask @param {T[]} list @param {number} lane @returns {T|undefined} */
export function ofLane(mask, list, lane) {
  const rank = lanesOf(mask).rank[lane];
  return rank < 0 ? undefined : list[rank];
}

/** "0-3, 7" @param {number[]} lanes */
export function ranges(lanes) {
  const parts = [];
  for (let k = 0; k < lanes.length;) {
    let last = k;
    while (last + 1 < lanes.length && lanes[last + 1] === lanes[last] + 1) ++last;
    parts.push(last === k ? `${lanes[k]}` : `${lanes[k]}-${lanes[last]}`);
    k = last + 1;
  }
  return parts.join(", ");
}

/** "Lane 3", "Lanes 4-7" @param {number[]} lanes @param {import("./words.js").Language} language */
export const lanesText = (lanes, language) =>
  (lanes.length === 1 ? word(language, "lane", {lane: lanes[0]}) : word(language, "lanesOf", {lanes: ranges(lanes)}));

/** What stands for a register, or an element of shared memory, that nobody has written. */
export const kUnwritten = "–";

/** A value as text: undefined is ⟂. @param {Value|undefined} value @returns {string} */
export function textOf(value) {
  if (value === null || value === undefined) return "⟂";
  if (typeof value === "boolean") return String(value);
  if (value === "Infinity") return "∞";
  if (value === "-Infinity") return "-∞";
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (Array.isArray(value)) return value.map(textOf).join("|");
  return typeof value === "object" ? "NaN" : value;
}

/** Text that has room for `room` characters; what is cut off shows as … A mask loses its 0x and its high digits; true and
 * false are T and F. @param {string} text @param {number} room */
export function shortened(text, room) {
  if (text === "true" || text === "false") return room < 5 ? text[0].toUpperCase() : text;  // both in the same way
  if (text.length <= room) return text;
  if (text.startsWith("0x")) return text.length - 2 <= room ? text.slice(2) : room < 2 ? "…" : `…${text.slice(1 - room)}`;
  return room < 2 ? "…" : `${text.slice(0, room - 1)}…`;
}

/** Whether two values of a trace are the same. @param {Value|undefined} a @param {Value|undefined} b */
export function sameValue(a, b) {
  return Object.is(a, b) || (typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b));
}

export class Trace {
  /** @param {any} data  a trace in document shape @param {Notes} notes */
  constructor(data, notes) {
    /** @type {Event[]} */
    this.events = data.events;
    this.notes = notes;
    this.cuda = "";  // the same program in CUDA C++, if there is one
    this.lanes = /** @type {number} */ (data.machine.lanes);
    this.backend = /** @type {string} */ (data.generator.backend);
    /** @type {string} */
    this.profile = data.machine.profile;
    this.scheduler = /** @type {string|undefined} */ (data.machine.scheduler);
    this.subCores = /** @type {number} */ (data.machine.sub_cores ?? 1);  // an SM
    /** Whether its code is what a compiler made of the program. */
    this.isMachineCode = data.machine.timing === "machine-code";
    this.launch = /** @type {{case: string, grid: number[], block: number[]}} */ (data.launch);
    this.name = /** @type {string} */ (data.program.name);
    this.title = /** @type {string} */ (data.program.title);
    /** @type {Param[]} */
    this.params = data.program.params;
    /** @type {{name: string, type: string, length: number}[]} */
    this.shared = data.program.shared;
    /** @type {{name: string, type: string}[]} */
    this.registers = data.program.registers;
    /** @type {Instruction[]} */
    this.code = data.program.code;
    /** @type {string[]} */
    this.text = data.program.text;
    /** @type {{file: string, text?: string[]}[]}  what it was compiled from */
    this.sources = data.program.sources ?? [];
    /** @type {SourcePlace[]} */
    this.places = data.program.places ?? [];
    /** @type {{name: string, register: string, first: number, end: number}[]} */
    this.variables = data.program.variables ?? [];
    this.file = /** @type {string} */ (data.program.file);
    /** Whether it has arithmetic of addresses to be folded away. */
    this.hasAddresses = this.code.some((insn) => insn.address);
    /** What its document calls the part that it comes from. */
    this.section = this.text.map((line) => /^\s*\.section\s+"(.*)"\s*$/.exec(line)?.[1] ?? "").find((one) => one !== "") ?? "";
    /** @type {Record<string, Value[]>} */
    this.inputs = data.inputs;
    /** What a window's first event finds; null in a whole trace.
     * @type {null|{events: number, buffers: Record<string, Value[]>, shared: {block: number, object: string, values: Value[]}[],
     *   warps: {block: number, warp: number, exited: string, registers: Write[]}[]}} */
    this.start = data.start ?? null;
    this.outcome = /** @type {{instructions: number, passed: boolean|null, findings: Finding[], trap: Finding|null,
     *   outputs: Record<string, Value[]>, expected: Record<string, Value[]>}} */ (data.outcome);
    /** @type {Map<string, number>} */
    this.registerIndex = new Map(this.registers.map((register, k) => [register.name, k]));
    /** @type {Warp[]} */
    this.warps = [];
    /** @type {Int32Array}  the warp of each event */
    this.warpOf = new Int32Array(this.events.length);
    /** @type {Int32Array}  the position of each event among those of its warp */
    this.positionOf = new Int32Array(this.events.length);
    this.#sortIntoWarps();
  }

  #sortIntoWarps() {
    /** @type {Map<string, Warp>} */
    const byPlace = new Map();
    this.events.forEach((event, k) => {
      const place = `${event.block}/${event.warp}`;
      let warp = byPlace.get(place);
      if (!warp) byPlace.set(place, warp = {block: event.block, warp: event.warp, events: []});
      this.positionOf[k] = warp.events.length;
      warp.events.push(k);
    });
    this.warps = [...byPlace.values()].sort((a, b) => a.block - b.block || a.warp - b.warp);
    if (this.warps.length === 0) this.warps.push({block: 0, warp: 0, events: []});
    this.warps.forEach((warp, w) => warp.events.forEach((k) => { this.warpOf[k] = w; }));
  }

  /** As much of the title as anyone reads. @param {string} language */
  titleIn(language) {
    const title = this.notes.name[language] || this.title || this.name;
    return title.length > 200 ? `${title.slice(0, 199)}…` : title;
  }

  /** What the n-th finding says, or after the findings the trap: its steps, too, and what the lanes of its places wait for.
   * @param {number} n @param {string} language @returns {FaultText} */
  fault(n, language) {
    const {findings, trap} = this.outcome;
    const {message, hint, steps = [], places = []} = /** @type {Finding} */ (findings[n] ?? trap);
    return this.notes.faults[language]?.[n] ??
      {message, hint, steps: steps.map(({text}) => text), places: places.map((place) => place.waits_for)};
  }

  /** When event k ran: its cycle, or where the trace has none the number of the step. @param {number} k
   * @param {import("./words.js").Language} language */
  when(k, language) {
    const {cycle} = this.events[k];
    return cycle === null ? word(language, "step", {step: this.positionOf[k] + 1}) : word(language, "cycle", {cycle});
  }

  /** @param {number} k @param {string} language */
  sentence(k, language) { return (this.notes.sentences[language] ?? this.notes.sentences.en)?.[k] ?? ""; }

  /** The title of the phase that begins with event k, or ""; "Cycle 5" alone says nothing that the row does not. A document's
   * "Cycle 1: …" counts phases, and machine cycles stand beside it: here it is "Phase 1: …". @param {number} k
   * @param {import("./words.js").Language} language */
  phaseTitle(k, language) {
    const title = this.notes.titles?.[language]?.[k] ?? this.events[k].phase?.title ?? "";
    if (/^(cycle|사이클)?\s*\d+\s*:?$/i.test(title)) return "";
    return title.replace(/^(?:cycle|사이클)\s+(\d+)(?=\s*:)/i, (_, number) => word(language, "phaseNumber", {number}));
  }

  /** Where event k's results go: each register that it writes, then each element that it leaves in memory. @param {number} k
   * @returns {Destination[]} */
  destinations(k) { return this.#destinations[k] ??= this.#destinationsOf(k); }
  /** @type {Destination[][]} */
  #destinations = [];

  /** @param {number} k @returns {Destination[]} */
  #destinationsOf(k) {
    const {writes = [], memory} = this.events[k];
    /** @type {Destination[]} */
    const list = writes.map((write) => ({name: write.reg, lanes: write.lanes, values: write.values, element: -1}));
    if (!memory || memory.access === "load") return list;
    const object = Array.isArray(memory.object) ? memory.object[0] : memory.object;
    const values = memory.stored ?? memory.values;
    const several = (memory.elements ?? 1) > 1;
    for (let element = 0; element < (memory.elements ?? 1); ++element) {
      list.push({name: `→ ${object ?? "?"}${element > 0 ? ` +${element}` : ""}`, lanes: memory.lanes, element,
        values: several ? values.map((value) => /** @type {Value[]} */ (value)[element]) : values});
    }
    return list;
  }

  /** The line of the source that an instruction is shown at, "0:17"; "": none. @param {number} pc */
  sourceKey(pc) {
    const place = this.places[this.code[pc]?.place ?? -1];
    return place ? `${place.source}:${place.line}` : "";
  }

  /** Its place and those that it was inlined at, from the innermost on. @param {number} pc @returns {SourcePlace[]} */
  frames(pc) {
    const frames = [];
    const {place, innermost = place} = this.code[pc] ?? {};
    for (let at = innermost ?? -1; at >= 0; at = this.places[at].inlined_at ?? -1) frames.push(this.places[at]);
    return frames;
  }

  /** The line with the lines that it was inlined at, as one text: what a step by lines goes by. @param {number} pc */
  lineChain(pc) {
    let chain = "";
    for (let at = this.code[pc]?.place ?? -1; at >= 0; at = this.places[at].inlined_at ?? -1)
      chain += `${this.places[at].source}:${this.places[at].line} `;
    return chain;
  }

  /** What a line is called: "17", or "sum.cu:17" where there is a source. @param {number} pc */
  lineName(pc) {
    const insn = this.code[pc], place = this.places[insn?.place ?? -1];
    if (!insn) return "?";
    if (place) return `${this.sources[place.source].file}:${place.line}`;
    return this.sources.length > 0 ? `${this.file}:${insn.line}` : `${insn.line}`;
  }

  /** The variable of the source that a register holds at an instruction; "": none is known. @param {string} register @param {number} pc */
  variableOf(register, pc) {
    const at = (/** @type {number} */ k) => this.variables.find((one) => one.register === register && one.first <= k && k < one.end)?.name;
    return at(pc + 1) ?? at(pc) ?? "";  // behind what wrote it, or at it
  }

  /** @param {number} pc @returns {Flow|undefined} */
  flow(pc) { return this.notes.flow[pc]; }

  /** Whether event k moves data between lanes or to and from memory: what is left when arithmetic is folded away.
   * @param {number} k */
  moves(k) {
    const event = this.events[k];
    return event.exchange !== undefined || event.memory !== undefined || (this.flow(event.pc)?.exchanged.length ?? 0) > 0;
  }
}
