/** The web shop's side: from the button to the result. Its back end keeps the requestor token; the page never sees it. @module */
import { show } from './dom.js'
import { cancel, completePairing, enablePairing, FINAL, watchStatus } from './frontend-protocol.js'
import { call } from './requests.js'
import * as screens from './shop-screens.js'
import { resetTrack, trackStatus } from './track.js'

const RANK = { INITIALIZED: 1, PAIRING: 2, CONNECTED: 3, DONE: 4, CANCELLED: 4, TIMEOUT: 4 }

/** The session on the screen; null before the button is pressed. */
let current = null

/** The shop's page before anything happens.
 *  @param {{ scenario: string, pairing: boolean, startAgain: () => void }} setup */
export function offer(setup) {
  leave()
  resetTrack(setup.pairing)
  show(
    'shop',
    screens.offer(setup.scenario, () => start(setup)),
  )
}

/** What a phone's camera would read from the screen; null: there is no code on it. */
export function pointerOnScreen() {
  return current?.status === 'INITIALIZED' ? current.sessionPtr : null
}

/** Nobody waits any more: end the session if it has not ended. */
export function leave() {
  const session = current
  current = null
  session?.watching.abort()
  // One that is just being made is cancelled where it arrives; one that cannot be cancelled times out by itself.
  if (session?.sessionPtr && !FINAL.includes(session.status)) cancel(session).catch(() => undefined)
}

async function start(setup) {
  const session = { watching: new AbortController(), status: '', setup }
  current = session
  show('shop', screens.starting())
  try {
    Object.assign(
      session,
      await call('/demo/shop/start', { method: 'POST', body: { scenario: setup.scenario } }),
    )
    if (setup.pairing) session.pairingCode = await enablePairing(session)
    if (current !== session) return await cancel(session)
    await watchStatus(session, status => changed(session, status), session.watching.signal)
  } catch (error) {
    if (current === session) show('shop', screens.failed(error.message, setup.startAgain))
  }
}

/** The stream and the first question may tell a status twice or late: only what is news counts. */
function changed(session, status) {
  if (session !== current || RANK[status] <= (RANK[session.status] ?? 0)) return
  session.status = status
  trackStatus(status)
  if (FINAL.includes(status)) finish(session)
  else show('shop', screenOf(session))
}

function screenOf(session) {
  const cancelled = () => stop(session)
  if (session.status === 'INITIALIZED') return screens.code(session, cancelled)
  if (session.status === 'PAIRING') return screens.pairing(typed => pair(session, typed), cancelled)
  return screens.connected(cancelled)
}

/** @returns {Promise<string | null>} what is wrong with the code, in words */
async function pair(session, typed) {
  if (typed !== session.pairingCode) return 'That is not the code on the phone. Please look again.'
  await completePairing(session)
  return null
}

/** The person has had enough: the end comes back as a status, like every other. */
async function stop(session) {
  try {
    await cancel(session)
  } catch (error) {
    if (session === current) show('shop', screens.failed(error.message, session.setup.startAgain))
  }
}

async function finish(session) {
  try {
    const answer = await call(`/demo/shop/result/${session.id}`)
    if (session === current) show('shop', screens.result(answer, session.request, session.setup.startAgain))
  } catch (error) {
    if (session === current) show('shop', screens.failed(error.message, session.setup.startAgain))
  }
}
