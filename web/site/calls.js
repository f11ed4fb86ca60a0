// What a worker does with the simulator: it says when it is ready, or why it will never be; then a request in, its answer out.
// Whoever wants to stop it ends the worker.

import {loadMachine} from "./machine.js";

const textOf = (/** @type {unknown} */ error) => (error instanceof Error ? error.message : String(error));

/** @param {Promise<Response>} wasm  the simulator */
export function answerCalls(wasm) {
  const machine = loadMachine(wasm);
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
}
