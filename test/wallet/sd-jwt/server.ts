/** A session server that issues SD-JWTs with the test keys, on a clock of the test, and wallets that answer it over HTTP. @module */

import { randomBytes, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  answerSession,
  type ConsentQuestion,
  type SessionOutcome,
} from '../../../libraries/wallet/session.ts'
import { createWallet, type Wallet, type WalletDeps } from '../../../libraries/wallet/wallet.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { contextOf } from '../../../protocol/contexts.ts'
import { PROFILES, type ProfileName } from '../../../protocol/profiles.ts'
import { createNode } from '../../../server/create-node.ts'
import { sdJwtIssuersOf } from '../../../server/settings/sd-jwt.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { sharedPool } from '../../actors/shared-pool.ts'
import { clientOf } from '../../http/client.ts'
import { PROJECT } from '../../project.ts'
import { FAILURES, noNetwork, settingsOfTest } from '../../server/node-of-test.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { arithmetic } from '../demo-wallets.ts'
import { schemes } from '../support.ts'

const PKI = join(PROJECT, 'test/vectors/sd-jwt/pki')
/** After the test certificates were made. */
export const NOW_MS = Date.UTC(2026, 10, 28)
const VALIDITY_SEC = 2_208_988_800

export const ROOT = certificate('root')
export const CA = certificate('issuer-ca')

function certificate(name: string): X509Certificate {
  return new X509Certificate(readFileSync(join(PKI, 'ca', `${name}.pem`)))
}

export type Requested = {
  readonly credential: string
  readonly attributes: Readonly<Record<string, string>>
  readonly sdJwtBatchSize?: number
}

export const ID_CARD = {
  credential: 'svc-demo.gov.idcard',
  attributes: {
    initials: 'A.B.',
    familyname: 'de Vries & <Zonen> é',
    over18: 'yes',
    nationality: 'NL',
    docnumber: 'X1',
  },
}

/** @param pki folder of certificates and keys; null: the server issues no SD-JWTs */
export async function startIssuer(profile: ProfileName, pki: string | null = PKI) {
  const clock = createSimulatedClock(NOW_MS)
  const folders = pki === null ? null : { certificates: join(pki, 'certs'), privateKeys: join(pki, 'keys') }
  const { issuers: sdJwtIssuers } = sdJwtIssuersOf(folders, schemes)
  const settings = settingsOfTest({ profile, threads: 1, sdJwtIssuers }, schemes)
  Object.assign(settings, { url: 'http://127.0.0.1:0/' })
  const node = await createNode(settings, {
    clock,
    random: systemRandomness,
    fetch: noNetwork,
    log: FAILURES,
    instead: { store: createMemoryStore(), pool: sharedPool() },
  })
  const { port } = await node.server.listen(0, '127.0.0.1')
  const url = `http://127.0.0.1:${port}/`
  Object.assign(settings, { url })
  const client = clientOf(port)
  const create = (credentials: readonly Requested[]) => {
    const validity = VALIDITY_SEC
    const body = {
      '@context': contextOf(PROFILES[profile].contextBase, 'issuing'),
      credentials: credentials.map(each => ({ ...each, validity })),
    }
    return client.call('POST', '/session', {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  }
  return {
    create,
    async issue(
      wallet: Wallet,
      credentials: readonly Requested[],
      send: typeof fetch = fetch,
    ): Promise<Issued> {
      const created = await create(credentials)
      if (created.status !== 200) throw new Error(`expected a session, got ${created.text}`)
      const pointer = JSON.stringify(JSON.parse(created.text).sessionPtr)
      const questions: ConsentQuestion[] = []
      const outcome = await answerSession({ wallet, fetch: send, clock, randomBytes }, pointer, {
        consent: async question => {
          questions.push(question)
          return { answer: 'disclose', choices: [] }
        },
      })
      return { outcome, question: questions[0] ?? null }
    },
    close: node.close,
  }
}

export type Issued = { readonly outcome: SessionOutcome; readonly question: ConsentQuestion | null }

export function emptyWallet(
  options: Pick<WalletDeps, 'sdJwtRoots'> & { readonly developerMode?: boolean } = {},
): Promise<Wallet> {
  const { developerMode = true, ...roots } = options
  const deps = { schemes, arithmetic, clock: { wallNow: () => NOW_MS }, randomBytes, ...roots }
  return createWallet(join(temporaryFolder(), 'wallet'), { developerMode }, deps)
}

/** Changes the answer to the commitments on its way to the wallet, and notes the SD-JWTs in it. */
export function changing(change: (sdJwts: readonly string[]) => readonly string[] | undefined) {
  const noted: string[] = []
  const send: typeof fetch = async (address, init) => {
    const response = await fetch(address, init)
    if (!String(address).endsWith('/commitments')) return response
    const body = JSON.parse(await response.text())
    noted.push(...(body.sdjwts ?? []))
    return new Response(JSON.stringify({ ...body, sdjwts: change(body.sdjwts ?? []) }), response)
  }
  return { send, noted }
}
