/** Helpers for suites about chains: servers whose sessions follow each other, and a wallet that follows them. @module */
import { answerSession, type ConsentQuestion, type SessionHandlers } from '../../libraries/wallet/session.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import { deps, newWallet } from './demo-wallets.ts'
import { type Answer, type FakeServer, hastyClock, json, startFakeServer, text } from './fake-server.ts'
import { issuing, type Requested } from './issuer.ts'
import { agreeToAll, connection, irma, requestOf } from './play.ts'
import { NOW_SEC, WEEK_SEC } from './support.ts'

export const CHALLENGE = { context: 1n, nonce: 0xce6c90d890ee907_03e780d338baf4d3en }
export const IDCARD = 'svc-demo.gov.idcard'
export const FIRST = [[[`${IDCARD}.over18`, `${IDCARD}.initials`]], [[], ['svc-demo.gov.address.city']]]
export const NOTE: Requested = {
  credential: 'svc-demo.fast.note',
  attributes: { text: 'chained' },
  validity: NOW_SEC + 10 * WEEK_SEC,
}

export type Answers = Readonly<Record<string, Answer | readonly Answer[]>>
export type Next = { readonly u: string; readonly irmaqr: string }

/** Sessions of one chain, each on its own server. They start from the last to the first. */
export async function startChain(
  sessions: readonly ((next: { readonly nextSession?: Next }) => Answers)[],
  types: readonly string[],
): Promise<{ readonly pointer: string; readonly servers: readonly FakeServer[] }> {
  const servers: FakeServer[] = []
  let next: { readonly nextSession?: Next } = {}
  for (const [i, session] of [...sessions.entries()].reverse()) {
    const server = await startFakeServer(irma.prefix, session(next))
    servers.unshift(server)
    next = { nextSession: { u: server.u, irmaqr: types[i] ?? 'disclosing' } }
  }
  return { pointer: JSON.stringify(next.nextSession), servers }
}

export const disclosing =
  (disclose: unknown, more: object = {}) =>
  (next: object): Answers => ({
    'GET /': json(connection(irma, { request: requestOf(irma, { disclose, ...more }) })),
    'POST /proofs': json({ proofStatus: 'VALID', ...next }),
    'DELETE /': text(''),
  })

export const offering =
  (credentials: readonly Requested[]) =>
  (next: object): Answers => ({
    'GET /': json(
      connection(irma, { request: requestOf(irma, { disclose: undefined, credentials }, 'issuance') }),
    ),
    'POST /commitments': issuing(credentials, [], next),
    'DELETE /': text(''),
  })

export async function follow(
  wallet: Wallet,
  chain: Awaited<ReturnType<typeof startChain>>,
  handlers: SessionHandlers = agreeToAll,
) {
  const questions: ConsentQuestion[] = []
  const outcome = await answerSession({ ...deps, wallet, fetch, clock: hastyClock() }, chain.pointer, {
    ...handlers,
    consent: question => {
      questions.push(question)
      return handlers.consent(question)
    },
  })
  await Promise.all(chain.servers.map(server => server.close()))
  const calls = chain.servers.map(({ asked }) => asked.map(({ call }) => call))
  const bodies = chain.servers.map(
    ({ asked }) => asked.find(({ call }) => call.startsWith('POST'))?.body ?? '',
  )
  return { outcome, questions, calls, bodies }
}

export async function withWallet(test: (wallet: Wallet) => Promise<void>): Promise<void> {
  const wallet = await newWallet()
  await test(wallet).finally(() => wallet.close())
}
