// The simulator as WebAssembly: loading it, and calling it with a request. What a request says is in web/wasm/call.h.
//
// Runs in a worker, in a page and in Node. A machine that has thrown is broken: load another one.

/** @typedef {{verb: string, names?: string[], files?: Record<string, string>, options?: Record<string, string|boolean|string[]>}} Request */
/** @typedef {{code: number, out: string, err: string, files?: Record<string, string>, data?: Record<string, any>}} Answer */

const kNotSupported = 58;  // ENOTSUP of WASI

/** @param {BufferSource|Promise<Response>} wasm */
export async function loadMachine(wasm) {
  /** @type {WebAssembly.Memory|undefined} */
  let memory;
  let said = "";  // what the machine says of itself where it stops: a mistake in it
  const utf8 = new TextDecoder();
  /** @param {number} list @param {number} count @param {number} written */
  const write = (list, count, written) => {
    const words = new DataView(/** @type {WebAssembly.Memory} */ (memory).buffer);
    let bytes = 0;
    for (let k = 0; k < count; ++k) {
      const length = words.getUint32(list + 8 * k + 4, true);
      said += utf8.decode(new Uint8Array(words.buffer, words.getUint32(list + 8 * k, true), length));
      bytes += length;
    }
    words.setUint32(written, bytes, true);
    return 0;
  };
  const nothing = () => 0, notSupported = () => kNotSupported;
  const imports = {
    env: {emscripten_notify_memory_growth: nothing, __syscall_dup: () => -1},
    wasi_snapshot_preview1: {
      proc_exit: (/** @type {number} */ code) => {
        throw new Error(`it ended with ${code}`);
      },
      fd_write: (/** @type {number} */ _, /** @type {number} */ list, /** @type {number} */ count, /** @type {number} */ written) =>
          write(list, count, written),
      fd_fdstat_get: notSupported, fd_close: nothing, fd_seek: notSupported, environ_get: nothing,
      environ_sizes_get: (/** @type {number} */ count, /** @type {number} */ bytes) => {
        const words = new DataView(/** @type {WebAssembly.Memory} */ (memory).buffer);
        words.setUint32(count, 0, true);
        words.setUint32(bytes, 0, true);
        return 0;
      },
    },
  };
  const {instance} = wasm instanceof Promise ? await WebAssembly.instantiateStreaming(wasm, imports)
                                             : await WebAssembly.instantiate(wasm, imports);
  const exported = /** @type {any} */ (instance.exports);
  memory = exported.memory;
  exported._initialize();

  /** @param {Request} request @returns {Answer} */
  const call = (request) => {
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    said = "";
    try {
      const room = exported.warpsim_room(bytes.length);
      new Uint8Array(exported.memory.buffer, room, bytes.length).set(bytes);
      const at = exported.warpsim_call();
      return JSON.parse(utf8.decode(new Uint8Array(exported.memory.buffer, at, exported.warpsim_answer_bytes())));
    } catch (error) {
      throw new Error(said.trim() || String(error));
    }
  };
  return {call, bytes: () => exported.memory.buffer.byteLength};
}
