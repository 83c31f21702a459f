/** The phone's side. The wallet itself runs behind `/demo/phone`: the page shows its questions and hands it the answers. @module */
import { consent } from './consent.js'
import { show } from './dom.js'
import * as screens from './phone-screens.js'
import { call } from './requests.js'

const FINAL = ['done', 'refused', 'failed']

/** The session that the phone is answering; null: the phone shows its cards. */
let current = null
let cards = []
let readPointer = () => null

/** @param {() => object | null} pointerOnScreen what the camera reads */
export async function startPhone(pointerOnScreen) {
  readPointer = pointerOnScreen
  show('phone', screens.home([], scan))
  cards = await call('/demo/phone/cards')
  if (current === null) show('phone', screens.home(cards, scan))
}

/** Back to the cards; an unfinished session is left without an answer, and refused. */
export function home() {
  const session = current
  current = null
  if (session?.id && !FINAL.includes(session.screen)) void tell(session, 'refuse')
  show('phone', screens.home(cards, scan))
}

async function scan() {
  const pointer = readPointer()
  if (pointer === null)
    return show(
      'phone',
      screens.home(cards, scan, 'There is no QR code on the screen. Press the button in the web shop first.'),
    )
  const session = { id: '', screen: '' }
  current = session
  show('phone', screens.busy('Reading the code'))
  try {
    session.id = (await call('/demo/phone/scan', { method: 'POST', body: { pointer } })).id
    if (current === session) await follow(session)
    else await tell(session, 'refuse')
  } catch (error) {
    if (current === session) show('phone', screens.failed(error.message, home))
  }
}

/** One long question after the other: what does the wallet show now? */
async function follow(session) {
  for (let version = 0; current === session && !FINAL.includes(session.screen); ) {
    const next = await call(`/demo/phone/${session.id}?after=${version}`)
    if (current !== session || next.version === version) continue
    version = next.version
    session.screen = next.state.screen
    show('phone', screenOf(session, next.state))
  }
}

function screenOf(session, state) {
  const refuse = () => tell(session, 'refuse')
  if (state.screen === 'connecting') return screens.busy(`Connecting to ${state.host}`)
  if (state.screen === 'pairing') return screens.pairing(state.code, refuse)
  if (state.screen === 'consent')
    return consent(state, choices => tell(session, 'answer', { choices }), refuse)
  if (state.screen === 'sending') return screens.busy('Making the proof')
  if (state.screen === 'done') return screens.done(state, home)
  if (state.screen === 'refused') return screens.refused(state.host, home)
  return screens.failed(state.reason, home)
}

function tell(session, what, body = {}) {
  return call(`/demo/phone/${session.id}/${what}`, { method: 'POST', body }).catch(error => {
    if (current === session) show('phone', screens.failed(error.message, home))
  })
}
