// The simulator as a page sees it: asked with a request, it answers some time later. It runs in a worker, so that the page stays
// alive, and a run that does not end is stopped by ending the worker.
//
// Shapes: one request runs at a time, the others wait here. A limit counts from when the simulator has been loaded and the request
//         runs. A worker that was ended, or that broke, is begun anew by the next request.

/** @typedef {import("./machine.js").Request} Request */
/** @typedef {import("./machine.js").Answer} Answer */
/** @typedef {{id: number, request: Request, limit_ms: number, done: (answer: Answer) => void, fail: (error: Error) => void}} Asked */

/** The run was stopped, by whoever waited for it or by its time. */
export class Stopped extends Error {}
/** The simulator is not there. */
export class NotLoaded extends Error {}

export class Simulator {
  /** @param {URL} script  worker.js
   * @param {{worker: Worker|null, said: (MessageEvent|ErrorEvent)[]}|null} [early]  one that has begun already, and what it has said (early.js) */
  constructor(script, early = null) {
    this.script = script;
    this.count = 0;
    this.ready = false;
    this.timer = 0;
    this.since = 0;  // when what runs began
    /** @type {Asked[]} */
    this.waiting = [];
    /** @type {Asked|null} */
    this.running = null;
    /** @type {Worker|null} */
    this.worker = early?.worker ? this.#begin(early.worker) : null;
    for (const event of early?.said ?? []) early?.worker?.dispatchEvent(new /** @type {any} */ (event.constructor)(event.type, event));
  }

  /** @param {Worker} worker */
  #begin(worker) {
    worker.onmessage = ({data}) => {
      if (worker !== this.worker) return;  // of one that was ended
      if (data.failed) return this.#lose(new NotLoaded(data.failed));
      if (data.ready) {
        this.ready = true;
        return this.#watch();
      }
      const one = this.running;
      if (data.broken) this.#drop();  // it is not to be trusted any more
      clearTimeout(this.timer);
      this.running = null;
      if (data.broken) one?.fail(new Error(data.broken));
      else one?.done(data.answer);
      this.#next();
    };
    worker.onerror = (event) => {
      if (worker === this.worker) this.#lose(new NotLoaded(event.message || "worker.js"));
    };
    return worker;
  }

  /** Nothing that runs or waits is answered: without a worker it cannot be. @param {Error} error */
  #lose(error) {
    const all = [this.running, ...this.waiting];
    this.#drop();
    this.running = null;
    this.waiting = [];
    for (const one of all) one?.fail(error);
  }

  #drop() {
    clearTimeout(this.timer);
    this.worker?.terminate();
    this.worker = null;
    this.ready = false;
  }

  /** The time of what runs begins. */
  #watch() {
    this.since = performance.now();
    const limit = this.running?.limit_ms ?? Infinity;
    if (limit !== Infinity) this.timer = window.setTimeout(() => this.stop(`stopped after ${limit / 1000} s`), limit);
  }

  #next() {
    if (this.running || this.waiting.length === 0) return;
    this.worker ??= this.#begin(new Worker(this.script, {type: "module"}));
    this.running = /** @type {Asked} */ (this.waiting.shift());
    this.worker.postMessage({id: this.running.id, request: this.running.request});
    if (this.ready) this.#watch();
  }

  /** For how long something has been running; 0 if nothing is, or it waits for the simulator to be loaded. */
  get runs_ms() { return this.running && this.ready ? performance.now() - this.since : 0; }

  /** Stops what runs and what waits: whoever presses Stop waits for the last of them. */
  stopAll() { this.#lose(new Stopped("stopped")); }

  /** Stops what runs; what waits runs then. @param {string} [why] */
  stop(why = "stopped") {
    const one = this.running;
    if (!one) return;
    this.#drop();
    this.running = null;
    one.fail(new Stopped(why));
    this.#next();
  }

  /** @param {Request} request @param {number} [limit_ms]  after which it is stopped @returns {Promise<Answer>} */
  ask(request, limit_ms = Infinity) {
    return new Promise((done, fail) => {
      this.waiting.push({id: ++this.count, request, limit_ms, done, fail});
      this.#next();
    });
  }
}
