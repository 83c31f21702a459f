/** A code, a pushed request and the signed assertion of a client are used a second time, at another node at the same moment or later. @module */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Wallet } from '../../../libraries/wallet/wallet.ts'
import type { World } from '../../../server/world.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import type { Store } from '../../../stores/store.ts'
import { inTime } from '../../patience.ts'
import { FAILURES } from '../../server/node-of-test.ts'
import { begun, loggedIn, siteOf } from '../../server/oidc/login.ts'
import { CLIENTS, ISSUER, type OidcOfTest, SHOP } from '../../server/oidc/node.ts'
import type { Attack } from '../attack.ts'
import { atProvider, pushed, redeemed } from '../sign-in.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const BANK = {
  client_id: 'bank',
  redirect_uris: [`${SHOP}/back`],
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'bank' }] },
}
const VALUES = { clients: [...CLIENTS, BANK] }

type Nodes = readonly [OidcOfTest, OidcOfTest]

export const attack: Attack = {
  name: 'code-replayed',
  gains: 'tokens for a login, or access of a client, by a message that was used before',
  cites: 'spec/decisions#authorization-codes',
  on: 'own servers',
  async run() {
    const store = createMemoryStore()
    const meeting = meetingReads(store)
    const failures: string[] = []
    const log: World['log'] = {
      ...FAILURES,
      error: () => void failures.push('a second use makes the provider fail'),
    }
    return atProvider(
      (one, wallet) => {
        let gained: readonly string[] = []
        const second = atProvider(
          async two => {
            const nodes: Nodes = [one, two]
            gained = [
              ...(await replayCode(nodes, wallet, meeting)),
              ...(await replayPushed(nodes, wallet)),
              ...(await replayAssertion(nodes, meeting)),
            ]
            return []
          },
          VALUES,
          { log, instead: { store, bootId: 'node two' } },
        )
        return second.then(() => [...gained, ...failures])
      },
      VALUES,
      { log, instead: { store, bootId: 'node one' } },
    )
  },
}

/** Makes the next two reads of a kind of records wait for each other, so that both nodes see the record before either one changes it.
 *  @returns a function that names the kind */
function meetingReads({ oidc }: Store): (kind: string) => void {
  const find = oidc.find.bind(oidc)
  let awaited = ''
  let release: (() => void) | null = null
  oidc.find = async (kind, id) => {
    const found = await find(kind, id)
    if (kind !== awaited) return found
    if (release !== null) {
      awaited = ''
      release()
      release = null
    } else {
      const other = new Promise<void>(resolve => {
        release = resolve
      })
      await inTime(other, `the other read of ${kind}`)
    }
    return found
  }
  return kind => {
    awaited = kind
  }
}

async function replayCode(nodes: Nodes, wallet: Wallet, meeting: (kind: string) => void): Promise<string[]> {
  const [node] = nodes
  const asked = await begun(await siteOf(node, 'shop'))
  const code = (await loggedIn(node, asked, { wallet })).searchParams.get('code') ?? ''
  const form = { code, code_verifier: asked.verifier }
  meeting('AuthorizationCode')
  const tokens = await Promise.all(nodes.map(each => redeemed(each, 'shop', form)))
  const given = tokens.filter(token => token !== null)
  const later = await Promise.all(nodes.map(each => redeemed(each, 'shop', form)))
  if (given.length > 1 || later.some(token => token !== null)) return ['a code was redeemed twice']
  const [token = ''] = given
  const claims = await node.reach(`${ISSUER}/userinfo`, { headers: { Authorization: `Bearer ${token}` } })
  return claims.ok ? ['the tokens of a code stay valid after its second use'] : []
}

async function replayPushed(nodes: Nodes, wallet: Wallet): Promise<string[]> {
  const [node] = nodes
  const asked = await begun(await siteOf(node, 'shop'))
  const uri = await pushed(node, asked.url.searchParams)
  if (uri === null) throw new Error('expected an address of the pushed request')
  const url = new URL(`${ISSUER}/authorize`)
  url.search = String(new URLSearchParams({ client_id: 'shop', request_uri: uri }))
  const codes: string[] = []
  for (const each of nodes) {
    const back = await loggedIn(each, { ...asked, url }, { wallet }).catch(() => null)
    codes.push(...(back?.searchParams.getAll('code') ?? []))
  }
  if (codes.length === 0) throw new Error('expected a code for the first use of the pushed request')
  return codes.length > 1 ? ['a pushed request logged in twice'] : []
}

async function replayAssertion(nodes: Nodes, meeting: (kind: string) => void): Promise<string[]> {
  const assertion = await new SignJWT({ iss: 'bank', sub: 'bank', aud: ISSUER, jti: randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid: 'bank' })
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(privateKey)
  const body = new URLSearchParams({
    token: 'none',
    client_assertion: assertion,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  })
  const call = async ({ reach }: OidcOfTest) =>
    (await reach(`${ISSUER}/introspect`, { method: 'POST', body })).ok
  meeting('ReplayDetection')
  const atOnce = await Promise.all(nodes.map(call))
  const later = await Promise.all(nodes.map(call))
  const accepted = [...atOnce, ...later].filter(isAccepted => isAccepted).length
  if (accepted === 0) throw new Error('expected that the first use of the assertion is accepted')
  return accepted > 1 ? ['the assertion of a client was accepted twice'] : []
}
