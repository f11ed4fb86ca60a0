// What a link holds: the program and how it is run, in the page's address behind #, beside the place in the run
// (tools/viewer/place.js). Nothing is stored anywhere else.
//
// Shapes: members of `#v=1&…`, those that are as the page has them anyway left out:
//         program  a program of the catalogue, GROUP/NAME, as it is there
//         text     the program's text instead: deflated (RFC 1951), then base64url without = (RFC 4648)
//         given    what was changed of them: a JSON object from names to texts, deflated like the text
//         case     the case                 lanes    1 to 64              profile  a timing profile
//         grid     blocks, block: threads of each, resident: blocks that are there at once
//         scheduler, sms   of a timed run: gto, lrr or oldest; how many SMs
//         beside   a program of the catalogue that runs beside it
//         A link of today must open for ever: a member is never given another meaning, and tests/web keeps old links.

/** @typedef {{program: string, text: string|null, inputs: Record<string, string>, case: string, lanes: string, profile: string, beside: string} & import("./multiprocessor.js").Launch} Chosen  text null: the catalogue's */

/** The members that stand in a link as they are. @type {("case"|"lanes"|"profile"|"beside"|"grid"|"block"|"resident"|"scheduler"|"sms")[]} */
export const kPlain = ["case", "lanes", "profile", "beside", "grid", "block", "resident", "scheduler", "sms"];
const kMost = 1 << 20;  // characters of a text: a link must not fill the memory

/** What a text is called as a file: what it is goes by its ending. @param {string} text */
export const fileOf = (text) => (/^[ \t]*\.version\b/m.test(text) ? "mine.ptx" : /\b__global__\b/.test(text) ? "mine.cu" : "mine.warp");

/** A text as files. Below PTX may stand how it is launched, from a line `.kernel NAME (…)` on: that is the file beside it.
 * @param {string} text @returns {Record<string, string>} */
export function filesOf(text) {
  const name = fileOf(text), launch = name === "mine.ptx" ? text.search(/^\.kernel\b/m) : -1;
  return launch < 0 ? {[name]: text} : {[name]: text.slice(0, launch), "mine.launch": text.slice(launch)};
}
const kCount = /^[1-9]\d{0,3}$/;

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} text */
const bytesOf = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));

/** @param {string} text */
export async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return base64url(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** @param {string} text @returns {Promise<string|null>}  null: it is no packed text, or too long a one */
export async function unpacked(text) {
  try {
    const reader = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder("utf-8", {fatal: true});
    let all = "";
    for (;;) {
      const {done, value} = await reader.read();
      if (done) return all + decoder.decode();
      all += decoder.decode(value, {stream: true});
      if (all.length > kMost) return null;
    }
  } catch {
    return null;
  }
}

/** @param {Chosen} chosen @returns {Promise<[string, string][]>}  the members of the address */
export async function membersFor(chosen) {
  /** @type {[string, string][]} */
  const members = chosen.text === null ? [["program", chosen.program]] : [["program", chosen.program], ["text", await packed(chosen.text)]];
  if (Object.keys(chosen.inputs).length > 0) members.push(["given", await packed(JSON.stringify(chosen.inputs))]);
  for (const name of kPlain) if (chosen[name]) members.push([name, chosen[name]]);
  return members.filter(([, value]) => value !== "").map(([name, value]) => [name, encodeURIComponent(value)]);
}

/** @param {string} json @returns {Record<string, string>}  the texts by name, of anything else none */
function inputsIn(json) {
  try {
    const read = JSON.parse(json);
    return read && typeof read === "object" && !Array.isArray(read)
      ? Object.fromEntries(Object.entries(read).filter(([name, text]) => /^[A-Za-z_]\w{0,60}$/.test(name) && typeof text === "string")) : {};
  } catch {
    return {};
  }
}

/** What the members of an address choose; what they cannot mean is left out. @param {Map<string, string>} members @returns {Promise<Chosen>} */
export async function chosenBy(members) {
  const plain = (/** @type {string} */ name, /** @type {RegExp} */ shape) => {
    let value = "";
    try {
      value = decodeURIComponent(members.get(name) ?? "");
    } catch { /* no such value */ }
    return shape.test(value) ? value : "";
  };
  const text = members.has("text") ? await unpacked(members.get("text") ?? "") : null, named = plain("case", /^\w{1,60}$/);
  const inputs = inputsIn((members.has("given") ? await unpacked(members.get("given") ?? "") : "") ?? "");
  return {inputs, program: plain("program", /^[\w/.-]{1,100}$/), text, case: named === "test" ? "" : named,
    lanes: plain("lanes", /^(1|2|4|8|16|32|64)$/), profile: plain("profile", /^[a-z]\w{0,30}(:low|:high)?$/), beside: plain("beside", /^[\w/.-]{1,100}$/),
    grid: plain("grid", kCount), block: plain("block", kCount), resident: plain("resident", kCount), sms: plain("sms", kCount), scheduler: plain("scheduler", /^(gto|lrr|oldest)$/)};
}
