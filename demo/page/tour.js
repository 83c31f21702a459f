/** The guide above the two sides: the steps, progress, and restart. Only the guide knows the cards on the phone; web sites do not.
 *
 *  @typedef {{ step: string, host: string, isDone: boolean, lacks: { cards: string[], givenBy: string } | null }} StepView
 *  @typedef {{ steps: StepView[], stamps: { wanted: string, address: string, isAsNamed: boolean },
 *    ownPhone: import('./own-phone.js').OwnPhoneView | null, inspector: string }} TourView
 *  @module */
import { element, icon } from './dom.js'
import { call } from './requests.js'
import { numberOf, ORDER, STEPS } from './steps.js'

/** The steps without a choice, and the reason. */
const OWN_PAIRING = {
  mobile: 'Not here: there is one device only',
  sites: 'Always on here: the provider asks for it',
}

const form = document.getElementById('tour')
const stops = document.getElementById('stops')
const pairing = document.getElementById('pairing')
const hint = document.getElementById('pairing-hint')
const dialog = document.getElementById('emptying')

/** @type {TourView} */
let tour = { steps: [], stamps: { wanted: '', address: '', isAsNamed: true }, ownPhone: null, inspector: '' }

for (const step of ORDER)
  stops.append(
    element(
      'label',
      { class: 'stop', 'data-step': step },
      element('input', { type: 'radio', name: 'step', value: step }),
      element('span', { class: 'dot', 'aria-hidden': true }),
      element('span', { class: 'unseen' }, `${numberOf(step)}: `),
      element('span', { class: 'name' }, STEPS[step].name),
      element('span', { class: 'unseen state' }),
    ),
  )

/** @param {{ choose: () => void, restart: () => Promise<void> }} handlers */
export function startTour({ choose, restart }) {
  form.addEventListener('change', () => {
    tellPairing()
    choose()
  })
  // in a separate window, which cannot access this one
  document
    .getElementById('watch')
    .addEventListener('click', () => window.open(tour.inspector, '_blank', 'noreferrer'))
  document.getElementById('restart').addEventListener('click', () => dialog.showModal())
  dialog.addEventListener('close', async () => {
    const { returnValue } = dialog
    dialog.returnValue = ''
    if (returnValue === 'empty') await restart()
  })
}

/** @returns {{ step: string, pairing: boolean }} pairing needs a second device */
export function chosen() {
  const step = String(new FormData(form).get('step'))
  return { step, pairing: !(step in OWN_PAIRING) && pairing.checked }
}

/** @param {string} step */
export function select(step) {
  form.elements.namedItem('step').value = step
  tellPairing()
  drawNow()
}

/** @param {string} step
 *  @returns {StepView} */
export function viewOf(step) {
  return tour.steps.find(one => one.step === step) ?? { step, host: '', isDone: false, lacks: null }
}

export function stamps() {
  return tour.stamps
}

/** The question to a real phone; null: no real phone may answer. */
export function ownPhone() {
  return tour.ownPhone
}

/** The next step that is not done, continuing from the start after the last one; null: all are done.
 *  @param {string} [after]
 *  @returns {string | null} */
export function nextStep(after) {
  const from = after === undefined ? 0 : numberOf(after)
  const order = [...ORDER.slice(from), ...ORDER.slice(0, from)]
  return order.find(step => !viewOf(step).isDone) ?? null
}

/** Reloads the progress of the tour. */
export async function refresh() {
  tour = await call('/demo/tour')
  drawNow()
}

/** Empties the phone and resets the progress. */
export async function beginAgain() {
  await call('/demo/tour/restart', { method: 'POST' })
  await refresh()
}

function drawNow() {
  for (const label of stops.children) {
    const { isDone, lacks } = viewOf(label.dataset.step)
    label.classList.toggle('done', isDone)
    label.classList.toggle('lacking', lacks !== null)
    label.querySelector('.dot').replaceChildren(isDone ? icon('check') : String(numberOf(label.dataset.step)))
    label.querySelector('.state').textContent = isDone ? ', done' : ''
  }
  const count = tour.steps.filter(({ isDone }) => isDone).length
  const progress = document.getElementById('progress')
  const words = count === ORDER.length ? 'All eleven steps done' : `${count} of ${ORDER.length} steps done`
  if (progress.textContent !== words) progress.textContent = words
  document.getElementById('restart').hidden = false
}

function tellPairing() {
  const own = OWN_PAIRING[chosen().step]
  pairing.disabled = own !== undefined
  hint.textContent = own ?? 'The phone shows a code to type'
}
