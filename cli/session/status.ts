/** Following the status of a session as a frontend does (spec 4.2, 6): the event stream where there is one, polling where there is not.
 *  Statuses come out in the order of the specification, each at most once, the final one last. @module */
import { Lines } from '../../protocol/text-scanning.ts'
import { call, jsonOf, Refused, Unreachable } from './http.ts'
import type { FrontendAddress } from './package.ts'

const ORDER = { INITIALIZED: 0, PAIRING: 1, CONNECTED: 2, DONE: 3, CANCELLED: 3, TIMEOUT: 3 } as const
const FINAL = 3
export type Status = keyof typeof ORDER

const POLL_INTERVAL_MS = 1_000
/** a server that restarts is back by then */
const FAILED_POLLS = 60
/** A status has less. */
const MAX_LINE_LENGTH = 10_000

const aSecond = (): Promise<void> => new Promise(resolve => setTimeout(resolve, POLL_INTERVAL_MS))

export function isFinal(status: Status): boolean {
  return ORDER[status] === FINAL
}

/** @param json a status, or an object with one
 *  @throws {Refused} */
function readStatus(json: unknown): Status {
  const word = typeof json === 'object' && json !== null && 'status' in json ? json.status : json
  const statuses = Object.keys(ORDER) as readonly Status[] // the keys of a literal, which Object.keys widens
  const status = statuses.find(known => known === word)
  if (!status) throw new Refused('session status: expected a status of the specification, got something else')
  return status
}

async function pollStatus({ url, headers }: FrontendAddress): Promise<Status> {
  return readStatus(jsonOf(await call('session status', `${url}/status`, { headers })))
}

/** Data of the events of a stream, as they come. */
async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const lines = new Lines()
  for await (const chunk of body) {
    for (const line of lines.endingIn(chunk))
      if (line.startsWith('data:')) yield line.slice('data:'.length).trim()
    if (lines.begunLength > MAX_LINE_LENGTH)
      throw new Error(`expected lines of at most ${MAX_LINE_LENGTH} characters`)
  }
}

/** The status now, then each change while the stream holds. Opened before the status is read, so that no change falls between.
 *  @returns whether trying again may help */
async function* streamStatus(address: FrontendAddress): AsyncGenerator<Status, boolean> {
  const closing = new AbortController()
  const headers = { ...address.headers, accept: 'text/event-stream' }
  try {
    const response = await fetch(`${address.url}/statusevents`, { headers, signal: closing.signal })
    if (response.status !== 200 || !response.body) return false
    yield await pollStatus(address)
    for await (const data of eventsOf(response.body)) yield readStatus(jsonOf(data))
    return true
  } catch (error) {
    if (error instanceof Refused) throw error
    return true // the connection broke: the caller polls, and tells there what is wrong
  } finally {
    closing.abort()
  }
}

/** The status now and each later one, up to and with the final one.
 *  @param pause between attempts
 *  @throws {Unreachable} when the server stays away @throws {Refused} when it does not know the session */
export async function* followStatus(address: FrontendAddress, pause = aSecond): AsyncGenerator<Status> {
  let last = -1
  for await (const status of allStatuses(address, pause)) {
    if (ORDER[status] <= last) continue
    last = ORDER[status]
    yield status
    if (isFinal(status)) return
  }
}

async function* allStatuses(address: FrontendAddress, pause: () => Promise<void>): AsyncGenerator<Status> {
  let hasStream = true
  for (let failures = 0; ; ) {
    try {
      if (hasStream) hasStream = yield* streamStatus(address)
      yield await pollStatus(address)
      failures = 0
    } catch (error) {
      failures += 1
      if (!(error instanceof Unreachable) || failures === FAILED_POLLS) throw error
    }
    await pause()
  }
}
