// The set-up of a program: the instructions before its first phase, which find out which lanes take part.
//
// Shapes: a number of events, from the first of a warp on. A phase that only introduces (number 0) belongs to the set-up up to its
//         first access to memory. Of a program without phases, or a warp that does nothing else, there is no set-up.

/** @typedef {import("./trace.js").Trace} Trace */

/** How many of a warp's events are its set-up. @param {Trace} trace @param {number} warp */
export function setUpOf(trace, warp) {
  const {events} = trace.warps[warp];
  if (trace.start) return 0;  // a window: what comes before its first phase is a part of another one
  let introduced = false;
  for (let at = 0; at < events.length; ++at) {
    const {phase, memory} = trace.events[events[at]];
    if (phase && phase.number > 0) return at;
    introduced ||= phase !== undefined;
    if (introduced && memory) return at;
  }
  return 0;
}
