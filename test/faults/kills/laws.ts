/** The laws of every session and every chain, for any number of kills. They are checked on the answers, the posts to the
 *  requestor, the results and the file. @module */
import * as assert from 'uvu/assert'
import { PROFILES } from '../../../protocol/profiles.ts'
import { restoreRequest } from '../../../protocol/request.ts'
import { implicitDisclosures } from '../../../sessions/implicit-disclosures.ts'
import { restoreOutcome } from '../../../sessions/result.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import type { KillableServer, StoredSession } from '../killable-server.ts'
import { type Answer, insist } from './insist.ts'
import type { Played, PlayedSession } from './play.ts'
import type { RequestorCall } from './requestor.ts'

type Result = {
  readonly token: string
  readonly status: string
  readonly proofStatus?: string
  readonly disclosed?: readonly (readonly { readonly rawvalue: string | null; readonly id: string }[])[]
  readonly nextSession?: string
}

const FINAL = ['DONE', 'CANCELLED', 'TIMEOUT']

/** Repeats the last submission, as a wallet app does that got no answer. */
export async function repeatLast(server: KillableServer, { sessions }: Played): Promise<void> {
  const last = sessions.at(-1)
  if (last?.submission) last.answers.push(await insist(server, last.submission))
}

/** @param known ids of sessions that are older than these
 *  @param asked calls to the requestor of these sessions
 *  @returns the sessions of this play, and those of creating calls whose answer was lost */
export async function assertLaws(
  server: KillableServer,
  played: Played,
  asked: readonly RequestorCall[],
  known: ReadonlySet<string>,
): Promise<readonly StoredSession[]> {
  const stored = (await server.sessions())
    .filter(({ id }) => !known.has(id))
    .map(session => withToken(session, played.token))
  assertOneAnswerEach(played, stored)
  assertChains(stored)
  for (const session of stored) assert.not(session.isClaimed || session.hasProgress, 'no claim is left')
  for (const session of stored) await assertResult(server, session, stored)
  assertAskedAlike(asked, stored)
  return stored
}

/** The session with the requestor token of the play, if it is the token of this session. */
function withToken(session: StoredSession, token: string): StoredSession {
  return hashOfToken(token) === session.requestorTokenHash ? { ...session, requestorToken: token } : session
}

/** Each submission has at most one answer, and the file confirms it. */
function assertOneAnswerEach({ sessions }: Played, stored: readonly StoredSession[]): void {
  for (const { clientToken, answers } of sessions) {
    const told = answersOf(answers)
    assert.ok(told.size <= 1, `expected one answer at most, got ${told.size}`)
    const row = stored.find(({ id }) => id === hashOfToken(clientToken))
    assert.ok(row, 'a session that the app knows is stored')
    if (told.size === 0) continue
    assert.is(row.status, 'DONE')
    const { nextSession } = restoreOutcome(row.result ?? '{}').value
    const pointer = JSON.parse([...told][0] ?? '{}').nextSession
    assert.is(
      pointer?.u.split('/').at(-1),
      nextSession?.clientToken,
      'the answer and the file name the same next session',
    )
  }
}

const answersOf = (answers: readonly Answer[]): Set<string> =>
  new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text))

/** A next session exists if, and only if, the previous one is `DONE` and names it. It asks for the attributes that the previous one disclosed. */
function assertChains(stored: readonly StoredSession[]): void {
  const parents = stored.filter(({ result }) => restoreOutcome(result ?? '{}').value.nextSession)
  const children = stored.filter(({ request }) => restoreRequest(request).value.implicitDisclose.length > 0)
  assert.is(parents.length, children.length, 'each next session has a parent, and each parent a next session')
  for (const parent of parents) {
    assert.is(parent.status, 'DONE')
    const { nextSession, disclosed } = restoreOutcome(parent.result ?? '').value
    const named = stored.filter(({ id }) => id === hashOfToken(nextSession?.clientToken ?? ''))
    assert.is(named.length, 1, 'the next session is stored once')
    const [child] = named
    assert.is(child?.requestorToken, nextSession?.requestorToken)
    assert.is(child?.frontendToken, parent.frontendToken)
    assert.equal(restoreRequest(child?.request ?? '').value.implicitDisclose, implicitDisclosures(disclosed))
  }
}

/** Reads the result as its requestor does. */
async function assertResult(
  server: KillableServer,
  { requestorToken, status, request }: StoredSession,
  stored: readonly StoredSession[],
): Promise<void> {
  assert.ok(
    requestorToken,
    'the token of each session is stored, or in the result before it, or in the answer of the creating call',
  )
  const url = `${server.url}/session/${requestorToken}/result`
  const answer = await insist(server, { method: 'GET', url })
  assert.is(answer.status, 200, answer.text)
  const result: Result = JSON.parse(answer.text)
  assert.is(result.status, status)
  if (!FINAL.includes(status)) return assert.equal(Object.keys(result), ['token', 'status', 'type'])
  if (status !== 'DONE')
    return assert.is(result.disclosed ?? result.nextSession ?? result.proofStatus, undefined)
  assert.is(result.proofStatus, 'VALID')
  const { request: asked, implicitDisclose, nextSession } = restoreRequest(request).value
  const shown = result.disclosed?.map(item => item.map(({ id, rawvalue }) => `${id}=${rawvalue}`).join())
  const implied = implicitDisclose.map(([item]) => item?.map(({ type, value }) => `${type}=${value}`).join())
  assert.equal(shown?.slice(asked.disclose.length), implied, 'the previous attributes are disclosed again')
  const next = stored.find(session => session.requestorToken === result.nextSession)
  assert.is(
    next !== undefined,
    nextSession !== null,
    'a session that is not the last one of its chain names the next',
  )
}

/** One key for each session that asked, and the same message at each post. */
function assertAskedAlike(asked: readonly RequestorCall[], stored: readonly StoredSession[]): void {
  const byKey = new Map<string, string>()
  for (const { key, body } of asked) {
    assert.is(byKey.get(key) ?? body, body, 'the same key, the same message')
    byKey.set(key, body)
  }
  const posted: readonly Result[] = [...byKey.values()].map(body => JSON.parse(body))
  const tokens = posted.map(({ token }) => token)
  for (const { status, proofStatus, token } of posted) {
    const profile = stored.find(({ requestorToken }) => requestorToken === token)?.profile
    assert.equal([status, proofStatus], [profile && PROFILES[profile].chainedStatus, 'VALID'])
  }
  assert.is(new Set(tokens).size, tokens.length, 'one key for each session')
  for (const token of tokens)
    assert.ok(
      stored.some(({ requestorToken }) => requestorToken === token),
      'each post belongs to a stored session',
    )
  for (const { requestorToken, result } of stored)
    if (restoreOutcome(result ?? '{}').value.nextSession) assert.ok(tokens.includes(requestorToken))
}

/** True if the app got the end of each session that it submitted to. */
export function heardAll(sessions: readonly PlayedSession[]): boolean {
  return sessions.every(({ answers }) => answers.some(({ status }) => status === 200))
}
