/** The server in the state of a recording: its options, its time, and its random values for each exchange. @module */
import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import type { ProofPool } from '../../actors/workers/proof-pool.ts'
import { fromBase64 } from '../../crypto/bytes.ts'
import type { Randomness } from '../../ports/randomness.ts'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import type { ProfileName } from '../../protocol/profiles.ts'
import type { Schemes } from '../../schemes/types.ts'
import { createNode } from '../../server/create-node.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { elapse, settle } from '../actors/node.ts'
import { type Client, clientOf } from '../http/client.ts'
import { until } from '../patience.ts'
import type { Difference } from './differences.ts'
import { type ReplayKeyshare, startReplayKeyshare } from './keyshare-node.ts'
import type { RecordedRandomness } from './recorded-randomness.ts'
import { storeAccumulators } from './recorded-revocation.ts'
import { settingsOf } from './recorded-server.ts'
import { createRecordedOthers } from './server-calls.ts'
import type { Exchange, Transcript } from './transcript.ts'

export type ReplayServer = {
  readonly clients: Readonly<Record<Exchange['to'], Client>>
  /** Moves time to that of an exchange, and sets its random values and the answers of other parties. */
  prepare(exchange: Exchange): Promise<void>
  /** @returns the differences between the calls of the server to others and the recorded ones */
  callMismatches(): string[]
  /** @returns the differences between the callbacks and the recorded ones */
  callbackMismatches(): Promise<string[]>
  nowSec(): number
  close(): Promise<void>
}

export async function startReplayServer(
  transcript: Transcript,
  profile: ProfileName,
  { schemes, pool }: { readonly schemes: Schemes; readonly pool: ProofPool },
  differences: readonly Difference[] = [],
): Promise<ReplayServer> {
  const clock = createSimulatedClock(transcript.recordedAtMs)
  const random = recordedRandomness()
  const settings = settingsOf(transcript.server, profile, schemes)
  const others = createRecordedOthers(profile, differences)
  const failures: unknown[] = []
  const log = { info() {}, warn() {}, error: (...failure: unknown[]) => void failures.push(failure) }
  const store = createMemoryStore()
  const { server, close } = await createNode(settings, {
    clock,
    random,
    log,
    fetch: unasked,
    instead: {
      store,
      pool: { ...pool, issueWitness: random.witness, isOverloaded: () => false },
      outgoing: { ...others, getBytes: unasked, postBytes: unasked },
    },
  })
  await storeAccumulators(transcript.accumulators, store)
  const { port } = await server.listen(0, '127.0.0.1')
  const client = clientOf(port)
  const keyshare = await startKeyshare(transcript, random, { clock, log, fetch: unasked, pool })
  return {
    clients: { session: client, keyshare: keyshare?.client ?? client },
    async prepare(exchange) {
      random.expect(exchange.random)
      keyshare?.expect(exchange.keyshare)
      others.expect(exchange.calls)
      await elapseTo(clock, transcript.recordedAtMs + exchange.atMs)
    },
    callMismatches: others.mismatches,
    callbackMismatches: () => nothingInTime(() => others.callbackMismatches(transcript.callbacks)),
    nowSec: () => Math.floor(clock.now() / 1_000),
    async close() {
      await keyshare?.close()
      await close()
      if (failures.length > 0) throw new Error(`the server reported ${inspect(failures)}`)
    },
  }
}

/** @returns null if no exchange is with a keyshare server */
async function startKeyshare(
  { server, exchanges, accounts }: Transcript,
  random: Randomness,
  world: Parameters<typeof startReplayKeyshare>[3],
): Promise<ReplayKeyshare | null> {
  const isAsked = exchanges.some(({ to }) => to === 'keyshare')
  return isAsked && server.keyshare ? startReplayKeyshare(server.keyshare, accounts, random, world) : null
}

/** Waits for an empty list, because results are signed in a separate thread. @returns the lines that remain after the longest wait */
async function nothingInTime(look: () => string[]): Promise<string[]> {
  await until(() => look().length === 0, 'the recorded callbacks', settle).catch(() => {})
  return look()
}

async function elapseTo(clock: SimulatedClock, at: number): Promise<void> {
  if (at > clock.now()) await elapse(clock, at - clock.now())
}

/** Every recorded server was itself the authority. */
async function unasked(): Promise<never> {
  throw new Error('expected no call to a revocation server, got one')
}

type RecordedSource = Randomness & {
  expect(values: RecordedRandomness): void
  readonly witness: ProofPool['issueWitness']
}

/** Returns the random values of the exchange that is being replayed. It is an error if the server draws more tokens than were recorded. */
function recordedRandomness(): RecordedSource {
  let values: RecordedRandomness = { tokens: [], nonce: '', pairingCode: '', witnesses: [] }
  let tokens: string[] = []
  let witnesses: RecordedRandomness['witnesses'][number][] = []
  return {
    expect(next) {
      values = next
      tokens = [...next.tokens]
      witnesses = [...next.witnesses]
    },
    token() {
      const token = tokens.shift()
      if (token === undefined) throw new Error('expected no further token, because none was recorded')
      return token
    },
    async witness({ signed }) {
      const witness = witnesses.shift()
      if (witness === undefined) throw new Error('expected no further witness, because none was recorded')
      return { ...witness, signed }
    },
    pairingCode: () => values.pairingCode,
    nonce: () => fromBase64(values.nonce),
    bytes: count => randomBytes(count),
  }
}
