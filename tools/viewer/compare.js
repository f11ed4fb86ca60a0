// Two traces side by side: which step of the second stands beside a step of the first, and the moments that both go through.
//
// Shapes: traces of the same program (the same instructions) are aligned by instruction and occurrence: the k-th time that a
//         warp is at a pc beside the other's k-th time. Different programs that both have phases are aligned by the number
//         of the phase and then by the step in it. Others are aligned by step number. Pairs go forward in both traces.
//         A moment is a row of each, -1 before the first: rows of a pair run together, and of the rows between two pairs
//         each runs alone while the other trace waits. So every row of both is current once.

/** @typedef {import("./view.js").View} View */
/** @typedef {"Pc"|"Phase"|"Step"} Alignment */
/** @typedef {[number, number]} Moment  a row of each */

/** @param {View} a @param {View} b @returns {Alignment} */
export function alignmentOf(a, b) {
  const same = a.trace.code.length === b.trace.code.length &&
      a.trace.code.every((insn, k) => insn.text === b.trace.code[k].text);
  if (same) return "Pc";
  const phased = (/** @type {View} */ view) => view.trace.events.some((event) => event.phase);
  return phased(a) && phased(b) ? "Phase" : "Step";
}

/** Events of one warp by a key that both traces share. @param {View} view @param {number[]} events
 * @param {Alignment} alignment @returns {Map<string, number>} */
function keyed(view, events, alignment) {
  /** @type {Map<string, number>} */
  const map = new Map();
  /** @type {Map<number, number>} */
  const times = new Map();
  let phase = 0, step = 0;
  events.forEach((k, at) => {
    const event = view.trace.events[k];
    if (alignment === "Step") return void map.set(`${at}`, k);
    if (alignment === "Pc") {
      const time = (times.get(event.pc) ?? 0) + 1;
      times.set(event.pc, time);
      return void map.set(`${event.pc}/${time}`, k);
    }
    const now = view.phaseOf(k);
    if (now !== phase) [phase, step] = [now, 0];
    map.set(`${phase}/${step++}`, k);
  });
  return map;
}

/** The events of the rows of two views that belong together, in their order. @param {View} a @param {View} b
 * @param {Alignment} alignment @returns {[number, number][]} */
export function pairsOf(a, b, alignment) {
  const events = (/** @type {View} */ view) => view.rows.map((row) => row.event);
  const there = keyed(b, events(b), alignment);
  /** @type {[number, number][]} */
  const pairs = [];
  let last = -1;
  for (const [key, k] of keyed(a, events(a), alignment)) {
    const found = there.get(key) ?? -1;
    if (found <= last) continue;  // not there, or in another order
    pairs.push([k, found]);
    last = found;
  }
  return pairs;
}

/** The moments that two views go through side by side. @param {View} a @param {View} b
 * @param {[number, number][]} pairs @returns {Moment[]} */
export function momentsOf(a, b, pairs) {
  /** @type {Moment[]} */
  const moments = [[-1, -1]];
  let i = -1, j = -1;
  const rowOf = (/** @type {View} */ view) => new Map(view.rows.map((row, k) => [row.event, k]));
  const inA = rowOf(a), inB = rowOf(b);
  /** @param {number} p @param {number} q */
  const upTo = (p, q) => {
    while (i + 1 < p) moments.push([++i, j]);
    while (j + 1 < q) moments.push([i, ++j]);
  };
  for (const [eventA, eventB] of pairs) {
    const p = inA.get(eventA) ?? -1, q = inB.get(eventB) ?? -1;
    if (p < 0 || q < 0) continue;
    upTo(p, q);
    moments.push([i = p, j = q]);
  }
  upTo(a.rows.length, b.rows.length);
  return moments;
}

/** The moment at which both views are, or the first at which the k-th is at its row: its number. @param {Moment[]} moments
 * @param {View[]} views @param {number} k */
export function momentAt(moments, views, k) {
  const row = views[k].currentRow, other = views[1 - k].currentRow;
  let low = 0, high = moments.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (moments[middle][k] < row) low = middle + 1;
    else high = middle;
  }
  for (let at = low; at < moments.length && moments[at][k] === row; ++at) if (moments[at][1 - k] === other) return at;
  return low;
}

/** Of the same program in all warps: from each event of a to b's at the same instruction and occurrence, or -1.
 * @param {View} a @param {View} b @returns {(event: number) => number} */
export function sameStep(a, b) {
  /** @type {Map<number, number>} */
  const beside = new Map();
  a.trace.warps.forEach((warp, w) => {
    const other = b.trace.warps.findIndex((one) => one.block === warp.block && one.warp === warp.warp);
    if (other < 0) return;
    const there = keyed(b, b.trace.warps[other].events, "Pc");
    for (const [key, k] of keyed(a, warp.events, "Pc")) beside.set(k, there.get(key) ?? -1);
  });
  return (event) => beside.get(event) ?? -1;
}
