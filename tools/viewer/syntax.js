// Colours for the two languages that the page shows: warp assembly and CUDA C++.
//
// Shapes: a line is cut into pieces by one regular expression a language; each piece is a <span class="code-…"> or plain text. A
//         piece is text, whatever it holds.

import {make} from "./dom.js";

/** The kinds of a piece, in the order of the groups of the expressions. */
const kKinds = ["comment", "text", "word", "name", "number"];

// Comments; texts; what a language calls its own (directives, opcodes, labels; types, keywords, intrinsics); registers; numbers.
const kWarp = /(\/\/.*)|("(?:[^"\\]|\\.)*")|(^\s*\.\w+|^\s*\w+:|\b(?:[a-z]\w*\.)+\w+\b|\b(?:bra|exit|ret)\b)|(!?%[\w.]+)|(\b(?:0x[\da-fA-F]+|\d+(?:\.\d+)?)\b)/g;
const kCuda = /(\/\/.*|\/\*.*?\*\/)|("(?:[^"\\]|\\.)*")|(^\s*#\s*\w+|\b(?:__\w+|if|else|for|while|do|return|break|continue|const|unsigned|int|float|double|bool|char|long|void|auto|extern|struct|template|typename|static|inline|constexpr|true|false)\b)|(\b(?:threadIdx|blockIdx|blockDim|gridDim|warpSize)\b)|(\b(?:0x[\da-fA-F]+|\d+(?:\.\d+)?)[uUlLfF]*\b)/g;

/** Appends a line in colours. @param {HTMLElement} parent @param {string} text @param {"warp"|"cuda"} language */
export function appendCode(parent, text, language) {
  let end = 0;
  for (const found of text.matchAll(language === "warp" ? kWarp : kCuda)) {
    if (found.index > end) parent.append(text.slice(end, found.index));
    const kind = kKinds[found.slice(1).findIndex((group) => group !== undefined)];
    make(kind === "comment" ? "i" : "span", `code-${kind}`, parent, found[0]);
    end = found.index + found[0].length;
  }
  if (end < text.length) parent.append(text.slice(end));
}
