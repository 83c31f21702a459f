/** The phone's side. The wallet itself runs behind `/demo/phone`: the page shows its questions and sends the answers. @module */
import { openAccount } from './account.js'
import { blocked } from './blocked.js'
import { consent } from './consent.js'
import { show } from './dom.js'
import * as screens from './phone-screens.js'
import { pinPad, wrongPin } from './pin-pad.js'
import { call } from './requests.js'

const FINAL = ['done', 'refused', 'failed']

/** The session that the phone is answering; null: the phone shows its cards. */
let current = null
let cards = []
let readPointer = () => null
let tellChange = async () => undefined

/** @param {() => object | null} pointerOnScreen returns the pointer that the camera reads
 *  @param {() => Promise<void>} cardsChanged called after a card was added without a web site */
export async function startPhone(pointerOnScreen, cardsChanged) {
  readPointer = pointerOnScreen
  tellChange = cardsChanged
  await refreshCards()
  if (current === null) show('phone', cardsScreen())
}

/** Reloads the cards from the wallet. The phone shows them the next time it shows its cards. */
export async function refreshCards() {
  cards = await call('/demo/phone/cards')
}

/** Resolves when the phone has finished its session. The web site may get the final status earlier. */
export async function settled() {
  await current?.following?.catch(() => undefined) // the phone shows this error itself
}

/** Returns to the cards. An unfinished session is refused. */
export function home() {
  const session = current
  current = null
  if (session?.id && !FINAL.includes(session.screen)) void tell(session, 'refuse')
  show('phone', cardsScreen())
}

function cardsScreen(note) {
  return screens.home(cards, { scan, account }, note)
}

/** Opens the screens for the PIN, which belong to no session. */
function account() {
  home()
  const opened = { id: '', screen: 'account' }
  current = opened
  const isHere = () => current === opened
  const phone = {
    show: screen => isHere() && show('phone', screen),
    close: () => isHere() && home(),
    changed: tellChange,
  }
  openAccount(phone).catch(error =>
    phone.show(screens.failed({ title: 'That did not work', reason: error.message }, home)),
  )
}

function scan() {
  const pointer = readPointer()
  if (pointer !== null) return answer(JSON.stringify(pointer), 'Reading the code')
  const note = 'There is no QR code on the screen. Press the button on the web site first.'
  show('phone', cardsScreen(note))
}

/** Opens the wallet app with a link.
 *  @param {string} link */
export function openLink(link) {
  home()
  const answered = answer(link, 'Opening the wallet')
  takeUpPhone()
  return answered
}

/** Opens the PIN screen because a web site needs a PIN, and moves the focus to the phone. */
export function setUpPin() {
  account()
  takeUpPhone()
}

function takeUpPhone() {
  const phone = document.getElementById('phone')
  phone.scrollIntoView({ block: 'nearest' })
  phone.querySelector('[data-focus]').focus({ preventScroll: true })
}

/** @param {string} pointer text of the code or the link
 *  @param {string} words */
async function answer(pointer, words) {
  const session = { id: '', screen: '', following: undefined }
  current = session
  show('phone', screens.busy(words))
  try {
    session.id = (await call('/demo/phone/open', { method: 'POST', body: { pointer } })).id
    session.following = current === session ? follow(session) : tell(session, 'refuse')
    await session.following
  } catch (error) {
    if (current === session) show('phone', screens.failed({ reason: error.message }, home))
  }
}

/** Long-polls for the current screen of the wallet. */
async function follow(session) {
  for (let version = 0; current === session && !FINAL.includes(session.screen); ) {
    const next = await call(`/demo/phone/${session.id}?after=${version}`)
    if (current !== session || next.version === version) continue
    version = next.version
    session.screen = next.state.screen
    if (FINAL.includes(session.screen)) await refreshCards()
    if (current === session) show('phone', screenOf(session, next.state))
  }
}

function screenOf(session, state) {
  const refuse = () => tell(session, 'refuse')
  if (state.screen === 'connecting') return screens.busy(`Connecting to ${state.host}`)
  if (state.screen === 'pairing') return screens.pairing(state.code, refuse)
  if (state.screen === 'consent')
    return consent(state, choices => tell(session, 'answer', { choices }), refuse)
  if (state.screen === 'pin') return pinPad(pinWords(state), pin => tellPin(session, pin), refuse)
  if (state.screen === 'failed' && state.blockedSec !== null) return blocked(state.blockedSec, home)
  if (state.screen === 'sending') return screens.busy('Making the proof')
  if (state.screen === 'done') return screens.done(state, home)
  if (state.screen === 'refused') return screens.refused(state, home)
  return screens.failed(state, home)
}

function pinWords({ host, triesLeft }) {
  return {
    title: ['Your PIN'],
    hint: `For ${host}. The web site does not get it.`,
    problem: wrongPin(triesLeft),
  }
}

/** Replaces the pad at once, because a second press of Enter would be a second try. */
function tellPin(session, pin) {
  show('phone', screens.busy('Checking the PIN'))
  return tell(session, 'pin', { pin })
}

function tell(session, what, body = {}) {
  return call(`/demo/phone/${session.id}/${what}`, { method: 'POST', body }).catch(error => {
    if (current === session) show('phone', screens.failed({ reason: error.message }, home))
  })
}
