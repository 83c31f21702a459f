/** A session server for logins, and OpenID providers that use it over HTTP. @module */

import { createPublicKey, createSecretKey } from 'node:crypto'
import type { RequestorSettings } from '../../../http/settings.ts'
import { createSystemClock } from '../../../ports/clock.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import { createNode } from '../../../server/create-node.ts'
import { sharedPool } from '../../actors/shared-pool.ts'
import { freePort } from '../../cli/run-svc.ts'
import { FAILURES, noNetwork, settingsOfTest } from '../node-of-test.ts'
import { type OidcOfTest, recordedKey, startProvider } from './node.ts'

const REQUESTOR_KEY = recordedKey('requestor-rs256')
const SHARED = Buffer.from('a shared secret of the provider, long')

/** The ways in which a provider may authenticate, as in its settings. */
export const AUTHS = {
  token: { auth_method: 'token', key: 'token-of-the-provider' },
  hmac: { auth_method: 'hmac', requestor: 'hmac', key: SHARED.toString('base64') },
  publickey: {
    auth_method: 'publickey',
    requestor: 'publickey',
    key: REQUESTOR_KEY.export({ type: 'pkcs8', format: 'pem' }),
  },
} as const

function requestor(name: string, auth: RequestorSettings['auth']): RequestorSettings {
  const none = { signPerms: [], issuePerms: [], revokePerms: [], hostPerms: [] }
  return { name, auth, disclosePerms: ['svc-demo.gov.*'], ...none }
}

export type RemoteOfTest = {
  readonly url: string
  readonly publicKey: string
  readonly close: () => Promise<void>
}

/** A session server that signs its results. */
export async function startSessionServer(): Promise<RemoteOfTest> {
  const privateKey = recordedKey('session-jwt')
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = settingsOfTest({
    url: `${url}/`,
    noAuth: false,
    threads: 1,
    permissions: { disclosePerms: [] },
    resultSigner: { issuer: 'demo server', privateKey, publicKeyPem: publicKey },
    requestors: [
      requestor('token', { method: 'token', token: AUTHS.token.key }),
      requestor('hmac', { method: 'hmac', key: createSecretKey(SHARED) }),
      requestor('publickey', { method: 'publickey', key: createPublicKey(REQUESTOR_KEY) }),
    ],
    store: 'memory',
  })
  const world = {
    clock: createSystemClock(),
    random: systemRandomness,
    fetch: noNetwork,
    log: FAILURES,
    instead: { pool: sharedPool() },
  }
  const node = await createNode(settings, world)
  await node.server.listen(port, '127.0.0.1')
  return { url, publicKey, close: node.close }
}

export type RemoteProvider = OidcOfTest & {
  /** log lines of the level error */
  readonly errors: readonly object[]
}

/** @param server the option `session_server`
 *  @param between sees each call to the session server */
export async function providerAt(
  server: object,
  between: (url: string, init?: RequestInit) => Promise<Response> = fetch,
): Promise<RemoteProvider> {
  const errors: object[] = []
  const log = { ...FAILURES, error: (line: object) => void errors.push(line) }
  const calling: typeof fetch = (url, init) => between(String(url), init)
  const provider = await startProvider({ session_server: server }, { fetch: calling, log })
  return { ...provider, errors }
}
