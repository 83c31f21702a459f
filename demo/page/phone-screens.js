/** The screens of the phone, except the question (consent.js). @module */
import { button, element, heading, icon } from './dom.js'

/** @param {{ name: string, issuer: string, attributes: { name: string, value: string | null }[], isRevoked: boolean }[]} cards
 *  @param {{ scan: () => void, account: () => void }} buttons
 *  @param {string} [note] */
export function home(cards, { scan, account }, note) {
  return element(
    'div',
    { class: 'screen home' },
    element(
      'div',
      { class: 'title-row' },
      heading('My cards'),
      element('button', { type: 'button', class: 'quiet', onclick: account }, icon('lock'), 'PIN'),
    ),
    cards.length > 0
      ? element('ul', { class: 'cards' }, ...cards.map(card))
      : element(
          'div',
          { class: 'empty' },
          icon('cards'),
          element('p', {}, 'No cards yet. The first step of the tour gives you two.'),
        ),
    note && element('p', { class: 'note', role: 'alert' }, note),
    element('button', { type: 'button', class: 'main scan', onclick: scan }, icon('scan'), 'Scan QR code'),
  )
}

function card({ name, issuer, attributes, isRevoked }) {
  return element(
    'li',
    { class: `card${isRevoked ? ' revoked' : ''}`, 'data-issuer': issuer },
    element('strong', {}, name),
    isRevoked && element('span', { class: 'mark' }, 'Revoked'),
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
    heading('Type this code on the web site'),
    element('p', { class: 'pin', id: 'pin' }, ...[...code].map(digit => element('span', {}, digit))),
    element('p', {}, 'So that nobody else can answer for you.'),
    button('Cancel', refuse, 'quiet'),
  )
}

/** @param {{ host: string, shared: { name: string, value: string | null }[], hasSigned: boolean, received: string[], returnUrl: string | null }} end */
export function done({ host, shared, hasSigned, received, returnUrl }, close) {
  return element(
    'div',
    { class: 'screen middle' },
    element('span', { class: 'badge good' }, icon('check')),
    heading(hasSigned ? 'Signed' : received.length > 0 ? 'Received' : 'Shared'),
    received.length > 0 &&
      element('ul', { class: 'plain' }, ...received.map(name => element('li', {}, name))),
    shared.length > 0 && element('p', {}, sharedHow(hasSigned, received), element('strong', {}, host)),
    shared.length > 0 &&
      element(
        'ul',
        { class: 'plain' },
        ...shared.map(({ name, value }) => element('li', {}, `${name}: ${value ?? 'empty'}`)),
      ),
    shared.length === 0 && element('p', {}, 'You shared no attribute.'),
    leaving(host, returnUrl, close),
  )
}

function sharedHow(hasSigned, received) {
  if (hasSigned) return 'For '
  return received.length > 0 ? 'Shared with ' : 'with '
}

/** A link back to the web site in the same browser, if the site requested it; otherwise a button back to the cards. */
function leaving(host, returnUrl, close) {
  return returnUrl
    ? element('a', { class: 'button main', href: returnUrl }, `Back to ${host}`)
    : button('Close', close)
}

/** @param {{ host: string, hasDone: boolean, couldAnswer: boolean, returnUrl: string | null }} end */
export function refused({ host, hasDone, couldAnswer, returnUrl }, close) {
  return element(
    'div',
    { class: 'screen middle' },
    element('span', { class: 'badge' }, icon('cross')),
    heading(hasDone ? 'Nothing more was shared' : 'Nothing was shared'),
    element(
      'p',
      {},
      couldAnswer ? 'You refused. ' : 'The wallet could not answer. ',
      element('strong', {}, host),
      ' is told that it ended, not why.',
    ),
    leaving(host, returnUrl, close),
  )
}

/** @param {{ reason: string, title?: string, host?: string, hasDone?: boolean, returnUrl?: string | null }} end */
export function failed({ reason, title, host, hasDone, returnUrl }, close) {
  return element(
    'div',
    { class: 'screen middle' },
    element('span', { class: 'badge bad' }, icon('cross')),
    heading(title ?? (hasDone ? 'Nothing more was shared' : 'Nothing was shared')),
    element('p', {}, reason),
    leaving(host, returnUrl, close),
  )
}
