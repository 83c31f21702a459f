/** The sign-in page: shows a code for the wallet app, follows the session, and returns to the site. Every call goes to the path of this page. The browser holds
 *  no token: its cookie names the login. @module */
const SVG = 'http://www.w3.org/2000/svg'
const here = location.pathname.replace(/\/$/, '')
const element = id => document.getElementById(id)
const texts = JSON.parse(element('texts').textContent)
const parts = ['code', 'app', 'show', 'pairing', 'again']

/** Pauses before a call whose answer got lost is sent again. The server answers a repeated call as it answered the first one. */
const PAUSES_MS = [200, 500, 1_000, 2_000, 4_000]
/** Answers of a server that stops, and of a proxy whose server has stopped. */
const NOT_NOW = [502, 503, 504]
/** Answer to a call for a login that has ended. */
const ENDED = 404

let events = null
/** the last status of this session that the page knows */
let seen = 'INITIALIZED'
/** number of event streams in a row that the server refused */
let refusedStreams = 0
/** true: a code of the user is on its way, and its answer says whether the session has ended */
let isPairing = false
/** true: the app returns to this browser by an address that it gets from the server */
let isReturning = false

// without this script it would do nothing
element('cancel').hidden = false
const timeUntilEnd = setTimeout(end, texts.leftSec * 1_000)

/** Shows these parts and no others, and the text for the reader of the screen. */
function show(text, ...shown) {
  element('status').textContent = text
  for (const id of parts) element(id).hidden = !shown.includes(id)
}

const pause = ms => new Promise(resolve => setTimeout(resolve, ms))

async function post(path, body = {}) {
  for (const pauseMs of PAUSES_MS) {
    const answer = await postOnce(path, body)
    if (answer !== null) return answer
    await pause(pauseMs)
  }
  throw new Error(`${path}: expected an answer, got none`)
}

class RefusedError extends Error {
  constructor(path, status, type) {
    super(`${path}: expected success, got ${status}`)
    this.status = status
    this.type = type
  }
}

/** @returns null: the answer got lost */
async function postOnce(path, body) {
  const response = await fetch(`${here}/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null)
  if (response === null || NOT_NOW.includes(response.status)) return null
  if (!response.ok)
    throw new RefusedError(path, response.status, (await response.json().catch(() => null))?.error)
  return response.json().catch(() => null)
}

/** One path element for the whole code: the page needs no style and no image. */
function draw({ size, path }) {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', `-4 -4 ${size + 8} ${size + 8}`)
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', texts.codeLabel)
  const drawn = document.createElementNS(SVG, 'path')
  drawn.setAttribute('d', path)
  svg.append(drawn)
  element('code').replaceChildren(svg)
}

/** A new code. The one before it stops working.
 *  @param hasPairing true: also on a phone the user types the code of the app */
async function begin(hasPairing = false) {
  stopFollowing()
  show(texts.preparing)
  const session = await post('session', { hasPairing }).catch(goOnIfEnded)
  if (session === null) return
  draw(session.qr)
  element('app').href = session.app
  isReturning = session.isPhone
  seen = 'INITIALIZED'
  if (session.isPhone) show('', 'app', 'show')
  else show(texts.scan, 'code', ...(session.isAppOnWeb || hasPairing ? ['app'] : []))
  element('app').target = session.isAppOnWeb ? '_blank' : ''
  follow()
}

/** Another tab has ended the login. The page then leads to the site.
 *  @returns null: this page is left */
function goOnIfEnded(error) {
  if (error.type !== 'UNEXPECTED_REQUEST') throw error
  location.reload()
  return null
}

/** With the last status in its address, the stream begins with those that the page has missed. */
function follow() {
  const stream = new EventSource(`${here}/events?lastEventId=${seen}`)
  events = stream
  stream.onopen = () => {
    refusedStreams = 0
  }
  stream.onmessage = ({ data }) => {
    const status = JSON.parse(data)
    if (status === seen) return // repeated on another stream
    seen = status
    handle(status)
  }
  // after a lost connection, the browser opens the stream again by itself
  stream.onerror = () => stream.readyState === EventSource.CLOSED && followAgain(stream)
}

function stopFollowing() {
  events?.close()
  events = null
}

async function followAgain(refused) {
  if (refusedStreams === PAUSES_MS.length) return offerAgain(texts.failed)
  await pause(PAUSES_MS[refusedStreams++])
  if (events === refused) follow()
}

function handle(status) {
  if (status === 'PAIRING') {
    show(texts.pairing, 'pairing')
    element('pin').value = ''
    element('pin').focus()
  }
  // the server has cancelled the session after too many wrong codes
  if (status === 'CANCELLED' && isPairing) return
  if (status === 'CONNECTED') show(texts.connected)
  if (status === 'TIMEOUT') offerAgain(texts.timeout)
  if (status === 'DONE' && isReturning) {
    stopFollowing()
    show(texts.returning, 'show')
  } else if (status === 'DONE' || status === 'CANCELLED') finish().catch(fail)
}

/** A call failed: a new code may help, unless the login has ended. */
function fail({ status }) {
  if (status === ENDED) end()
  else offerAgain(texts.failed)
}

/** No code of this login works any more. */
function end() {
  stopFollowing()
  show(texts.ended)
  element('cancel').hidden = true
}

function offerAgain(text) {
  stopFollowing()
  show(text, 'again')
}

async function finish() {
  stopFollowing()
  const { location: next } = await post('finish')
  clearTimeout(timeUntilEnd)
  show(texts.done)
  location.replace(next)
}

function onClick(id, act) {
  element(id).addEventListener('click', () => act().catch(fail))
}

onClick('again', () => begin())
onClick('show', () => begin(true))
onClick('cancel', async () => {
  stopFollowing()
  const { location: next } = await post('cancel')
  location.replace(next)
})
function askAgain() {
  show(texts.pairingWrong, 'pairing')
  element('pin').value = ''
  element('pin').focus()
}

element('pairing').addEventListener('submit', async event => {
  event.preventDefault()
  isPairing = true
  try {
    const { isRight, isOver } = await post('pairing', { code: element('pin').value.trim() })
    if (isOver) offerAgain(texts.failed)
    else if (!isRight) askAgain()
  } catch (error) {
    fail(error)
  }
  isPairing = false
})
// a page that the browser kept may belong to a login that has ended
addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
if (texts.hasReturned) follow()
else begin().catch(fail)
