/** Building blocks of the page. Data of the server becomes text, never markup. @module */

/** @param {string} tag
 *  @param {Record<string, unknown>} properties attributes; `on...` is a listener, `true` an attribute without value, `false` none
 *  @param {...(Node | string | null | undefined | false)} children */
export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') node.addEventListener(name.slice(2), value)
    else if (value === true) node.setAttribute(name, '')
    else if (value !== false && value !== undefined && value !== null) node.setAttribute(name, String(value))
  }
  node.append(...children.filter(child => child !== null && child !== undefined && child !== false))
  return node
}

/** @param {string} label
 *  @param {() => void} act */
export function button(label, act, properties = {}) {
  return element('button', { type: 'button', class: 'quiet', onclick: act, ...properties }, label)
}

/** A text changes only if it differs, so that a screen reader does not repeat it.
 *  @param {Element} node
 *  @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text
}

/** @param {string} id */
export const byId = id => document.getElementById(id)
