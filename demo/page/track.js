/** The session between the two sides: its statuses as they arrive, with their names on the wire. A chain has two sessions. @module */
import { element } from './dom.js'
import { STEPS } from './steps.js'

const WORDS = {
  INITIALIZED: 'Waiting for a phone',
  PAIRING: 'Comparing codes',
  CONNECTED: 'The phone decides',
  CANCELLED: 'Stopped',
  TIMEOUT: 'Took too long',
}

const place = document.getElementById('track')
const now = document.getElementById('status')
let startedAtMs = 0
/** text after the first and after a later session has succeeded */
let done = []
/** In order; `link` is 1 for the first session of a chain. */
let steps = []

/** @param {{ step: string, pairing: boolean, isAgain?: boolean }} setup  again: the second question only */
export function resetTrack({ step, pairing, isAgain = false }) {
  const first = pairing
    ? ['INITIALIZED', 'PAIRING', 'CONNECTED', 'DONE']
    : ['INITIALIZED', 'CONNECTED', 'DONE']
  const { done: one, again: two } = STEPS[step]
  const second = two && !isAgain ? ['CONNECTED', 'DONE'] : []
  steps = [...first.map(status => ({ status, link: 1 })), ...second.map(status => ({ status, link: 2 }))]
  done = isAgain && two ? [two] : [one, two]
  startedAtMs = 0
  now.textContent = 'No session yet'
  draw()
}

/** The sessions of the provider are not sessions of this page. */
export function withoutTrack() {
  steps = []
  now.textContent = 'The provider has a session server of its own'
  draw()
}

/** @param {string} status
 *  @param {number} link number of the session in its chain, from 1 */
export function trackStatus(status, link) {
  startedAtMs ||= performance.now()
  const atSec = ((performance.now() - startedAtMs) / 1000).toFixed(1)
  now.textContent = wordsFor(status, link)
  if (link > 1 && status === 'INITIALIZED') return
  const step = steps.find(one => one.status === status && one.link === link)
  if (step?.atSec !== undefined) return
  if (step) step.atSec = atSec
  // An unexpected end: steps that were not reached are removed.
  else steps = [...steps.filter(one => one.atSec !== undefined), { status, link, atSec }]
  draw()
}

/** Shows the status of a session that ended while this page was not loaded. Its time is unknown.
 *  @param {string} status */
export function trackEnd(status) {
  trackStatus(status, 1)
  for (const step of steps) if (step.atSec !== undefined) step.atSec = ''
  draw()
}

function wordsFor(status, link) {
  if (status === 'DONE') return done[link - 1]
  return link > 1 && status === 'INITIALIZED' ? 'The second session follows' : WORDS[status]
}

function draw() {
  const current = steps.findLastIndex(step => step.atSec !== undefined)
  place.replaceChildren(
    ...steps.map(({ status, link, atSec }, i) =>
      element(
        'li',
        {
          class: `${i > current ? 'ahead' : i < current ? 'past' : `here ${status.toLowerCase()}`}${link > 1 ? ' second' : ''}`,
          'aria-current': i === current && 'step',
        },
        element('code', {}, status),
        element('span', {}, atSec ? `${atSec} s` : ''),
      ),
    ),
  )
}
