// When each warp of a timed run issued and what it waited for, as spans of cycles.
//
// Shapes: a span is an event of a warp that issues, or one of the stalls before it: {warp, event, stall, begin, end}, with `stall`
//         -1 for the issue; `end` is the cycle behind it. The spans of a warp follow each other without a gap (traces/FORMAT.md, "Time").

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {{warp: number, event: number, stall: number, begin: number, end: number}} Span  warp: of trace.warps */
/** @typedef {{subCore: number, warps: number[]}} SubCoreRows */

/** What a warp waits for, in the order of `warpsim stats`, each with the letter that stands for it. @type {[string, string][]} */
export const kReasons = [["issue", "I"], ["branch", "J"], ["dependency", "D"], ["memory", "M"], ["barrier", "B"], ["unit", "U"], ["not_selected", "N"]];

export class Schedule {
  /** @param {Trace} trace  of a timed run */
  constructor(trace) {
    this.trace = trace;
    const {events, warps} = trace;
    this.perSm = trace.subCores;
    /** The sub-core of each warp. */
    this.subCoreOf = warps.map((warp) => events[warp.events[0]]?.sub_core ?? 0);
    this.cycles = events.reduce((last, event) => Math.max(last, event.cycle ?? 0), 0);
    /** Events from this one on are not told of: prediction hides them. */
    this.until = Infinity;
    /** In which cycle each warp began. */
    this.begins = warps.map((_, warp) => this.spansAt(warp, 0)[0]?.begin ?? 0);
    /** @type {number[]}  the SMs that had a warp */
    this.sms = [...new Set(this.subCoreOf.map((one) => Math.floor(one / this.perSm)))].sort((a, b) => a - b);
  }

  /** @param {number} warp */
  smOf(warp) { return Math.floor(this.subCoreOf[warp] / this.perSm); }

  /** The sub-cores of an SM that had a warp, each with its warps in the order in which they began. @param {number} sm @returns {SubCoreRows[]} */
  rowsOf(sm) {
    /** @type {Map<number, number[]>} */
    const found = new Map();
    this.subCoreOf.forEach((subCore, warp) => {
      if (Math.floor(subCore / this.perSm) === sm) found.set(subCore, [...(found.get(subCore) ?? []), warp]);
    });
    return [...found].sort(([a], [b]) => a - b).map(([subCore, warps]) => ({subCore: subCore % this.perSm, warps: warps.sort((a, b) => this.begins[a] - this.begins[b] || a - b)}));
  }

  /** The stalls before the at-th event of a warp, and its issue; none of what is not told of. @param {number} warp @param {number} at @returns {Span[]} */
  spansAt(warp, at) {
    const event = this.trace.warps[warp].events[at];
    if (event === undefined || event >= this.until) return [];
    const {cycle, stalls = []} = this.trace.events[event];
    const now = cycle ?? 0;
    let begin = now - stalls.reduce((sum, stall) => sum + stall.cycles, 0);
    /** @type {Span[]} */
    const spans = stalls.map((stall, k) => ({warp, event, stall: k, begin, end: begin += stall.cycles}));
    spans.push({warp, event, stall: -1, begin: now, end: now + 1});
    return spans;
  }

  /** The first of a warp's events that issues in this cycle or later: its place among them. @param {number} warp @param {number} cycle */
  placeAt(warp, cycle) {
    const {events} = this.trace.warps[warp];
    let low = 0, high = events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.trace.events[events[middle]].cycle ?? 0) < cycle) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** What a warp does in a cycle; null: it has not begun, or is done. @param {number} warp @param {number} cycle @returns {Span|null} */
  spanAt(warp, cycle) {
    return this.spansAt(warp, this.placeAt(warp, cycle)).find((span) => span.begin <= cycle && cycle < span.end) ?? null;
  }

  /** The span before or behind one, of the same warp. @param {Span} span @param {1|-1} direction @returns {Span|null} */
  beside(span, direction) {
    const at = this.trace.positionOf[span.event], own = this.spansAt(span.warp, at);
    const k = (span.stall < 0 ? own.length - 1 : span.stall) + direction;
    if (own[k]) return own[k];
    const next = this.spansAt(span.warp, at + direction);
    return (direction > 0 ? next[0] : next[next.length - 1]) ?? null;
  }

  /** The cycles of a span of cycles in each column of pixels, by what a warp does: for when a cycle is less than a pixel.
   * @param {number} warp @param {number} from  the first cycle @param {number} perColumn  cycles a column @param {number} columns
   * @returns {Float32Array}  columns × (1 + reasons): issued, then as in kReasons */
  shares(warp, from, perColumn, columns) {
    const width = 1 + kReasons.length, shares = new Float32Array(columns * width), to = from + perColumn * columns;
    const {events} = this.trace.warps[warp];
    for (let at = this.placeAt(warp, Math.floor(from)); at < events.length; ++at) {
      const spans = this.spansAt(warp, at);
      if (!spans[0] || spans[0].begin >= to) break;
      for (const span of spans) {
        const kind = span.stall < 0 ? 0 : 1 + reasonIndex(this.stallOf(span)?.reason ?? "");
        const begin = Math.max(span.begin, from), end = Math.min(span.end, to);
        for (let column = Math.floor((begin - from) / perColumn); column < columns && from + column * perColumn < end; ++column) {
          const low = Math.max(begin, from + column * perColumn), high = Math.min(end, from + (column + 1) * perColumn);
          if (high > low) shares[column * width + kind] += high - low;
        }
      }
    }
    return shares;
  }

  /** @param {Span} span @returns {import("../trace.js").Stall|null} */
  stallOf(span) { return span.stall < 0 ? null : this.trace.events[span.event].stalls?.[span.stall] ?? null; }
}

/** The place of a reason in kReasons; of one of a later version, that of the last. @param {string} reason */
export const reasonIndex = (reason) => {
  const found = kReasons.findIndex(([name]) => name === reason);
  return found < 0 ? kReasons.length - 1 : found;
};
