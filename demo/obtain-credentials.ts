/** Fills a wallet of the demo like any other wallet: a temporary session server of the issuers, and a session that the wallet answers. The server listens on a
 *  loopback address, and answers only to its own name. @module */

import { answerSession } from '../libraries/wallet/session.ts'
import type { Wallet } from '../libraries/wallet/wallet.ts'
import { contextOf } from '../protocol/contexts.ts'
import { writeJson } from '../protocol/json.ts'
import { PROFILES } from '../protocol/profiles.ts'
import { readObject, readText } from '../protocol/shape.ts'
import type { Schemes } from '../schemes/types.ts'
import { opened } from '../server/closable.ts'
import { callServer } from './call-server.ts'
import type { DemoServerOptions } from './demo-server-options.ts'
import { onlyByName } from './guard.ts'
import { openListener } from './listen.ts'
import { startSessions } from './memory-sessions.ts'

const VALIDITY_SEC = 5 * 365 * 24 * 3600

export type DemoCredential = {
  readonly type: string
  /** by attribute name; optional attributes that are left out are absent */
  readonly attributes: Readonly<Record<string, string>>
}

export type ObtainDeps = DemoServerOptions & {
  /** with the private keys of the issuers */
  readonly schemes: Schemes
}

/** Issues all credentials in one session. They are valid for five years.
 *  @param wallet in developer mode, because the server uses plain HTTP
 *  @throws {Error} if a credential cannot be issued, or the wallet refuses it; none is then added */
export async function obtainCredentials(
  wallet: Wallet,
  credentials: readonly DemoCredential[],
  deps: ObtainDeps,
): Promise<void> {
  if (credentials.length === 0) return
  const { whole: address, close } = await opened(async onClose => {
    const { listener, address } = await openListener(deps, 0, '127.0.0.1', onClose)
    const node = await startSessions(deps, deps.schemes, address)
    onClose(node.close)
    listener.on('request', onlyByName(address, node.server.app.callback()))
    return address
  })
  try {
    await receive(wallet, await createSession(address, request(credentials, deps), deps), deps)
  } finally {
    await close()
  }
}

function request(credentials: readonly DemoCredential[], { clock }: ObtainDeps): object {
  const validity = Math.floor(clock.wallNow() / 1000) + VALIDITY_SEC
  return {
    '@context': contextOf(PROFILES.svc.contextBase, 'issuing'),
    credentials: credentials.map(({ type, attributes }) => ({ credential: type, validity, attributes })),
  }
}

/** @returns the session pointer */
async function createSession(address: string, issuance: object, { clock }: ObtainDeps): Promise<string> {
  const { status, text } = await callServer(clock, `${address}/session`, issuance)
  const answer = readObject(readText(text), 'session package')
  if (status === 200) return writeJson(readObject(answer.sessionPtr, 'sessionPtr'))
  throw new Error(`demo credentials: expected a session, got ${answer.error}: ${answer.message}`)
}

async function receive(wallet: Wallet, pointer: string, { clock, random }: ObtainDeps): Promise<void> {
  const outcome = await answerSession({ wallet, fetch, clock, randomBytes: random.bytes }, pointer, {
    consent: async () => ({ answer: 'disclose', choices: [] }),
  })
  if (outcome.status === 'failed') throw new Error(`demo credentials: ${outcome.reason}: ${outcome.message}`)
}
