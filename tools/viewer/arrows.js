// The arrows of an exchange, as SVG paths: from the middle of what a lane offers to the middle of what another receives.
//
// Shapes: a path begins at the source lane and ends at the destination lane; `data-from` and `data-to` name them. It is a curve, of
//         many lanes a straight line. Lanes that keep their own value have a short dotted line instead of an arrow, undefined ones
//         a dashed line without a head.
// Units:  CSS pixels, from the row's beginning.

import {lanesOf} from "./trace.js";
import {kManyLanes, laneCentre} from "./layout.js";

/** @typedef {import("./layout.js").Geometry} Geometry */
/** @typedef {"right"|"left"|"own"|"keep"|"lost"} Kind */
/** @typedef {{from: number, to: number, kind: Kind, d: string, head: string}} Arrow */

const kHead = 7;

/** @param {boolean} transposed @param {number} across @param {number} along */
const point = (transposed, across, along) =>
  (transposed ? `${along.toFixed(1)},${across.toFixed(1)}` : `${across.toFixed(1)},${along.toFixed(1)}`);

/** @param {Geometry} g @param {number} from @param {number} to @param {number} begin @param {number} end */
function curve(g, from, to, begin, end) {
  const a = laneCentre(g, from), b = laneCentre(g, to);
  const bend = (end - begin) * 0.52;
  const at = (/** @type {number} */ across, /** @type {number} */ along) => point(g.transposed, across, along);
  return `M${at(a, begin)}C${at(a, begin + bend)} ${at(b, end - bend)} ${at(b, end)}`;
}

/** @param {Geometry} g @param {number} from @param {number} to @param {number} begin @param {number} end */
function straight(g, from, to, begin, end) {
  return `M${point(g.transposed, laneCentre(g, from), begin)}L${point(g.transposed, laneCentre(g, to), end)}`;
}

/** The head of a straight line, which points along it. @param {Geometry} g @param {number} from @param {number} to
 * @param {number} begin @param {number} end */
function headAlong(g, from, to, begin, end) {
  const b = laneCentre(g, to), across = b - laneCentre(g, from), along = end - begin;
  const length = Math.hypot(across, along), [x, y] = [across / length, along / length], half = Math.min(3.2, g.pitch * 0.16 + 0.8);
  const at = (/** @type {number} */ back, /** @type {number} */ aside) =>
    point(g.transposed, b - x * back + y * aside, end - y * back - x * aside);
  return `M${at(0, 0)}L${at(kHead, half)}L${at(kHead, -half)}Z`;
}

/** @param {Geometry} g @param {number} x @param {number} end */
function headAt(g, x, end) {
  const half = Math.min(4, g.pitch * 0.16 + 0.6);
  const at = (/** @type {number} */ across, /** @type {number} */ along) => point(g.transposed, across, along);
  return `M${at(x, end)}L${at(x - half, end - kHead)}L${at(x + half, end - kHead)}Z`;
}

/** The arrows of an exchange in a gap. @param {import("./trace.js").Exchange} exchange @param {Geometry} g
 * @param {number} gap @param {number} size @returns {Arrow[]} */
export function arrowsOf(exchange, g, gap, size) {
  const inRange = lanesOf(exchange.in_range).rank, lost = lanesOf(exchange.undefined).rank;
  const begin = gap + 2, end = gap + size - 2;
  return lanesOf(exchange.lanes).lanes.map((to, at) => {
    const source = exchange.from[at];
    const keeps = inRange[to] < 0;
    const from = keeps ? to : source;
    const kind = lost[to] >= 0 ? "lost" : keeps ? "keep" : from === to ? "own" : to > from ? "right" : "left";
    const pointed = kind !== "keep" && kind !== "lost";
    if (g.lanes >= kManyLanes)
      return {from, to, kind, d: straight(g, from, to, begin, pointed ? end - 1 : end), head: pointed ? headAlong(g, from, to, begin, end) : ""};
    return {from, to, kind, d: curve(g, from, to, begin, pointed ? end - kHead + 1 : end),
      head: pointed ? headAt(g, laneCentre(g, to), end) : ""};
  });
}

/** What a collective does, as lines and heads: `main` is what the lanes share. @typedef {{main: string, own: string, head: string}}
 * Gathering */

/** A collective of the lanes of each group. @param {import("./layout.js").Gap} kind @param {number[][]} groups
 * @param {boolean} exclusive  of a scan @param {Geometry} g @param {number} gap @param {number} size @returns {Gathering} */
export function gatheringOf(kind, groups, exclusive, g, gap, size) {
  const begin = gap + 2, end = gap + size - 2;
  /** @type {Gathering} */
  const all = {main: "", own: "", head: ""};
  groups.forEach((lanes, k) => {
    const one = kind === "stairs" ? stairsOf(lanes, exclusive, g, begin, end) : kind === "all" ? throughOne(lanes, g, begin, end)
      : barOf(lanes, g, begin, end, begin + ((end - kHead - begin) * (k + 1)) / (groups.length + 1));
    all.main += one.main;
    all.own += one.own;
    all.head += one.head;
  });
  return all;
}

/** Votes and matches: the lanes meet on one line and get the result from it. @param {number[]} lanes @param {Geometry} g
 * @param {number} begin @param {number} end @param {number} middle @returns {Gathering} */
function barOf(lanes, g, begin, end, middle) {
  const at = (/** @type {number} */ across, /** @type {number} */ along) => point(g.transposed, across, along);
  const main = `M${at(laneCentre(g, lanes[0]), middle)}L${at(laneCentre(g, lanes[lanes.length - 1]), middle)}`;
  const own = lanes.map((lane) => `M${at(laneCentre(g, lane), begin)}L${at(laneCentre(g, lane), end - kHead + 1)}`).join("");
  return {main, own, head: lanes.map((lane) => headAt(g, laneCentre(g, lane), end)).join("")};
}

/** A scan: from lane to lane, one stair lower each time, goes what the lanes so far come to. A lane's own value joins before
 * its result leaves, or, exclusive, after. @param {number[]} lanes @param {boolean} exclusive @param {Geometry} g
 * @param {number} begin @param {number} end @returns {Gathering} */
function stairsOf(lanes, exclusive, g, begin, end) {
  const at = (/** @type {number} */ across, /** @type {number} */ along) => point(g.transposed, across, along);
  const top = begin + 6, low = end - kHead - 7, aside = exclusive ? Math.min(7, g.pitch * 0.2) : 0;
  const stair = (/** @type {number} */ k) => top + ((low - top) * k) / Math.max(1, lanes.length - 1);
  let main = "", own = "", head = "";
  lanes.forEach((lane, k) => {
    const joins = laneCentre(g, lane) + aside, leaves = laneCentre(g, lane) - aside;
    const next = k + 1 < lanes.length ? laneCentre(g, lanes[k + 1]) + aside : null;
    if (k > 0) main += `L${at(joins, stair(k))}`;
    else main += `M${at(joins, stair(0))}`;
    if (next !== null) main += `L${at(next, stair(k))}`;
    own += `M${at(joins, begin)}L${at(joins, stair(k))}`;
    if (exclusive && k === 0) return;  // before lane 0 there is nothing
    own += `M${at(leaves, exclusive ? stair(k - 1) : stair(k))}L${at(leaves, end - kHead + 1)}`;
    head += headAt(g, leaves, end);
  });
  return {main, own, head};
}

/** A reduction: all lanes come together in one value, and that goes to all. @param {number[]} lanes @param {Geometry} g
 * @param {number} begin @param {number} end @returns {Gathering} */
function throughOne(lanes, g, begin, end) {
  const at = (/** @type {number} */ across, /** @type {number} */ along) => point(g.transposed, across, along);
  const low = end - kHead + 1, inward = begin + (low - begin) * 0.25, outward = begin + (low - begin) * 0.72;
  const first = laneCentre(g, lanes[0]), last = laneCentre(g, lanes[lanes.length - 1]);
  const centre = (first + last) / 2, middle = (inward + outward) / 2, half = 6;
  const own = lanes.map((lane) => laneCentre(g, lane)).map((x) => `M${at(x, begin)}L${at(x, inward)}M${at(x, outward)}L${at(x, low)}`);
  const main = `M${at(first, inward)}L${at(last, inward)}M${at(centre, inward)}L${at(centre, outward)}M${at(first, outward)}L${at(last, outward)}`;
  const value = [[half, 0], [0, half], [-half, 0], [0, -half]].map(([x, y]) => at(centre + x, middle + y));
  return {main, own: own.join(""), head: lanes.map((lane) => headAt(g, laneCentre(g, lane), end)).join("") + `M${value.join("L")}Z`};
}
