/** Building blocks of the page: elements, icons, and changing a screen. @module */
import { ICONS } from './icons.js'

const SVG = 'http://www.w3.org/2000/svg'

/** @param {string} tag
 *  @param {Record<string, unknown>} properties attributes; `on...` is a listener, `true` an attribute without value, `false` none
 *  @param {...(Node | string | null | undefined | false)} children */
export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') node.addEventListener(name.slice(2), value)
    else if (value === true) node.setAttribute(name, '')
    else if (value !== false && value !== undefined) node.setAttribute(name, String(value))
  }
  node.append(...children.filter(child => child !== null && child !== undefined && child !== false))
  return node
}

/** A decorative drawing. The text beside it contains the information.
 *  @param {keyof typeof ICONS} name */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', ICONS[name])
  svg.append(path)
  return svg
}

/** The heading of a screen. It gets the focus when the screen is shown.
 *  @param {...(Node | string)} children */
export function heading(...children) {
  return element('h3', { tabindex: -1, 'data-focus': true }, ...children)
}

/** @param {string} label
 *  @param {() => void} act
 *  @param {string} [kind] */
export function button(label, act, kind = 'main') {
  return element('button', { type: 'button', class: kind, onclick: act }, label)
}

/** Shows a screen on one side. If the focus is on this side, it moves to the new screen; otherwise the change is announced to screen readers.
 *  @param {'site' | 'phone'} side
 *  @param {HTMLElement} screen */
export function show(side, screen) {
  const place = document.getElementById(`${side}-screen`)
  const news = document.getElementById(`${side}-news`)
  const hadFocus = place.contains(document.activeElement)
  place.replaceChildren(screen)
  place.scrollTop = 0
  const cards = place.querySelector('.cards')
  if (cards) cards.scrollTop = cards.scrollHeight // the newest card is the last one
  const focus = screen.querySelector('[data-focus]')
  news.textContent = hadFocus ? '' : (screen.querySelector('h3')?.textContent ?? '')
  if (hadFocus) focus?.focus()
  const isNews = !screen.matches('.home, .offer') // the first screen of a side is not news
  document.dispatchEvent(new CustomEvent('screen', { detail: { side, isNews } }))
}
