// The worker in which the simulator runs: it says when it is ready, or why it will never be; then a request in, its answer out.
// Whoever wants to stop it ends the worker.

import {loadMachine} from "./machine.js";

const textOf = (/** @type {unknown} */ error) => (error instanceof Error ? error.message : String(error));
const machine = loadMachine(fetch(new URL("warpsim.wasm", import.meta.url)));
machine.then(() => self.postMessage({ready: true}), (error) => self.postMessage({failed: textOf(error)}));

/** @param {MessageEvent<{id: number, request: import("./machine.js").Request}>} message */
self.onmessage = async ({data: {id, request}}) => {
  const {call} = await machine;
  try {
    self.postMessage({id, answer: call(request)});
  } catch (error) {
    self.postMessage({id, broken: textOf(error)});
  }
};
