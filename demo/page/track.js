/** The session between the two sides: its statuses as they come, with their names on the wire. @module */
import { element } from './dom.js'

const WORDS = {
  INITIALIZED: 'Waiting for a phone',
  PAIRING: 'Comparing codes',
  CONNECTED: 'The phone decides',
  DONE: 'Proof received and checked',
  CANCELLED: 'Stopped',
  TIMEOUT: 'Took too long',
}

const place = document.getElementById('track')
const now = document.getElementById('status')
let startedAtMs = 0
let steps = []

/** @param {boolean} [pairing] */
export function resetTrack(pairing = false) {
  steps = (
    pairing ? ['INITIALIZED', 'PAIRING', 'CONNECTED', 'DONE'] : ['INITIALIZED', 'CONNECTED', 'DONE']
  ).map(status => ({
    status,
  }))
  startedAtMs = 0
  now.textContent = 'No session yet'
  draw()
}

/** @param {string} status */
export function trackStatus(status) {
  startedAtMs ||= performance.now()
  const atSec = ((performance.now() - startedAtMs) / 1000).toFixed(1)
  const step = steps.find(one => one.status === status)
  if (step?.atSec !== undefined) return
  if (step) step.atSec = atSec
  // Another end than the hoped for: what did not happen goes.
  else steps = [...steps.filter(one => one.atSec !== undefined), { status, atSec }]
  now.textContent = WORDS[status]
  draw()
}

function draw() {
  const current = steps.findLastIndex(step => step.atSec !== undefined)
  place.replaceChildren(
    ...steps.map(({ status, atSec }, i) =>
      element(
        'li',
        {
          class: i > current ? 'ahead' : i < current ? 'past' : `here ${status.toLowerCase()}`,
          'aria-current': i === current && 'step',
        },
        element('code', {}, status),
        element('span', {}, atSec === undefined ? '' : `${atSec} s`),
      ),
    ),
  )
}
