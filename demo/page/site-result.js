/** The result screen of a web site: its decision, what it sees, what it issued, and what it does not see.
 *
 *  @typedef {{ card: string, name: string, value: string | null, isNotRevoked: boolean }} Seen
 *  @typedef {{ card: string, issuer: string, attributes: { name: string, value: string }[] }} Issued
 *  @typedef {{ step: string, requests: unknown[], programs: import('./json.js').Programs, isAccepted: boolean, title: string, text: string, seen: Seen[],
 *    canRevoke: boolean, canRepeat: boolean, isDone: boolean, comparison: import('./two-logins.js').Comparison | null,
 *    signed: { message: string, atSec: number | null } | null, issued: Issued[], hidden: { card: string, names: string[] }[],
 *    unseen: string[], results: unknown[] }} Answer
 *  @module */
import { button, element, heading, icon } from './dom.js'
import { json, request } from './json.js'
import { numberOf, STEPS } from './steps.js'
import { conclusion, twoLogins } from './two-logins.js'

/** @param {Answer} answer
 *  @param {{ again: () => void, goTo: (step: string) => void, revoke: () => void, repeat: () => void,
 *    next: string | null }} ways */
export function result(answer, ways) {
  const { results, requests, programs, comparison } = answer
  return element(
    'div',
    { class: `screen result ${answer.isAccepted ? 'good' : 'stopped'}` },
    verdict(answer.isAccepted, answer.title, comparison ? conclusion(comparison) : answer.text),
    comparison
      ? twoLogins(answer, comparison)
      : element('div', { class: 'told' }, seen(answer), hidden(answer), issued(answer)),
    onwards(answer, ways),
    json('The result, as JSON', results.length === 1 ? results[0] : results),
    request('What the site asked, as JSON', requests.length === 1 ? requests[0] : requests, programs),
  )
}

/** @param {string} reason */
export function failed(reason, again) {
  return element(
    'div',
    { class: 'screen result stopped' },
    verdict(false, 'That did not work', reason),
    button('Start again', again),
  )
}

export function verdict(isGood, title, text) {
  return element(
    'div',
    { class: 'verdict' },
    element('span', { class: 'badge' }, icon(isGood ? 'check' : 'cross')),
    element('div', {}, heading(title), element('p', {}, text)),
  )
}

/** @param {Answer} answer */
export function onwards(answer, { again, goTo, revoke, repeat, next }) {
  const { isDone, canRevoke, canRepeat } = answer
  const row = (...ways) => element('div', { class: 'row onwards' }, ...ways)
  const startAgain = button('Start again', again, 'quiet')
  if (canRevoke) return row(button('Revoke the permit', revoke), startAgain)
  if (canRepeat) return row(button('Log in once more', repeat), startAgain)
  if (!isDone) return row(button('Start again', again))
  return next
    ? row(
        button(`Step ${numberOf(next)}: ${STEPS[next].name}`, () => goTo(next)),
        startAgain,
      )
    : row(element('p', { class: 'complete' }, 'You have seen the whole tour.'), startAgain)
}

/** @param {Answer} answer */
function seen({ seen: attributes, signed, issued: cards }) {
  const rows = attributes.map(({ name, value, card, isNotRevoked }) =>
    row(name, value ?? 'left empty', isNotRevoked ? `${card}, not revoked` : card),
  )
  return element(
    'section',
    { class: 'seen' },
    element('h4', {}, icon('eye'), 'The site sees'),
    rows.length > 0 && element('dl', {}, ...rows),
    signed && signature(signed),
    rows.length === 0 && element('p', {}, nothing(cards.length > 0)),
  )
}

function nothing(hasIssued) {
  return hasIssued
    ? 'Nothing from your phone. It knows what it wrote on the cards, because it wrote it.'
    : 'Nothing at all. Not even whether the card is on your phone.'
}

function row(name, value, card) {
  return element(
    'div',
    {},
    element('dt', {}, name, card && element('small', {}, card)),
    element('dd', {}, value),
  )
}

function signature({ message, atSec }) {
  return element(
    'figure',
    {},
    element('blockquote', {}, message),
    element(
      'figcaption',
      {},
      atSec === null ? 'Signed, without a timestamp' : `Signed on ${moment(atSec)}, says the timestamp`,
    ),
  )
}

function moment(atSec) {
  return new Date(atSec * 1000).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'medium' })
}

/** @param {Answer} answer */
function issued({ issued: cards }) {
  if (cards.length === 0) return null
  return element(
    'section',
    { class: 'issued' },
    element('h4', {}, icon('card'), 'It handed out'),
    element('div', { class: 'handed' }, ...cards.map(handed)),
  )
}

function handed({ card, issuer, attributes }) {
  return element(
    'div',
    {},
    element('strong', {}, card),
    element('small', {}, issuer),
    element('dl', {}, ...attributes.map(({ name, value }) => row(name, value))),
  )
}

/** @param {Answer} answer */
function hidden({ hidden: cards, unseen }) {
  if (cards.length === 0 && unseen.length === 0) return null
  const groups = cards.map(({ names, card }) =>
    element(
      'li',
      {},
      element('ul', {}, ...names.map(name => element('li', {}, name))),
      element('small', {}, card),
    ),
  )
  return element(
    'section',
    { class: 'hidden' },
    element('h4', {}, icon('hidden'), 'It does not see'),
    element('ul', {}, ...groups, ...unseen.map(words => element('li', {}, words))),
  )
}
