/** Helpers for suites about sessions: the answers of a server without faults, and one session against any server. @module */

import * as assert from 'uvu/assert'
import { answerSession, type SessionHandlers, type SessionOutcome } from '../../libraries/wallet/session.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import type { Clock } from '../../ports/clock.ts'
import { PROFILES, type Profile } from '../../protocol/profiles.ts'
import { deps, newWallet } from './demo-wallets.ts'
import { type Answer, type FakeServer, hastyClock, json, startFakeServer, text } from './fake-server.ts'

export const wallet = await newWallet()
export const agree: SessionHandlers = { consent: async () => ({ answer: 'disclose', choices: [0] }) }
export const { irma, svc } = PROFILES

/** A session request in the form in which a server delivers it. */
export function requestOf(profile: Profile, changes: object = {}, type = 'disclosure'): object {
  return {
    '@context': `${profile.contextBase}/ld/request/${type}/v2`,
    context: 'AQ==',
    nonce: 'zmyQ2JDukHA+eA0zi69NPg==',
    protocolVersion: '2.8',
    devMode: true,
    disclose: [[['svc-demo.fast.note.text']]],
    ...changes,
  }
}

/** Consents to everything, with the first candidate of each item. */
export const agreeToAll: SessionHandlers = {
  consent: async ({ candidates: { items } }) => ({ answer: 'disclose', choices: items.map(() => 0) }),
}
export const refuse: SessionHandlers = { consent: async () => ({ answer: 'refuse' }) }

/** The answer to the first GET. */
export function connection(profile: Profile, changes: object = {}): object {
  return {
    '@context': `${profile.contextBase}/ld/request/client/v1`,
    protocolVersion: '2.8',
    options: { '@context': `${profile.contextBase}/ld/options/v1`, pairingMethod: 'none' },
    request: requestOf(profile),
    ...changes,
  }
}

/** A server without faults. */
export const WELL: Readonly<Record<string, Answer | readonly Answer[]>> = {
  'GET /': json(connection(irma)),
  'POST /proofs': json({ proofStatus: 'VALID' }),
  'DELETE /': text(''),
}
/** The same server with pairing, and without an event stream. */
export const PAIRING = {
  ...WELL,
  'GET /': json(
    connection(irma, { options: { pairingMethod: 'pin', pairingCode: '0042' }, request: undefined }),
  ),
  'GET /request': json(requestOf(irma)),
  'GET /status': json('PAIRING'),
}

export type Played = {
  readonly outcome: SessionOutcome
  readonly calls: readonly string[]
  readonly server: FakeServer
}

export type PlayOptions = {
  readonly handlers?: SessionHandlers
  readonly clock?: Clock
  readonly profile?: Profile
  readonly type?: string
  readonly wallet?: Wallet
  readonly send?: typeof fetch
}

/** Plays one session against a server with these answers. The wallet chooses the first candidate, unless `handlers` choose otherwise. */
export async function play(
  answers: Readonly<Record<string, Answer | readonly Answer[]>>,
  options: PlayOptions = {},
): Promise<Played> {
  const { handlers = agree, clock = hastyClock(), profile = irma, type = 'disclosing' } = options
  const { wallet: answering = wallet, send = fetch } = options
  const server = await startFakeServer(profile.prefix, answers)
  const pointer = JSON.stringify({ u: server.u, [profile.pointerField]: type })
  try {
    const outcome = await answerSession({ ...deps, wallet: answering, fetch: send, clock }, pointer, handlers)
    return { outcome, calls: server.asked.map(({ call }) => call), server }
  } finally {
    await server.close()
  }
}

export function assertFailed(outcome: SessionOutcome, reason: string, message: RegExp): void {
  assert.is(outcome.status === 'failed' && outcome.reason, reason)
  assert.match(outcome.status === 'failed' ? outcome.message : '', message)
}
