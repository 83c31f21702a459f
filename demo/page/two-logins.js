/** Two logins of one person, as the web site and its session server received them: only the disclosed attributes are equal.
 *
 *  @typedef {{ numbers: string[], sent: object }} Login
 *  @typedef {{ logins: [Login, Login], isSameShown: boolean, alike: number }} Comparison
 *  @module */
import { element } from './dom.js'
import { json } from './json.js'

const SVG = 'http://www.w3.org/2000/svg'
const COLUMNS = 16
const ROWS = 5
const TONES = 6
const NAMES = ['First login', 'Second login']

/** The conclusion from the comparison, in one sentence.
 *  @param {Comparison} comparison */
export function conclusion({ isSameShown, alike }) {
  return isSameShown && alike === 0
    ? 'Only what you showed is the same, so the site cannot tell whether one person came twice or two people came once.'
    : 'The two logins have something in common that you did not show, or show different things.'
}

/** @param {import('./site-result.js').Answer} answer to the second login
 *  @param {Comparison} comparison */
export function twoLogins({ seen, results }, comparison) {
  const { logins, isSameShown, alike } = comparison
  const week = weekOf(results[0].disclosed[0][0].issuancetime)
  const shown = seen.map(({ name, value, card }) =>
    row(
      isSameShown,
      [name],
      ...NAMES.map(() => [element('strong', {}, value), element('small', {}, `${card}, ${week}`)]),
    ),
  )
  const proofs = logins.map(({ numbers }, i) => [pattern(numbers, `Pattern of the proof of the ${NAMES[i]}`)])
  return pair(
    { caption: 'What the web site and its session server got', names: NAMES },
    [...shown, row(alike > 0, ['The proof', element('small', {}, countAlike(comparison))], ...proofs)],
    logins.map(({ sent }) => sent),
  )
}

/** Two columns with their rows, and what each column received as JSON.
 *  @param {{ caption: string, names: string[] }} words
 *  @param {Node[]} rows
 *  @param {object[]} received */
export function pair({ caption, names }, rows, received) {
  return element(
    'div',
    { class: 'pair' },
    element(
      'table',
      {},
      element('caption', {}, caption),
      element(
        'thead',
        {},
        element('tr', {}, element('td'), ...names.map(name => element('th', { scope: 'col' }, name))),
      ),
      element('tbody', {}, ...rows),
    ),
    element('div', { class: 'logins' }, ...received.map((sent, i) => json(`${names[i]}, as JSON`, sent))),
  )
}

/** The week of issue, which every card discloses. */
function weekOf(issuedAtSec) {
  const day = new Date(issuedAtSec * 1000).toLocaleDateString('en-GB', { dateStyle: 'medium' })
  return `of the week of ${day}`
}

/** @param {Comparison} comparison */
function countAlike({ logins: [{ numbers }], alike }) {
  return `${numbers.length} numbers, ${alike === 0 ? 'none' : alike} alike`
}

/** @param {boolean} isAlike
 *  @param {(Node | string)[]} head
 *  @param {...(Node | string)[]} cells the content of each */
export function row(isAlike, head, ...cells) {
  return element(
    'tr',
    { class: isAlike ? 'alike' : 'unlike' },
    element(
      'th',
      { scope: 'row' },
      ...head,
      element('span', { class: 'mark' }, isAlike ? 'the same' : 'different'),
    ),
    ...cells.map(content => element('td', {}, ...content)),
  )
}

/** A pattern with one field per byte, for a selection of bytes from all numbers of the proof.
 *  @param {string[]} numbers in Base64 */
function pattern(numbers, label) {
  const bytes = numbers.map(number => Uint8Array.from(atob(number), character => character.charCodeAt(0)))
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', `0 0 ${COLUMNS} ${ROWS}`)
  svg.setAttribute('class', 'pattern')
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', label)
  for (let i = 0; i < COLUMNS * ROWS; i++) {
    const number = bytes[i % bytes.length]
    const field = document.createElementNS(SVG, 'rect')
    const place = { x: i % COLUMNS, y: Math.floor(i / COLUMNS), width: 1, height: 1 }
    for (const [name, value] of Object.entries(place)) field.setAttribute(name, String(value))
    field.setAttribute('class', `tone-${number[Math.floor(i / bytes.length) + 1] % TONES}`)
    svg.append(field)
  }
  return svg
}
