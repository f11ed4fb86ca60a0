// The simulator as a page sees it: asked with a request, it answers some time later. It runs in a worker, so that the page stays
// alive, and a run that does not end is stopped by ending the worker.

/** @typedef {import("./machine.js").Request} Request */
/** @typedef {import("./machine.js").Answer} Answer */

/** The run was stopped, by whoever waited for it or by its time. */
export class Stopped extends Error {}

export class Simulator {
  /** @param {URL} script  worker.js @param {Worker|null} [early]  one that has begun already */
  constructor(script, early = null) {
    this.script = script;
    this.early = early;
    this.asked = 0;
    /** @type {Map<number, {done: (answer: Answer) => void, fail: (error: Error) => void, timer: number}>} */
    this.waiting = new Map();
    this.worker = this.#begin();
  }

  #begin() {
    const worker = this.early ?? new Worker(this.script, {type: "module"});
    this.early = null;
    worker.onmessage = ({data}) => {
      const one = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      clearTimeout(one?.timer);
      if (data.answer) return one?.done(data.answer);
      this.#end(new Error(data.broken));  // it is not to be trusted any more
      one?.fail(new Error(data.broken));
    };
    worker.onerror = (event) => this.#end(new Error(event.message || "the simulator could not be loaded"));
    return worker;
  }

  /** Ends what runs and waits, and begins anew. @param {Error} error */
  #end(error) {
    this.worker.terminate();
    const all = [...this.waiting.values()];
    this.waiting.clear();
    this.worker = this.#begin();
    for (const {fail, timer} of all) {
      clearTimeout(timer);
      fail(error);
    }
  }

  stop() { this.#end(new Stopped("stopped")); }

  /** @param {Request} request @param {number} [limit_ms]  after which it is stopped @returns {Promise<Answer>} */
  ask(request, limit_ms = Infinity) {
    const id = ++this.asked;
    return new Promise((done, fail) => {
      const timer = limit_ms === Infinity ? 0 : window.setTimeout(() => this.#end(new Stopped(`stopped after ${limit_ms / 1000} s`)), limit_ms);
      this.waiting.set(id, {done, fail, timer});
      this.worker.postMessage({id, request});
    });
  }
}
