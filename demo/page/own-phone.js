/** A question to the wallet app on a real phone, below the tour. The page gets the status from the demo's own address; the phone calls another address.
 *
 *  @typedef {{ card: string, name: string }} Attribute
 *  @typedef {{ address: string, asked: Attribute[], isOfApp: boolean }} OwnPhoneView
 *  @typedef {{ status: string, isAccepted: boolean, seen: (Attribute & { value: string | null })[] }} Told
 *  @module */
import { button, element } from './dom.js'
import { FINAL } from './frontend-protocol.js'
import { call } from './requests.js'

/** Interval of polling the status. */
const LOOK_MS = 700

const WORDS = {
  INITIALIZED: 'Waiting for your phone.',
  CONNECTED: 'Your phone has the question. Nothing has been shared yet.',
  CANCELLED: 'Stopped. Nothing was shared.',
  TIMEOUT: 'Nobody answered in time. Nothing was shared.',
}
const INVALID = 'The phone has answered, but its proof does not count.'
const FAILED = 'This went wrong: '

const place = document.getElementById('own-phone')
const said = document.getElementById('own-phone-status')

/** Identifies the session whose code is shown. Updates of other sessions are ignored. */
let current = null

/** @param {OwnPhoneView | null} view  null: no phone may answer */
export function offerOwnPhone(view) {
  place.replaceChildren(view ? begin(view) : howTo())
}

function howTo() {
  return element(
    'p',
    {},
    'This tour answers to this computer alone. For a question to the Yivi app on your phone, in the same network, start it with ',
    element('code', {}, 'npx attribute-session-service demo --phone'),
    '.',
  )
}

/** @param {OwnPhoneView} view */
function begin(view) {
  const words = element('div', { class: 'words' }, ...needs(view))
  words.append(button('Show a QR code', () => ask(view)))
  return words
}

/** Texts about the question, and the requirements of the app. */
function needs({ address, asked, isOfApp }) {
  const names = asked.map(({ card, name }) => `“${name}” of “${card}”`)
  return [
    element(
      'p',
      {},
      `The question: ${names.join(', or ')}. You see it on the phone before anything is shared, and the answer stays on this computer.`,
    ),
    !isOfApp &&
      element(
        'p',
        { class: 'notice' },
        'The Yivi app does not know the scheme of this card and will end with an error. Run ',
        element('code', {}, 'npx attribute-session-service scheme download'),
        ' and start the tour again: then it asks for a card of a scheme that the app has.',
      ),
    element(
      'ul',
      { class: 'needs' },
      element('li', {}, 'The phone and this computer are in one network, without a VPN.'),
      element(
        'li',
        {},
        'The browser of the phone opens ',
        element('code', {}, `${address}/`),
        '. If it does not, a firewall stands between them, or another address is needed.',
      ),
      element(
        'li',
        {},
        'The app is in its developer mode, because nothing is encrypted here: tap seven times on the version number in “More”. Leave that mode when you are done.',
      ),
    ),
  ].filter(Boolean)
}

/** @param {OwnPhoneView} view */
async function ask(view) {
  const mine = {}
  current = mine
  said.textContent = ''
  try {
    const { id } = await call('/demo/own-phone/start', { method: 'POST' })
    if (current !== mine) return
    const qr = element('img', {
      class: 'tile',
      src: `/demo/own-phone/qr/${id}`,
      alt: 'QR code for the wallet app on your phone',
    })
    const words = element('div', { class: 'words' }, ...needs(view))
    const again = button('Show another code', () => ask(view), 'quiet')
    words.append(again)
    const hadFocus = place.contains(document.activeElement)
    place.replaceChildren(element('div', { class: 'own-code' }, qr, words))
    if (hadFocus) again.focus()
    await follow(id, mine, qr)
  } catch (error) {
    if (current === mine) said.textContent = FAILED + error.message
  }
}

/** Shows each status up to the final one. */
async function follow(id, mine, qr) {
  for (;;) {
    /** @type {Told} */
    const told = await call(`/demo/own-phone/told/${id}`)
    if (current !== mine) return
    const words = wordsFor(told)
    if (said.textContent !== words) said.textContent = words
    qr.classList.toggle('used', told.status !== 'INITIALIZED')
    if (FINAL.includes(told.status)) return
    await new Promise(resolve => setTimeout(resolve, LOOK_MS))
  }
}

/** @param {Told} told */
function wordsFor({ status, isAccepted, seen }) {
  if (status !== 'DONE') return WORDS[status]
  if (!isAccepted) return INVALID
  return `Your phone has proved: ${seen.map(({ card, name, value }) => `${name} (${card}): ${value ?? 'none'}`).join('; ')}.`
}
