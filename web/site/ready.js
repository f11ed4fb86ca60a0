// Runs that the site has ready, so that a page shows its picture before there is a simulator: those that its own pages link to.
//
// Shapes: `ready/NAME.json` is the simulator's answer to the request for the page of a run, as build.mjs got it; in Korean its `out` and `err`
//         are those of `ko`, where they are others. What is chosen, and nothing changed in it, says the NAME.

/** @typedef {import("./machine.js").Answer} Answer */

export const kFirst = "p26/butterfly_parallel_max";
/** The members of a link that say which run it is, in the order in which NAME has them. */
const kNaming = ["program", "case", "lanes", "profile", "beside"];
/** Those that change the run: with one of them it is another. */
const kChanging = ["text", "given", "grid", "block", "resident", "scheduler", "sms"];

/** @param {Record<string, any>} chosen  as link.js has it */
export function readyName(chosen) {
  const changed = kChanging.some((name) => Boolean(chosen[name])) || Object.keys(chosen.inputs ?? {}).length > 0;
  const words = kNaming.map((name) => chosen[name] || (name === "program" ? kFirst : ""));
  return changed || words.some((word) => !/^[\w/:-]*$/.test(word)) ? "" : words.join("~").replace(/[/:]/g, "-").replace(/~+$/, "");
}

/** The same of an address, its # first. @param {string} address */
export function nameOf(address) {
  const members = Object.fromEntries(address.replace(/^#/, "").split("&").map((one) => one.split("=", 2)));
  if (address.length > 1 && members.v !== "1") return readyName({});
  try {
    for (const name of kNaming) members[name] = decodeURIComponent(members[name] ?? "");
  } catch {
    return "";
  }
  return readyName({...members, case: members.case === "test" ? "" : members.case});
}

/** The language in which a page opens. */
export const languageAtFirst = () => (/^ko\b/.test(document.getElementById("lesson")?.dataset.language ?? navigator.language) ? "ko" : "en");

/** @param {string} name @param {string} language @returns {Promise<Answer|null>}  null: it could not be had */
export async function readyAnswer(name, language) {
  try {
    const response = await fetch(new URL(`ready/${name}.json`, import.meta.url));
    if (!response.ok) return null;
    const {ko, ...answer} = await response.json();
    return language === "ko" ? {...answer, ...ko} : answer;
  } catch {
    return null;
  }
}
