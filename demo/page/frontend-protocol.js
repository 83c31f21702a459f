/** The frontend's part of the session protocol (spec/interface#2.10, #4.4): status by event stream or polling, pairing, cancellation.
 *
 *  @typedef {{ sessionPtr: { u: string }, frontendRequest: { authorization: string } }} Session
 *  @typedef {'INITIALIZED' | 'PAIRING' | 'CONNECTED' | 'DONE' | 'CANCELLED' | 'TIMEOUT'} Status
 *  @typedef {{ status: Status, nextSession?: { u: string } }} FrontendStatus  with `nextSession`: done, and another session follows
 *  @module */
import { eventsOf } from './event-stream.js'
import { call } from './requests.js'

const OPTIONS_CONTEXT = 'https://svc.example/ld/request/frontendoptions/v1'
const CONNECT_MS = 2000
const POLL_MS = 500

export const FINAL = ['DONE', 'CANCELLED', 'TIMEOUT']

/** @param {Session} session */
function frontend(session, path, method = 'GET', more = {}) {
  const headers = { Authorization: session.frontendRequest.authorization }
  return call(`${session.sessionPtr.u}/frontend/${path}`, { method, headers, ...more })
}

/** Turns device pairing on. Allowed only before a phone has connected.
 *  @param {Session} session
 *  @returns {Promise<string>} the code that the phone will show */
export async function enablePairing(session) {
  const body = { '@context': OPTIONS_CONTEXT, pairingMethod: 'pin' }
  return (await frontend(session, 'options', 'POST', { body })).pairingCode
}

/** Confirms that the user typed the code shown on the phone.
 *  @param {Session} session */
export function completePairing(session) {
  return frontend(session, 'pairingcompleted', 'POST')
}

/** @param {Session} session */
export function cancel(session) {
  return call(session.sessionPtr.u, { method: 'DELETE', keepalive: true })
}

/** Calls `tell` with each status from now on, up to a final one. A status may be repeated.
 *  @param {Session} session
 *  @param {(status: FrontendStatus) => void} tell
 *  @param {AbortSignal} signal */
export async function watchStatus(session, tell, signal) {
  const { sessionPtr, frontendRequest } = session // the next session of a chain is watched separately
  const watched = { sessionPtr, frontendRequest }
  let status
  const note = next => {
    status = next.status
    tell(next)
  }
  const stream = streamedStatuses(watched, signal)
  for (;;) {
    const { done, value } = await stream.next().catch(() => ({ done: true })) // no stream, or it ended: poll instead
    if (done) break
    note(value)
  }
  while (!signal.aborted && !FINAL.includes(status)) {
    note(await frontend(watched, 'status', 'GET', { signal }))
    if (!FINAL.includes(status)) await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
}

async function* streamedStatuses(session, signal) {
  const connecting = new AbortController()
  const late = setTimeout(() => connecting.abort(), CONNECT_MS)
  const response = await fetch(`${session.sessionPtr.u}/frontend/statusevents`, {
    headers: { Authorization: session.frontendRequest.authorization, Accept: 'text/event-stream' },
    signal: AbortSignal.any([signal, connecting.signal]),
  })
  clearTimeout(late)
  if (response.status !== 200) return
  // The stream sends only changes. The status before it opened has to be requested.
  yield await frontend(session, 'status', 'GET', { signal })
  for await (const data of eventsOf(response.body)) yield JSON.parse(data)
}
