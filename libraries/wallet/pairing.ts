/** Waits until the frontend confirms the pairing code (spec/interface#5.3, #6; spec/session-server#12). The first change decides: the session continues at `CONNECTED`;
 *  any other status is a refusal. @module */
import { type Clock, pause } from '../../ports/clock.ts'
import { readJson } from '../../protocol/json.ts'
import type { ServerCalls } from './calls.ts'
import { SessionError } from './failure.ts'

const POLL_PAUSE_MS = 1000
/** Enough for a server that restarts. */
const MAX_FAILED_POLLS = 60

/** @throws {SessionError} `pairing-rejected`, or an error of the calls */
export async function waitForPairing(calls: ServerCalls, clock: Clock): Promise<void> {
  const status = (await nextStatus(calls)) ?? (await polledStatus(calls, clock))
  if (status !== 'CONNECTED') throw new SessionError('pairing-rejected', 'the code was not confirmed')
}

/** Waits for the stream's next status. The stream sends only changes, so the status is first requested once.
 *  @returns null if there is no stream, or it ended without a change */
async function nextStatus(calls: ServerCalls): Promise<string | null> {
  using stream = await calls.statusEvents()
  if (!stream) return null
  const status = readStatus(await calls.status())
  if (status !== 'PAIRING') return status
  const news = await firstOf(stream.events)
  return news === null ? null : readStatus(news)
}

/** The first event, or null if the stream breaks. The caller then polls. */
async function firstOf(events: AsyncIterable<string>): Promise<string | null> {
  try {
    for await (const data of events) return data
  } catch {
    // the connection broke, or an event is not a status
  }
  return null
}

async function polledStatus(calls: ServerCalls, clock: Clock): Promise<string> {
  for (let failures = 0; ; ) {
    try {
      const status = readStatus(await calls.status())
      if (status !== 'PAIRING') return status
      failures = 0
    } catch (error) {
      const isAway = error instanceof SessionError && error.reason === 'transport'
      if (!isAway || ++failures === MAX_FAILED_POLLS) throw error
    }
    await pause(clock, POLL_PAUSE_MS)
  }
}

function readStatus(json: string): string {
  try {
    const status = readJson(json)
    if (typeof status === 'string') return status
  } catch {
    // reported below
  }
  throw new SessionError('malformed-answer', 'expected a status as a JSON string')
}
