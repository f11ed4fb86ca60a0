// The simulator begins to load before the page's own script does.

Object.assign(window, {earlyWorker: new Worker(new URL("worker.js", import.meta.url), {type: "module"})});
