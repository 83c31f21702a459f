/** An OpenID provider of the demo schemes with two clients, built from its options. @module */

import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../ports/clock.ts'
import { createSystemClock } from '../../../ports/clock.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import { createOidcNode } from '../../../server/oidc/create-oidc-node.ts'
import { oidcServer } from '../../../server/settings/oidc-server.ts'
import { readOidcSettings } from '../../../server/settings/oidc-settings.ts'
import type { World } from '../../../server/world.ts'
import { sharedPool } from '../../actors/shared-pool.ts'
import { DEMO_SCHEMES, PROJECT } from '../../project.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { FAILURES } from '../node-of-test.ts'

export const ISSUER = 'http://sign-in.test'
export const SHOP = 'https://shop.test'
export const CLUB = 'https://club.test'

const ORIGIN_MAPPED = /^http:\/\/sign-in\.test(?=\/|$)/

export const CLIENTS = [
  {
    client_id: 'shop',
    client_name: 'The shop',
    client_secret: 'a secret of the shop, long enough for HMAC',
    redirect_uris: [`${SHOP}/back`],
    post_logout_redirect_uris: [`${SHOP}/bye`],
    backchannel_logout_uri: `${SHOP}/logged-out`,
    scopes: ['age', 'city'],
  },
  {
    client_id: 'club',
    client_secret: 'a secret of the club, long enough for HMAC',
    token_endpoint_auth_method: 'client_secret_post',
    redirect_uris: [`${CLUB}/back`],
    scopes: ['age'],
  },
]

/** @param name file of a private key in `test/vectors/keys`. Making a key of RSA takes a second on a busy machine. */
export function recordedKey(name: string): KeyObject {
  return createPrivateKey(readFileSync(join(PROJECT, 'test/vectors/keys', `${name}.private.pem`)))
}

/** The options that a provider needs, and demo claims. */
export function neededOptions() {
  return {
    schemes_path: DEMO_SCHEMES,
    storage_primary_key_file: join(PROJECT, 'test/vectors/keys/storage-key.aes'),
    store: 'memory',
    url: `${ISSUER}/`,
    workers: 1,
    logins_per_caller: 0,
    pushed_per_caller: 0,
    logins_per_minute: 0,
    claims: {
      over18: { attribute: 'svc-demo.gov.idcard.over18', convert: 'boolean' },
      city: 'svc-demo.gov.address.city',
    },
    scopes: { age: ['over18'], city: ['city'] },
    subject: {
      attribute: 'svc-demo.gov.registration.number',
      salt_file: SALT,
    },
    clients: CLIENTS,
  }
}

const SALT = join(temporaryFolder(), 'salt')
writeFileSync(SALT, 'salt of the tests, the same for every provider')

type Values = Readonly<Record<string, unknown>>

export async function readSettings(values: Values = {}) {
  const file = { name: 'f', values: { ...neededOptions(), ...values } }
  const { options } = oidcServer.resolve({ flags: {}, variables: {}, file })
  return readOidcSettings({ options }, () => {})
}

export type OidcOfTest = {
  /** reaches the provider under its issuer, and no other host */
  readonly reach: typeof fetch
  /** calls of the provider to other hosts: address and body */
  readonly calls: readonly string[]
  readonly close: () => Promise<void>
}

export async function startProvider(
  values: Values = {},
  world: Partial<World> & { readonly clock?: Clock } = {},
): Promise<OidcOfTest> {
  const { settings } = await readSettings({ stop_idle: '0s', ...values })
  const calls: string[] = []
  const node = await createOidcNode(settings, {
    clock: createSystemClock(),
    random: systemRandomness,
    fetch: async (url, init) => {
      calls.push(`${url} ${init?.body}`)
      return new Response(null, { status: 200 })
    },
    log: FAILURES,
    ...world,
    instead: { ...(!world.metrics && { pool: sharedPool() }), ...world.instead },
  })
  const { port } = await node.server.listen(0, '127.0.0.1')
  const reach: typeof fetch = (url, init) =>
    fetch(String(url).replace(ORIGIN_MAPPED, `http://127.0.0.1:${port}`), init)
  return { reach, calls, close: node.close }
}
