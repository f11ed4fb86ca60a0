// What prediction asks about: what lanes get from each other, on lanes that vary.
//
// Shapes: rows of a View by number. Of a program in which lanes get nothing from each other, all rows that leave a value.

import {lanesOf} from "./trace.js";

/** @typedef {import("./view.js").View} View */

/** @param {View} view @returns {number[]}  in rising order */
export function questionsOf({rows, trace}) {
  const numbers = rows.map((_, k) => k);
  const exchanges = numbers.filter((k) => rows[k].gap !== "none" && rows[k].gap !== "bar");
  return exchanges.length > 0 ? exchanges : numbers.filter((k) => trace.destinations(rows[k].event).length > 0);
}

/** The lane that is asked about: of those that get something from another lane if there are some, another one each time.
 * @param {View} view @param {number} k  a row @param {number[]} lanes  that have a value */
export function askedLane(view, k, lanes) {
  const exchange = view.trace.events[view.rows[k].event].exchange;
  const rank = exchange ? lanesOf(exchange.lanes).rank : null;
  const receive = lanes.filter((lane) => exchange && rank && rank[lane] >= 0 && exchange.from[rank[lane]] !== lane);
  const among = receive.length > 0 ? receive : lanes;
  const turn = (view.questions.indexOf(k) + 1) * 0.6180339887;  // spreads over the lanes, however many there are
  return among[Math.floor((turn - Math.floor(turn)) * among.length)];
}
