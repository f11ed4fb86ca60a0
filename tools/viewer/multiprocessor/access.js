// One access to memory: the banks that serve it, or the sectors and lines that it touches.
//
// Shapes: fillAccess fills an element from an event of a view. Which lanes touch what follows from the trace's addresses; how many
//         passes, sectors and lines that takes is the simulator's count, `view.timing.accesses`.

import {make} from "../dom.js";
import {lanesOf, ranges} from "../trace.js";
import {word} from "../words.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../trace.js").Memory} Memory */

const kBanks = 32, kWordBytes = 4, kSectorBytes = 32n, kLineBytes = 128n, kLinesShown = 16, kBanksARow = 8;

/** The bytes that a lane accesses. @param {Memory} memory */
const bytesOf = (memory) => ((Number(/\d+/.exec(memory.type)?.[0] ?? 32) / 8) * (/x2$/.test(memory.type) ? 2 : 1)) * (memory.elements ?? 1);

/** Which lanes touch each word, by bank. @param {Memory} memory @returns {Map<number, number[]>[]} */
export function banksOf(memory) {
  const banks = Array.from({length: kBanks}, () => /** @type {Map<number, number[]>} */ (new Map()));
  lanesOf(memory.lanes).lanes.forEach((lane, k) => {
    if (memory.address[k] === null) return;
    const begin = Number(memory.address[k]), end = begin + bytesOf(memory);
    for (let at = Math.floor(begin / kWordBytes); at * kWordBytes < end; ++at) {
      const bank = banks[at % kBanks];
      bank.set(at, [...(bank.get(at) ?? []), lane]);
    }
  });
  return banks;
}

/** Which lanes touch each sector, by line, in rising order. @param {Memory} memory @returns {[bigint, number[][]][]} */
export function linesOf(memory) {
  /** @type {Map<bigint, number[][]>} */
  const lines = new Map();
  lanesOf(memory.lanes).lanes.forEach((lane, k) => {
    if (memory.address[k] === null) return;
    const begin = BigInt(memory.address[k]), size = memory.read ? memory.read[k] : bytesOf(memory);
    for (let sector = begin / kSectorBytes; size > 0 && sector * kSectorBytes < begin + BigInt(size); ++sector) {
      const line = sector / (kLineBytes / kSectorBytes);
      if (!lines.has(line)) lines.set(line, [[], [], [], []]);
      lines.get(line)?.[Number(sector % (kLineBytes / kSectorBytes))].push(lane);
    }
  });
  return [...lines].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** @param {HTMLElement} box @param {View} view @param {number} event  -1: none */
export function fillAccess(box, view, event) {
  const {language, trace, timing} = view;
  box.replaceChildren();
  const one = event < 0 ? undefined : trace.events[event], memory = one?.memory, counted = timing?.accesses[event];
  if (!one || !memory) return void make("p", "type", box, word(language, "accessNone"));
  const head = make("p", "", box);
  make("b", "", head, `${trace.lineName(one.pc)} `);
  make("code", "", head, trace.code[one.pc].text);
  if (counted?.ways !== undefined) fillBanks(box, memory, counted, language);
  const global = one.source ?? memory;
  if (counted?.sectors !== undefined) fillSectors(box, global, counted, language);
  if (!counted) make("p", "type", box, word(language, "accessOther"));
}

/** @param {HTMLElement} box @param {Memory} memory @param {import("../view.js").Access} counted @param {import("../words.js").Language} language */
function fillBanks(box, memory, counted, language) {
  const {ways = 1, conflicts = 0} = counted;
  const key = ways === 1 ? "passesOne" : conflicts > 0 ? "passes" : "passesFine";
  make("p", conflicts > 0 ? "conflict passes" : "passes", box, word(language, key, {count: ways}));
  const table = make("table", "bankMap", box);
  make("caption", "", table, word(language, "bankCaption"));
  const body = make("tbody", "", table), banks = banksOf(memory);
  for (let first = 0; first < kBanks; first += kBanksARow) {
    const names = make("tr", "", body), cells = make("tr", "", body);
    for (let bank = first; bank < first + kBanksARow; ++bank) {
      make("th", "", names, `${bank}`).scope = "col";
      const words = banks[bank], lanes = [...new Set([...words.values()].flat())].sort((a, b) => a - b);
      const cell = make("td", words.size > 1 ? "many" : words.size === 1 ? "one" : "", cells, words.size === 0 ? word(language, "bankIdle") : words.size > 1 ? `×${words.size}` : "1");
      if (lanes.length > 0) {
        make("small", "", cell, ranges(lanes));
        cell.title = `${word(language, "bankHead")} ${bank}: ${word(language, "bankWords", {count: words.size})}, ${word(language, "bankLanes", {lanes: ranges(lanes)})}`;
      }
    }
  }
}

/** @param {HTMLElement} box @param {Memory} memory @param {import("../view.js").Access} counted @param {import("../words.js").Language} language */
function fillSectors(box, memory, counted, language) {
  const {sectors = 0, least_sectors = 0, lines = 0, least_lines = 0} = counted;
  make("p", sectors > least_sectors ? "conflict sectors" : "sectors", box, word(language, "sectorsTouched", {sectors, least: least_sectors}));
  make("p", lines > least_lines ? "conflict" : "", box, word(language, "linesTouched", {lines, least: least_lines}));
  if (memory.space !== "global") return;  // local memory lies interleaved: the trace's addresses are not where its bytes are
  const table = make("table", "lineMap", box), touched = linesOf(memory);
  make("caption", "", table, word(language, "sectorCaption"));
  const body = make("tbody", "", table);
  for (const [line, inSectors] of touched.slice(0, kLinesShown)) {
    const row = make("tr", "", body);
    make("th", "", row, `0x${(line * kLineBytes).toString(16)}`).scope = "row";
    for (const lanes of inSectors) make("td", lanes.length > 0 ? "one" : "", row, lanes.length > 0 ? ranges(lanes) : word(language, "bankIdle"));
  }
  if (touched.length > kLinesShown) make("p", "type", box, word(language, "moreLines", {count: touched.length - kLinesShown}));
}
