/** The beginning of a recording, to the fraction of a second that its signed times allow. @module */
import { readAccumulator } from '../../crypto/revocation/accumulator.ts'
import { stringAt } from './json-text.ts'
import { readJwt } from './jwt-text.ts'
import type { Bodies, RawExchange } from './raw-exchange.ts'
import { updatesIn } from './recorded-revocation.ts'

/** @param recordedAtSec whole seconds
 *  @returns Unix ms, the earliest value for which every time that a server wrote lies within its exchange */
export function startOf(
  recordedAtSec: number,
  exchanges: readonly RawExchange[],
  bodies: readonly Bodies[],
): number {
  const starts = exchanges.flatMap((exchange, i) => {
    const writtenSec = timeIn(exchange, bodies[i])
    return writtenSec === null ? [] : writtenSec * 1_000 - causeOf(i, exchanges).atMs
  })
  const revocations = exchanges.flatMap((_, i) => startOfRevocation(i, exchanges, bodies))
  const logins = exchanges.flatMap((_, i) => startOfLogin(i, exchanges, bodies))
  return Math.max(recordedAtSec * 1_000, ...starts, ...revocations, ...logins)
}

/** An accumulator that is sent to an app was signed when a credential was revoked, if there was a revocation. */
function startOfRevocation(
  index: number,
  exchanges: readonly RawExchange[],
  bodies: readonly Bodies[],
): number[] {
  const revoked = exchanges.findLast(
    ({ request, response }, i) => i < index && request.path === '/revocation' && response?.status === 200,
  )
  if (!revoked) return []
  return updatesIn(bodies[index]?.response).flatMap(({ update }) => {
    const data = stringAt(update, 'sacc', 'data')
    if (data === null) return []
    const { atSec } = readAccumulator({ data: Buffer.from(data, 'base64'), keyCounter: 0 })
    return atSec * 1_000 - revoked.atMs
  })
}

/** A login credential is valid for a year from the beginning of its session. */
function startOfLogin(index: number, exchanges: readonly RawExchange[], bodies: readonly Bodies[]): number[] {
  const session =
    exchanges[index]?.to === 'keyshare' && stringAt(bodies[index]?.response, 'u')?.split('/').at(-1)
  const asked = exchanges.findIndex(({ request }) => session && request.path.includes(session))
  const [credential] =
    bodies[asked]?.response?.members.get('request')?.members.get('credentials')?.items ?? []
  const validity = credential?.members.get('validity')?.text
  if (validity === undefined) return []
  const issued = new Date(Number(validity) * 1_000)
  return [issued.setUTCFullYear(issued.getUTCFullYear() - 1) - (exchanges[index]?.atMs ?? 0)]
}

/** The time in a JWT of the server, or in a timestamp. */
function timeIn({ party, to, request, response }: RawExchange, bodies: Bodies | undefined): number | null {
  const text = party === 'server' ? request.raw : (response?.raw ?? stringAt(bodies?.response, 'message'))
  const jwt = readJwt(text ?? '')
  if (jwt) return JSON.parse(jwt.payload).iat ?? null
  const stamp = to === 'timestamp' ? bodies?.response?.members.get('Stamp') : undefined
  return stamp ? Number(stamp.members.get('Time')?.text) : null
}

/** A server calls others while it answers a call. */
function causeOf(index: number, exchanges: readonly RawExchange[]): RawExchange {
  const exchange = exchanges[index]
  if (!exchange) throw new RangeError(`exchanges: expected number ${index}, got ${exchanges.length}`)
  if (exchange.party !== 'server') return exchange
  return exchanges.findLast((each, i) => i < index && each.to === 'session') ?? exchange
}
