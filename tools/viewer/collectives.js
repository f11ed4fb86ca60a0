// The same run with its reductions and scans as one step each, or as the shuffles that a GPU runs: changing between the two.
//
// Shapes: both are traces of one program; an instruction of an expanded collective has the line of the collective. So events of a
//         warp that follow each other on one line are one step of the program, and both traces have the same steps.

/** @typedef {import("./view.js").View} View */

/** The last event of each step of a view's warp. @param {View} view @returns {number[]} */
function stepsOf({trace, warp}) {
  const {events} = trace.warps[warp];
  const insnOf = (/** @type {number} */ k) => trace.code[trace.events[k].pc];
  return events.filter((k, at) => {
    if (at + 1 === events.length) return true;
    const insn = insnOf(k), next = insnOf(events[at + 1]);
    return insn.line !== next.line || next.pc <= insn.pc;  // the same line again: a loop
  });
}

/** The moment of one view that belongs to the other's: the end of the same step. @param {View} from @param {View} to */
export function sameMoment(from, to) {
  const steps = stepsOf(from), at = steps.findIndex((k) => k + 1 >= from.n);
  return from.n === 0 ? 0 : (stepsOf(to)[at] ?? to.trace.events.length - 1) + 1;
}

/** What was chosen in one view holds in the other too. @param {View} from @param {View} to */
export function takeOver(from, to) {
  const {warp, lane, zoom, folded, setUpShown, addressesShown, contributions, predicting, breakpoints, given} = from;
  Object.assign(to, {warp, lane, zoom, folded, setUpShown, addressesShown, contributions, predicting, breakpoints, given});
}
