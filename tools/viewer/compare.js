// Two traces side by side: which moment of the second stands beside a moment of the first.
//
// Shapes: traces of the same program (the same instructions) are aligned by instruction and occurrence: the k-th time that a
//         warp is at a pc beside the other's k-th time. Different programs that both have phases are aligned by the number
//         of the phase and then by the step in it; the last step of a phase stands beside the other's last. Others are
//         aligned by step number.

/** @typedef {import("./view.js").View} View */
/** @typedef {"Pc"|"Phase"|"Step"} Alignment */

/** @param {View} a @param {View} b @returns {Alignment} */
export function alignmentOf(a, b) {
  const same = a.trace.code.length === b.trace.code.length &&
      a.trace.code.every((insn, k) => insn.text === b.trace.code[k].text);
  if (same) return "Pc";
  const phased = (/** @type {View} */ view) => view.trace.events.some((event) => event.phase);
  return phased(a) && phased(b) ? "Phase" : "Step";
}

/** The events of a warp by a key that both traces share. @param {View} view @param {number} warp
 * @param {Alignment} alignment @returns {Map<string, number>} */
function keyed(view, warp, alignment) {
  /** @type {Map<string, number>} */
  const map = new Map();
  /** @type {Map<number, number>} */
  const times = new Map();
  let phase = 0, step = 0;
  (view.trace.warps[warp]?.events ?? []).forEach((k, at) => {
    const event = view.trace.events[k];
    if (alignment === "Step") return void map.set(`${at}`, k);
    if (alignment === "Pc") {
      const time = (times.get(event.pc) ?? 0) + 1;
      times.set(event.pc, time);
      return void map.set(`${event.pc}/${time}`, k);
    }
    if (event.phase) [phase, step] = [event.phase.number, 0];
    map.set(`${phase}/${step++}`, k);
    map.set(`${phase}/last`, k);
  });
  return map;
}

/** The events of the two warps that belong together, in their order. @param {View} a @param {View} b
 * @param {Alignment} alignment @returns {[number, number][]} */
export function pairsOf(a, b, alignment) {
  const there = keyed(b, b.warp, alignment);
  /** @type {[number, number][]} */
  const pairs = [];
  for (const [key, k] of keyed(a, a.warp, alignment)) {
    const found = there.get(key);
    if (found !== undefined && !key.endsWith("/last")) pairs.push([k, found]);
  }
  return pairs;
}

/** Of the same program in all warps: from each event of a to b's at the same instruction and occurrence, or -1.
 * @param {View} a @param {View} b @returns {(event: number) => number} */
export function sameStep(a, b) {
  /** @type {Map<number, number>} */
  const beside = new Map();
  a.trace.warps.forEach((warp, w) => {
    const other = b.trace.warps.findIndex((one) => one.block === warp.block && one.warp === warp.warp);
    if (other < 0) return;
    const there = keyed(b, other, "Pc");
    for (const [key, k] of keyed(a, w, "Pc")) beside.set(k, there.get(key) ?? -1);
  });
  return (event) => beside.get(event) ?? -1;
}

/** From each event of a's warp to the event of b's that stands beside it, or -1.
 * @param {View} a @param {View} b @param {Alignment} alignment @returns {(event: number) => number} */
export function besideIn(a, b, alignment) {
  const there = keyed(b, Math.min(a.warp, b.trace.warps.length - 1), alignment);
  /** @type {Map<number, number>} */
  const beside = new Map();
  const here = keyed(a, a.warp, alignment);
  for (const [key, k] of here) if (!key.endsWith("/last")) beside.set(k, there.get(key) ?? -1);
  for (const [key, k] of here) if (key.endsWith("/last")) beside.set(k, there.get(key) ?? -1);
  // A step that the other trace has not stands beside what came before it.
  let before = -1;
  for (const k of a.trace.warps[a.warp].events) {
    const found = beside.get(k) ?? -1;
    before = Math.max(before, found);
    if (found < 0 && alignment !== "Pc") beside.set(k, before);
  }
  return (event) => beside.get(event) ?? -1;
}

/** The moment of b beside a's. @param {View} a @param {View} b */
export function momentBeside(a, b) {
  const events = a.trace.warps[a.warp].events;
  if (a.n >= a.trace.events.length) return b.trace.events.length;
  for (let k = a.lastEvent(); k >= 0; k = events[a.trace.positionOf[k] - 1] ?? -1) {
    const found = a.beside?.(k) ?? -1;
    if (found >= 0) return found + 1;
  }
  return 0;
}
