/** The random values of a recorded server, for each exchange. @module */
import { fromBase64 } from '../../crypto/bytes.ts'
import type { Witness } from '../../crypto/revocation/witness.ts'
import { type JsonText, stringAt } from './json-text.ts'
import { readJwt } from './jwt-text.ts'
import type { Bodies, RawExchange } from './raw-exchange.ts'

/** Values are invented if the server made none, or if they are not in the recording. */
export type RecordedRandomness = {
  /** client token, requestor token, frontend authorization; the next session of a chain has the first two */
  readonly tokens: readonly string[]
  /** Base64 */
  readonly nonce: string
  readonly pairingCode: string
  /** the witnesses of the issued credentials that can be revoked, in their order */
  readonly witnesses: readonly Pick<Witness, 'u' | 'e'>[]
}

/** The nonce of a session appears only when the app gets its request. */
export function randomnessOf(
  index: number,
  exchanges: readonly RawExchange[],
  bodies: readonly Bodies[],
): RecordedRandomness {
  const response = bodies[index]?.response
  const tokens =
    tokensOfPackage(response) ??
    tokensOfNext(response, exchanges, bodies) ??
    tokensOfStatic(index, exchanges, bodies) ??
    tokensOfLogin(exchanges[index], response)
  const [client] = tokens ?? []
  const n = String(exchanges[index]?.n).padStart(4, '0')
  const madeUp = [`unrecordedClient${n}`, `unrecordedResult${n}`, `unrecordedScreen${n}`]
  const ofSession = bodies.filter((_, i) => client && exchanges[i]?.request.path.includes(client))
  const nonces = ofSession.map(
    each => stringAt(each.response, 'request', 'nonce') ?? stringAt(each.response, 'nonce'),
  )
  return {
    tokens: tokens ?? madeUp,
    nonce: nonces.find(each => each !== null) ?? 'AQ==',
    pairingCode: stringAt(response, 'pairingCode') ?? '0000',
    witnesses: (response?.members.get('sigs')?.items ?? []).flatMap(witnessIn),
  }
}

function witnessIn(sig: JsonText): Pick<Witness, 'u' | 'e'>[] {
  const u = stringAt(sig, 'nonrev', 'u')
  const e = stringAt(sig, 'nonrev', 'e')
  return u && e ? [{ u: fromBase64(u), e: fromBase64(e) }] : []
}

function tokensOfPackage(response: JsonText | undefined): readonly string[] | null {
  const client = clientTokenIn(response, 'sessionPtr')
  const requestor = stringAt(response, 'token')
  const frontend = stringAt(response, 'frontendRequest', 'authorization')
  return client && requestor && frontend ? [client, requestor, frontend] : null
}

function tokensOfNext(
  response: JsonText | undefined,
  exchanges: readonly RawExchange[],
  bodies: readonly Bodies[],
): readonly string[] | null {
  const client = clientTokenIn(response, 'nextSession')
  return client
    ? [client, requestorTokenOf(client, exchanges, bodies) ?? `unrecorded${client.slice(0, 10)}`]
    : null
}

/** A static session: the app gets a pointer, and the requestor gets the result at the end of the session. */
function tokensOfStatic(
  index: number,
  exchanges: readonly RawExchange[],
  bodies: readonly Bodies[],
): readonly string[] | null {
  const client = stringAt(bodies[index]?.response, 'u')?.split('/').at(-1)
  const ended = exchanges.findIndex(({ request }) => client && request.path.endsWith(`${client}/proofs`))
  const results = exchanges.slice(ended).map(({ request }) => readJwt(request.raw ?? ''))
  const told = results.find(each => each !== null)
  return client && told ? [client, JSON.parse(told.payload).token, `unrecorded${client.slice(0, 10)}`] : null
}

/** The session that issues a login credential: only the app sees one of its tokens. */
function tokensOfLogin(
  exchange: RawExchange | undefined,
  response: JsonText | undefined,
): readonly string[] | null {
  const client = stringAt(response, 'u')?.split('/').at(-1)
  if (exchange?.to !== 'keyshare' || !client) return null
  return [client, `requestor${client.slice(0, 11)}`, `frontend${client.slice(0, 12)}`]
}

/** The requestor gets the token of the next session from the result of the previous one. */
function requestorTokenOf(
  client: string,
  exchanges: readonly RawExchange[],
  bodies: readonly Bodies[],
): string | null {
  for (const { response } of bodies) {
    const [found, requestor] = tokensOfPackage(response) ?? []
    if (found === client) return requestor ?? null
  }
  const told = bodies.findIndex(each => clientTokenIn(each.response, 'nextSession') === client)
  const [, before = ''] = /\/session\/(\w+)/.exec(exchanges[told]?.request.path ?? '') ?? []
  const token = before && requestorTokenOf(before, exchanges, bodies)
  const results = bodies.filter(each => stringAt(each.response, 'token') === token)
  return results.map(each => stringAt(each.response, 'nextSession')).find(each => each !== null) ?? null
}

function clientTokenIn(response: JsonText | undefined, member: string): string | null {
  return stringAt(response, member, 'u')?.split('/').at(-1) ?? null
}
