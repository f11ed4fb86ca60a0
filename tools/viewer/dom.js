// Elements: how the other modules find and make them.

const kSvg = "http://www.w3.org/2000/svg";

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** An element with a class, in a parent. @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {string} name
 * @param {HTMLElement|DocumentFragment|null} [parent] @param {string} [text] @returns {HTMLElementTagNameMap[K]} */
export function make(tag, name, parent, text) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  parent?.append(element);
  return element;
}

/** What has the focus in the document, or the shadow root, that an element is in. @param {Node} node */
export const focusedNear = (node) => /** @type {Document|ShadowRoot} */ (node.getRootNode()).activeElement;

/** @template {keyof SVGElementTagNameMap} K @param {K} tag @param {string} name @param {Element} parent
 * @param {string} [d]  of a path @returns {SVGElementTagNameMap[K]} */
export function makeSvg(tag, name, parent, d) {
  const element = document.createElementNS(kSvg, tag);
  if (d !== undefined) element.setAttribute("d", d);
  element.setAttribute("class", name);
  parent.append(element);
  return element;
}
