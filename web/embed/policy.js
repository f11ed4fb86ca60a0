// Which directives of the host page's Content-Security-Policy keep the simulator from running: found out by trying what it needs.
// A browser says of no directive what it allows, and its own errors name the cause only in its console.

/** What is missing from the page's policy, as directives to add. @param {URL} wasm @returns {Promise<string[]>} */
export async function missingFromPolicy(wasm) {
  /** @type {Set<string>} */
  const violated = new Set();
  const hears = (/** @type {SecurityPolicyViolationEvent} */ event) => void violated.add(event.effectiveDirective);
  document.addEventListener("securitypolicyviolation", hears);
  const compiles = await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(() => true, () => false);
  await fetch(wasm, {method: "HEAD"}).catch(() => {});
  await beginsWorker();
  await new Promise((done) => setTimeout(done, 50));  // violations are said a moment later
  document.removeEventListener("securitypolicyviolation", hears);
  return [...(violated.has("worker-src") ? ["worker-src blob:"] : []), ...(violated.has("connect-src") ? [`connect-src ${wasm.origin}`] : []),
    ...(compiles ? [] : ["script-src 'wasm-unsafe-eval'"])];
}

/** @returns {Promise<void>} */
function beginsWorker() {
  const address = URL.createObjectURL(new Blob(["postMessage(0)"], {type: "text/javascript"}));
  return /** @type {Promise<void>} */ (new Promise((done) => {
    try {
      const worker = new Worker(address);
      worker.onmessage = worker.onerror = () => {
        worker.terminate();
        done();
      };
    } catch {
      done();
    }
  })).finally(() => URL.revokeObjectURL(address));
}
