/** Plays a session, and those that follow it, with raw calls, so that a call can be repeated with the same bytes. The requestor plays first, then a
 *  wallet app that continues after each restart of the server. The wallet library checks everything that arrives: each proof of correctness,
 *  each signature. @module */

import * as assert from 'uvu/assert'
import { parseSessionPackage } from '../../../cli/session/package.ts'
import type { Candidate } from '../../../libraries/wallet/candidates.ts'
import { walletKeyshares } from '../../../libraries/wallet/keyshare/session-keyshares.ts'
import { readSessionPointer } from '../../../libraries/wallet/pointer.ts'
import { chosenCandidates } from '../../../libraries/wallet/proofs.ts'
import {
  type DeliveredRequest,
  readConnection,
  readSubmissionAnswer,
} from '../../../libraries/wallet/server-messages.ts'
import { prepareSubmission } from '../../../libraries/wallet/submission.ts'
import type { Wallet } from '../../../libraries/wallet/wallet.ts'
import { createSystemClock } from '../../../ports/clock.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import type { Profile } from '../../../protocol/profiles.ts'
import type { KillableServer } from '../killable-server.ts'
import { type Answer, type Call, insist } from './insist.ts'

/** The call that begins, at every attempt, or the answer that has just arrived. */
export type Moment = 'create' | 'connect' | 'submit' | 'told'

export type Stage = {
  readonly server: KillableServer
  readonly wallet: Wallet
  readonly profile: Profile
  /** The call waits for it.
   *  @param link index of the session in the chain, from 0
   *  @param address of the session; empty before it exists */
  readonly reach: (moment: Moment, link: number, address: string) => void | Promise<void>
}

export type PlayedSession = {
  readonly clientToken: string
  /** null if the app was refused before it could submit */
  readonly submission: Call | null
  /** every answer to the submission, repetitions too */
  readonly answers: Answer[]
}

/** The steps that the app completed. */
export type Played = {
  readonly sessions: readonly PlayedSession[]
  /** requestor token of the first one */
  readonly token: string
}

const clock = createSystemClock({ keepsAlive: true })

/** @param request extended session request
 *  @throws every error of the wallet */
export async function play(stage: Stage, request: object): Promise<Played> {
  const { server } = stage
  const body = JSON.stringify(request)
  const headers = { 'content-type': 'application/json' }
  const call = { method: 'POST', url: `${server.url}/session`, headers, body } as const
  const created = await insist(server, call, () => stage.reach('create', 0, ''))
  assert.is(created.status, 200, created.text)
  const { sessionPtr } = parseSessionPackage(JSON.parse(created.text))
  const sessions: PlayedSession[] = []
  let disclosed: readonly Candidate[] = []
  let pointer: unknown = sessionPtr
  while (pointer) {
    const played: Linked = await answerSession(stage, pointer, sessions.length, disclosed)
    sessions.push(played.session)
    pointer = played.next
    disclosed = played.disclosed
  }
  return { sessions, token: Object(JSON.parse(created.text)).token }
}

type Linked = {
  readonly session: PlayedSession
  /** pointer to the next session; null if there is none */
  readonly next: unknown
  readonly disclosed: readonly Candidate[]
}

async function answerSession(
  stage: Stage,
  pointer: unknown,
  link: number,
  earlier: readonly Candidate[],
): Promise<Linked> {
  const { server, profile } = stage
  const { u } = readSessionPointer(pointer)
  const headers = {
    authorization: Buffer.from(systemRandomness.bytes(15)).toString('base64url'),
    [profile.minVersionHeader]: '2.8',
    [profile.maxVersionHeader]: '2.8',
  }
  const clientToken = u.slice(u.lastIndexOf('/') + 1)
  const connected = await insist(server, { method: 'GET', url: u, headers }, () =>
    stage.reach('connect', link, u),
  )
  if (connected.status !== 200) {
    assertRefused(connected)
    return { session: { clientToken, submission: null, answers: [] }, next: null, disclosed: [] }
  }
  const { request } = readConnection(connected.text, profile)
  assert.ok(request, 'a request without pairing')
  const prepared = await prepare(stage, request, earlier)
  const submission = { method: 'POST', url: u + prepared.path, headers, body: prepared.body } as const
  const answer = await insist(server, submission, () => stage.reach('submit', link, u))
  await stage.reach('told', link, u)
  const session = { clientToken, submission, answers: [answer] }
  if (answer.status !== 200) assertRefused(answer)
  const next = answer.status === 200 ? await prepared.receive(answer.text) : null
  return { session, next, disclosed: prepared.chosen }
}

/** The submission of a wallet, and its handling of the answer. */
export async function prepare(
  { wallet }: Pick<Stage, 'wallet'>,
  delivered: DeliveredRequest,
  earlier: readonly Candidate[],
) {
  const offers = wallet.offers(delivered.offered)
  const candidates = wallet.candidates(delivered.request, earlier)
  const chosen = chosenCandidates(
    candidates,
    candidates.items.map(() => 0),
  )
  const calls = { wallet, fetch, clock }
  const keyshares = walletKeyshares(calls, undefined)
  const deps = { ...calls, randomBytes: systemRandomness.bytes, keyshares }
  const submission = await prepareSubmission(deps, delivered, { chosen, offers })
  return {
    ...submission,
    chosen,
    /** @returns the pointer to the next session */
    async receive(text: string) {
      const answer = readSubmissionAnswer(text, offers.length)
      assert.is(answer.proofStatus, 'VALID')
      await submission.receive(answer)
      return answer.nextSession
    },
  }
}

/** A session is refused like an unknown one (spec/decisions#d14) if its last answer can no longer be repeated, or if it was deleted. */
export function assertRefused({ status, text }: Answer): void {
  assert.equal([status, JSON.parse(text).error], [400, 'SESSION_UNKNOWN'])
}
