/** The web site's side, from the button to the result. Its back end keeps the requestor tokens; the page never gets one.
 *
 *  @typedef {{ again: () => void, goTo: (step: string) => void, home: () => void, openLink: (link: string) => void, setUpPin: () => void,
 *    ended: (isDone: boolean) => Promise<void> }} Guide
 *  @module */
import { icon, show } from './dom.js'
import { cancel, completePairing, enablePairing, FINAL, watchStatus } from './frontend-protocol.js'
import { call } from './requests.js'
import { failed, result } from './site-result.js'
import * as screens from './site-screens.js'
import { STEPS } from './steps.js'
import { nextStep, viewOf } from './tour.js'
import { resetTrack, trackEnd, trackStatus, withoutTrack } from './track.js'
import { beginSites, followSites, twoSites } from './two-sites.js'

const RANK = { INITIALIZED: 1, PAIRING: 2, CONNECTED: 3, DONE: 4, CANCELLED: 4, TIMEOUT: 4 }

/** The session on the screen; null before the button is pressed. */
let current = null

/** Shows the web site before a session.
 *  @param {{ step: string, pairing: boolean }} setup
 *  @param {Guide} guide */
export function offer(setup, guide) {
  leave()
  if (setup.step === 'sites') withoutTrack()
  else resetTrack(setup)
  putUpSign(setup.step)
  const begin = setup.step === 'sites' ? () => openSites(guide) : () => start(setup, guide)
  show('site', screens.offer(setup.step, begin, guide))
}

function openSites(guide) {
  show('site', screens.starting())
  void watchSites(guide, beginSites)
}

/** Shows both sites of the provider once they run, and their claims.
 *  @param {Guide} guide
 *  @param {() => Promise<void>} [begin] starts the provider; left out: it runs */
export async function watchSites(guide, begin = async () => undefined) {
  const session = { watching: new AbortController(), status: '', link: 1, setup: { step: 'sites' }, guide }
  current = session
  try {
    await begin()
    await followSites(session.watching.signal, async sites => {
      if (sites.isDone) await guide.ended(true)
      const ways = { again: guide.again, goTo: guide.goTo, next: nextStep('sites') }
      if (current === session) show('site', twoSites(sites, ways))
    })
  } catch (error) {
    fail(session, error)
  }
}

function putUpSign(step) {
  document.getElementById('address').textContent = viewOf(step).host
  document.getElementById('sign').replaceChildren(icon(STEPS[step].icon), STEPS[step].site)
}

/** The pointer that a phone's camera would read from the screen; null: no code is shown. */
export function pointerOnScreen() {
  const isOnScreen =
    current?.status === 'INITIALIZED' && current.link === 1 && current.setup.step !== 'mobile'
  return isOnScreen ? current.sessionPtr : null
}

/** Leaves the session, and cancels it if it has not ended. */
export function leave() {
  const session = current
  current = null
  session?.watching.abort()
  // A session that is still being created is cancelled when its response arrives. If a cancellation fails, the session times out.
  if (session?.sessionPtr && !FINAL.includes(session.status)) cancel(session).catch(() => undefined)
}

/** @param {string} [after] id of the first session, if this one repeats its question */
async function start(setup, guide, after) {
  const session = { watching: new AbortController(), status: '', link: 1, setup, guide }
  current = session
  show('site', screens.starting())
  try {
    const { link: address, ...started } = await call('/demo/site/start', {
      method: 'POST',
      body: { step: setup.step, after },
    })
    Object.assign(session, started, { address })
    if (setup.pairing) session.pairingCode = await enablePairing(session)
    if (current !== session) return await cancel(session)
    await watch(session)
  } catch (error) {
    fail(session, error)
  }
}

function watch(session) {
  const { link } = session
  return watchStatus(
    session,
    told => session === current && session.link === link && changed(session, told),
    session.watching.signal,
  )
}

/** Handles a status. The stream and the first request may repeat a status or deliver it late; only new ones are handled.
 *  @param {{ status: string, nextSession?: { u: string } }} told */
function changed(session, { status, nextSession }) {
  if (RANK[status] <= (RANK[session.status] ?? 0)) return
  session.status = status
  trackStatus(status, session.link)
  if (nextSession) return follow(session, nextSession)
  if (FINAL.includes(status)) void finish(session)
  else show('site', screenOf(session))
}

/** The next session of a chain has its own pointer, and the frontend authorization of the first. */
function follow(session, nextSession) {
  Object.assign(session, { sessionPtr: nextSession, status: '', link: session.link + 1 })
  show(
    'site',
    screens.connected(session, () => stop(session)),
  )
  watch(session).catch(error => fail(session, error))
}

function screenOf(session) {
  const cancelled = () => stop(session)
  if (session.status === 'PAIRING') return screens.pairing(typed => pair(session, typed), cancelled)
  if (session.status === 'CONNECTED' || session.link > 1) return screens.connected(session, cancelled)
  if (session.setup.step === 'mobile') return screens.link(session, session.guide.openLink, cancelled)
  return screens.code(session, cancelled)
}

/** @returns {Promise<string | null>} error text for a wrong code; null for the right one */
async function pair(session, typed) {
  if (typed !== session.pairingCode) return 'That is not the code on the phone. Please look again.'
  await completePairing(session)
  return null
}

/** Cancels at the user's wish. The result comes back as a status, and the site records that it cancelled itself. */
async function stop(session) {
  try {
    await call(`/demo/site/cancelled/${session.id}`, { method: 'POST' })
    await cancel(session)
  } catch (error) {
    fail(session, error)
  }
}

/** Shows the result. In the mobile flow, the wallet returns the user to a new load of this page, which shows it. */
async function finish(session) {
  if (session.setup.step === 'mobile' && session.status === 'DONE') return show('site', screens.away())
  try {
    const answer = await call(`/demo/site/result/${session.id}`)
    await session.guide.ended(session.status === 'DONE')
    if (session === current) show('site', resultScreen(answer, session))
  } catch (error) {
    fail(session, error)
  }
}

function resultScreen(answer, session) {
  const { again, goTo } = session.guide
  return result(answer, {
    ...{ again, goTo, next: nextStep(answer.step) },
    ...{ revoke: () => revoke(session), repeat: () => askAgain(session) },
  })
}

/** Asks the same question in a new session. */
function askAgain({ id, setup, guide }) {
  resetTrack({ ...setup, isAgain: true })
  guide.home()
  void start(setup, guide, id)
}

/** Revokes the permit. The same question follows. */
async function revoke(session) {
  try {
    const revocation = await call(`/demo/site/revoke/${session.id}`, { method: 'POST' })
    if (session !== current) return
    const again = () => askAgain(session)
    show('site', screens.revoked(revocation, again))
  } catch (error) {
    fail(session, error)
  }
}

function fail(session, error) {
  if (session === current) show('site', failed(error.message, session.guide.again))
}

/** Shows the page after the wallet returned its user: the current state of the session.
 *  @param {string} id
 *  @param {Guide} guide */
export async function showReturned(id, guide) {
  try {
    const answer = await call(`/demo/site/result/${encodeURIComponent(id)}`)
    await guide.ended(false)
    trackEnd(answer.results[0].status)
    show('site', resultScreen(answer, { guide }))
  } catch (error) {
    show('site', failed(error.message, guide.again))
  }
  const title = document.querySelector('#site [data-focus]')
  title.scrollIntoView({ block: 'nearest' })
  title.focus({ preventScroll: true })
}
