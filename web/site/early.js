// The simulator begins to load before the page's own script does. What it says until then is kept for it (simulator.js).

const worker = new Worker(new URL("worker.js", import.meta.url), {type: "module"});
/** @type {(MessageEvent|ErrorEvent)[]} */
const said = [];
worker.onmessage = (/** @type {MessageEvent} */ event) => void said.push(event);
worker.onerror = (/** @type {ErrorEvent} */ event) => void said.push(event);
Object.assign(window, {early: {worker, said}});
