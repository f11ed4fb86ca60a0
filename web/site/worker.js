// The worker in which the simulator runs: a request in, its answer out. Whoever wants to stop it ends the worker.

import {loadMachine} from "./machine.js";

const machine = loadMachine(fetch(new URL("warpsim.wasm", import.meta.url)));

/** @param {MessageEvent<{id: number, request: import("./machine.js").Request}>} message */
self.onmessage = async ({data: {id, request}}) => {
  try {
    self.postMessage({id, answer: (await machine).call(request)});
  } catch (error) {
    self.postMessage({id, broken: error instanceof Error ? error.message : String(error)});
  }
};
