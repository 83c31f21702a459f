/** Follows the status of a session as a frontend does (spec/interface#4.2, #6): by its event stream, or by polling if there is none. Each status is returned at most
 *  once, in the order of the specification; the final one is last. @module */

import { createSystemClock, pause } from '../../ports/clock.ts'
import { systemFetch } from '../../ports/environment-fetch.ts'
import { openEventStream, type StreamLimits } from '../../ports/event-source.ts'
import { call, jsonOf, RefusedError, UnreachableError } from './http.ts'
import type { FrontendAddress } from './package.ts'

const ORDER = { INITIALIZED: 0, PAIRING: 1, CONNECTED: 2, DONE: 3, CANCELLED: 3, TIMEOUT: 3 } as const
const FINAL = 3
export type Status = keyof typeof ORDER

const POLL_INTERVAL_MS = 1_000
/** Maximum number of consecutive failed polls. A server that restarts is back by then. */
const FAILED_POLLS = 60
/** Limits of the status stream. It may be silent for any time, because a user answers the session. A status is shorter than the limit. */
const STREAM_LIMITS: StreamLimits = { headMs: 20_000, silenceMs: null, maxCharacters: 10_000 }

const clock = createSystemClock({ keepsAlive: true })
const aSecond = (): Promise<void> => pause(clock, POLL_INTERVAL_MS)

function isFinal(status: Status): boolean {
  return ORDER[status] === FINAL
}

/** @param json a status, or an object with a member `status`
 *  @throws {RefusedError} */
function readStatus(json: unknown): Status {
  const word = typeof json === 'object' && json !== null && 'status' in json ? json.status : json
  const statuses = Object.keys(ORDER) as readonly Status[] // the keys of a literal, whose type Object.keys widens
  const status = statuses.find(known => known === word)
  if (!status)
    throw new RefusedError('session status: expected a status of the specification, got something else')
  return status
}

async function pollStatus({ url, headers }: FrontendAddress): Promise<Status> {
  return readStatus(jsonOf(await call('session status', `${url}/status`, { headers })))
}

/** The current status, then each change while the stream is open. The stream is opened before the status is read, so that no change is missed.
 *  @returns true if another attempt may succeed */
async function* streamStatus(address: FrontendAddress): AsyncGenerator<Status, boolean> {
  const { url, headers } = address
  try {
    using stream = await openEventStream(
      { fetch: systemFetch, clock },
      `${url}/statusevents`,
      STREAM_LIMITS,
      { headers },
    )
    if (stream.status !== 200) return false
    yield await pollStatus(address)
    for await (const data of stream.events) yield readStatus(jsonOf(data))
    return true
  } catch (error) {
    if (error instanceof RefusedError) throw error
    return true // the connection broke: the caller polls, and reports a lasting error
  }
}

/** The current status and each later one, including the final one.
 *  @param wait pause between attempts
 *  @throws {UnreachableError} if the server stays unreachable @throws {RefusedError} if it does not know the session */
export async function* followStatus(address: FrontendAddress, wait = aSecond): AsyncGenerator<Status> {
  let last = -1
  for await (const status of allStatuses(address, wait)) {
    if (ORDER[status] <= last) continue
    last = ORDER[status]
    yield status
    if (isFinal(status)) return
  }
}

async function* allStatuses(address: FrontendAddress, wait: () => Promise<void>): AsyncGenerator<Status> {
  let hasStream = true
  for (let failures = 0; ; ) {
    try {
      if (hasStream) hasStream = yield* streamStatus(address)
      yield await pollStatus(address)
      failures = 0
    } catch (error) {
      failures += 1
      if (!(error instanceof UnreachableError) || failures === FAILED_POLLS) throw error
    }
    await wait()
  }
}
