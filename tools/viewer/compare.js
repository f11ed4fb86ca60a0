// Two traces side by side: which step of the second stands beside a step of the first, and the moments that both go through.
//
// Shapes: traces of the same program (the same instructions) are aligned by instruction and occurrence: the k-th time that a
//         warp is at a pc beside the other's k-th time. So are two versions of a program: one kernel, most of whose instructions
//         are the same; which belong together follows from their texts (matched). Different programs that both have phases are
//         aligned by the number of the phase and then by the step in it. Others are aligned by step number. Pairs go forward
//         in both traces.
//         A moment is a row of each, -1 before the first: rows of a pair run together, and of the rows between two pairs
//         each runs alone while the other trace waits. So every row of both is current once.

/** @typedef {import("./view.js").View} View */
/** @typedef {"Pc"|"Text"|"Phase"|"Step"} Alignment */
/** @typedef {[number, number]} Moment  a row of each */

/** Whether steps stand beside each other that are meant to be the same. @param {Alignment|null} alignment */
export const isOfOneProgram = (alignment) => alignment === "Pc" || alignment === "Text";

const kMostCompared = 4_000_000;  // pairs of instructions

/** The longest common part of two lists, forward in both. @param {string[]} a @param {string[]} b @returns {[number, number][]} */
function common(a, b) {
  if (a.length * b.length > kMostCompared) return [];
  const width = b.length + 1, longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; --i)
    for (let j = b.length - 1; j >= 0; --j)
      longest[i * width + j] = a[i] === b[j] ? longest[(i + 1) * width + j + 1] + 1 : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
  /** @type {[number, number][]} */
  const pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) ++i;
    else ++j;
  }
  return pairs;
}

/** Runs through what stands between pairs, and behind the last: both lists' parts of it, from where on. @param {[number, number][]} pairs
 * @param {number} m @param {number} n  their lengths @param {(i: number, p: number, j: number, q: number) => void} gap */
function betweenPairs(pairs, m, n, gap) {
  let [i, j] = [0, 0];
  for (const [p, q] of [...pairs, [m, n]]) {
    gap(i, p, j, q);
    [i, j] = [p + 1, q + 1];
  }
}

/** The instructions of two versions that belong together: those that are the same; between them, where lines were changed, as many for
 * as many, or else those with the same opcode; and of what is left the first with the first. @param {string[]} a @param {string[]} b
 * @returns {{pairs: [number, number][], same: number}} */
export function matched(a, b) {
  let head = 0, tail = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) ++head;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) ++tail;
  /** @type {[number, number][]} */
  const pairs = [];
  for (let k = 0; k < head; ++k) pairs.push([k, k]);
  for (const [i, j] of common(a.slice(head, a.length - tail), b.slice(head, b.length - tail))) pairs.push([head + i, head + j]);
  for (let k = tail; k > 0; --k) pairs.push([a.length - k, b.length - k]);
  const same = pairs.length, opcode = (/** @type {string} */ text) => /^(?:@\S+\s+)?(\S*)/.exec(text)?.[1] ?? "";
  betweenPairs(pairs.slice(), a.length, b.length, (i, p, j, q) => {
    const anchors = p - i === q - j ? [] : common(a.slice(i, p).map(opcode), b.slice(j, q).map(opcode));
    for (const [x, y] of anchors) pairs.push([i + x, j + y]);
    betweenPairs(anchors, p - i, q - j, (x, v, y, w) => {
      for (let k = 0; x + k < v && y + k < w; ++k) pairs.push([i + x + k, j + y + k]);
    });
  });
  return {pairs: pairs.sort(([x], [y]) => x - y), same};
}

/** A kernel's own name, whatever group it is in. @param {View} view */
const kernelOf = (view) => view.trace.name.split("/").pop();
/** @param {View} view */
const textsOf = (view) => view.trace.code.map((insn) => insn.text);

/** @param {View} a @param {View} b @returns {Alignment} */
export function alignmentOf(a, b) {
  const one = textsOf(a), other = textsOf(b);
  if (one.length === other.length && one.every((text, k) => text === other[k])) return "Pc";
  if (kernelOf(a) === kernelOf(b) && 2 * matched(one, other).same >= Math.max(one.length, other.length)) return "Text";
  const phased = (/** @type {View} */ view) => view.trace.events.some((event) => event.phase);
  return phased(a) && phased(b) ? "Phase" : "Step";
}

/** What the instructions of b are called in a: their pcs there, or, of one that a has not, a name of its own.
 * @param {View} a @param {View} b @param {Alignment|null} alignment @returns {(number|string)[]} */
function namesIn(a, b, alignment) {
  /** @type {(number|string)[]} */
  const names = b.trace.code.map((_, pc) => (alignment === "Text" ? `b${pc}` : pc));
  if (alignment === "Text") for (const [p, q] of matched(textsOf(a), textsOf(b)).pairs) names[q] = p;
  return names;
}

/** Events of one warp by a key that both traces share. @param {View} view @param {number[]} events
 * @param {Alignment|null} alignment @param {(number|string)[]} [names]  of the instructions; none: their pcs @returns {Map<string, number>} */
function keyed(view, events, alignment, names) {
  /** @type {Map<string, number>} */
  const map = new Map();
  /** @type {Map<number|string, number>} */
  const times = new Map();
  let phase = 0, step = 0;
  events.forEach((k, at) => {
    const event = view.trace.events[k];
    if (alignment === "Step") return void map.set(`${at}`, k);
    if (alignment === "Pc" || alignment === "Text") {
      const name = names?.[event.pc] ?? event.pc, time = (times.get(name) ?? 0) + 1;
      times.set(name, time);
      return void map.set(`${name}/${time}`, k);
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
  const there = keyed(b, events(b), alignment, namesIn(a, b, alignment));
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

/** Of the same program, or two versions of it, in all warps: from each event of a to b's at the same instruction and occurrence, or -1.
 * @param {View} a @param {View} b @param {Alignment|null} alignment @returns {(event: number) => number} */
export function sameStep(a, b, alignment) {
  const names = namesIn(a, b, alignment);
  /** @type {Map<number, number>} */
  const beside = new Map();
  a.trace.warps.forEach((warp, w) => {
    const other = b.trace.warps.findIndex((one) => one.block === warp.block && one.warp === warp.warp);
    if (other < 0) return;
    const there = keyed(b, b.trace.warps[other].events, alignment, names);
    for (const [key, k] of keyed(a, warp.events, alignment)) beside.set(k, there.get(key) ?? -1);
  });
  return (event) => beside.get(event) ?? -1;
}
