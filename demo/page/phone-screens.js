/** What the phone shows; the question itself is in consent.js. @module */
import { button, element, heading, icon } from './dom.js'

/** @param {{ name: string, issuer: string, attributes: { name: string, value: string | null }[] }[]} cards
 *  @param {() => void} scan
 *  @param {string} [note] */
export function home(cards, scan, note) {
  return element(
    'div',
    { class: 'screen home' },
    heading('My cards'),
    element('ul', { class: 'cards' }, ...cards.map(card)),
    note && element('p', { class: 'note', role: 'alert' }, note),
    element('button', { type: 'button', class: 'main scan', onclick: scan }, icon('scan'), 'Scan QR code'),
  )
}

function card({ name, issuer, attributes }) {
  return element(
    'li',
    { class: 'card', 'data-issuer': issuer },
    element('strong', {}, name),
    element('span', { class: 'issuer' }, issuer),
    element('span', {}, attributes.find(({ value }) => value)?.value),
  )
}

/** @param {string} words */
export function busy(words) {
  return element('div', { class: 'screen middle' }, element('div', { class: 'pulse' }), heading(words))
}

/** @param {string} code four digits */
export function pairing(code, refuse) {
  return element(
    'div',
    { class: 'screen middle' },
    icon('shield'),
    heading('Type this code in the web shop'),
    element('p', { class: 'pin', id: 'pin' }, ...[...code].map(digit => element('span', {}, digit))),
    element('p', {}, 'So that nobody else can answer for you.'),
    button('Cancel', refuse, 'quiet'),
  )
}

export function done({ host, shared }, close) {
  return element(
    'div',
    { class: 'screen middle' },
    element('span', { class: 'badge good' }, icon('check')),
    heading('Shared'),
    element('p', {}, 'with ', element('strong', {}, host)),
    shared.length > 0
      ? element(
          'ul',
          { class: 'plain' },
          ...shared.map(({ name, value }) => element('li', {}, `${name}: ${value ?? 'empty'}`)),
        )
      : element('p', {}, 'You shared no attribute.'),
    button('Close', close),
  )
}

export function refused(host, close) {
  return element(
    'div',
    { class: 'screen middle' },
    element('span', { class: 'badge' }, icon('cross')),
    heading('Nothing was shared'),
    element('p', {}, 'You refused. ', element('strong', {}, host), ' is told that it ended, not why.'),
    button('Close', close),
  )
}

/** @param {string} reason */
export function failed(reason, close) {
  return element(
    'div',
    { class: 'screen middle' },
    element('span', { class: 'badge bad' }, icon('cross')),
    heading('Nothing was shared'),
    element('p', {}, reason),
    button('Close', close),
  )
}
