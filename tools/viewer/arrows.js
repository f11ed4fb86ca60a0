// The arrows of an exchange, as SVG paths: from the middle of what a lane offers to the middle of what another receives.
//
// Shapes: a path begins at the source lane and ends at the destination lane; `data-from` and `data-to` name them. Lanes that
//         keep their own value have a short dotted line instead of an arrow, undefined ones a dashed line without a head.
// Units:  CSS pixels, from the row's beginning.

import {lanesOf} from "./trace.js";
import {laneCentre} from "./layout.js";

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

/** @param {Geometry} g @param {number} lane @param {number} end */
function headAt(g, lane, end) {
  const x = laneCentre(g, lane), half = Math.min(4, g.pitch * 0.16 + 0.6);
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
    return {from, to, kind, d: curve(g, from, to, begin, pointed ? end - kHead + 1 : end),
      head: pointed ? headAt(g, to, end) : ""};
  });
}

/** A collective: every lane of `lanes` meets the others on one line, and gets the result from it.
 * @param {number[]} lanes @param {Geometry} g @param {number} gap @param {number} size */
export function busOf(lanes, g, gap, size) {
  if (lanes.length === 0) return {d: "", head: ""};
  const begin = gap + 2, end = gap + size - 2, middle = gap + size / 2 - 2;
  const at = (/** @type {number} */ across, /** @type {number} */ along) => point(g.transposed, across, along);
  let d = `M${at(laneCentre(g, lanes[0]), middle)}L${at(laneCentre(g, lanes[lanes.length - 1]), middle)}`, head = "";
  for (const lane of lanes) {
    const x = laneCentre(g, lane);
    d += `M${at(x, begin)}L${at(x, end - kHead + 1)}`;
    head += headAt(g, lane, end);
  }
  return {d, head};
}
