/** The server as it was when a transcript was recorded: its options, its time, and its random values, exchange by exchange. @module */
import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { createSessions } from '../../actors/create-sessions.ts'
import { createDeliveries } from '../../actors/deliveries/deliveries.ts'
import { postCallback } from '../../actors/deliveries/post-callback.ts'
import { createEffects } from '../../actors/effects/create-effects.ts'
import { createRevocation } from '../../actors/revocation/create-revocation.ts'
import type { ProofPool } from '../../actors/workers/proof-pool.ts'
import { fromBase64 } from '../../crypto/bytes.ts'
import { createSessionServer } from '../../http/server.ts'
import type { Randomness } from '../../ports/randomness.ts'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import type { ProfileName } from '../../protocol/profiles.ts'
import type { Schemes } from '../../schemes/types.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { elapse, settle } from '../actors/node.ts'
import { type Client, clientOf } from '../http/client.ts'
import type { Difference } from './differences.ts'
import type { RecordedRandomness } from './recorded-randomness.ts'
import { storeAccumulators } from './recorded-revocation.ts'
import { settingsOf } from './recorded-server.ts'
import { createRecordedOthers } from './server-calls.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** longest wait for callbacks: real time, reached only by a failure */
const PATIENCE_MS = 10_000

export type ReplayServer = {
  readonly client: Client
  /** Moves time to that of an exchange, and has ready what it drew and what others answered it. */
  prepare(exchange: Exchange): Promise<void>
  /** @returns in what the calls of the server to others differ from the recorded ones */
  callMismatches(): string[]
  /** @returns in what the callbacks differ from the recorded ones */
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
  const { settings, revocation: byType } = settingsOf(transcript.server, profile, schemes)
  const others = createRecordedOthers(profile, differences)
  const failures: unknown[] = []
  const fail = (...failure: readonly unknown[]): void => void failures.push(failure)
  const log = { info() {}, warn() {}, debug() {}, error: fail }
  const store = createMemoryStore()
  const revocation = await createRevocation({
    ...{ store, schemes, clock, random, report: fail, settings: byType },
    outgoing: { getBytes: unasked, postBytes: unasked },
    listenTo: async function* () {},
    pool: { issueWitness: random.witness, revoke: pool.revoke },
  })
  await storeAccumulators(transcript.accumulators, store)
  const parts = { schemes, clock, random, revocation, settings, noteUnknownMembers: () => {} }
  const effects = createEffects({ ...parts, pool, outgoing: others, noteHashedValue: () => {} })
  const node = { store, clock, bootId: 'replay', report: fail }
  const sessions = createSessions({ ...node, effects })
  const post = postCallback({ clock, outgoing: others, settings })
  const deliveries = createDeliveries({ ...node, post, tell: () => {} })
  const server = createSessionServer({ ...parts, sessions, log, isOverloaded: () => false })
  const { port } = await server.listen(0, '127.0.0.1')
  return {
    client: clientOf(port),
    async prepare(exchange) {
      random.expect(exchange.random)
      others.expect(exchange.calls)
      await elapseTo(clock, transcript.recordedAtMs + exchange.atMs)
    },
    callMismatches: others.mismatches,
    callbackMismatches: () => nothingInTime(() => others.callbackMismatches(transcript.callbacks)),
    nowSec: () => Math.floor(clock.now() / 1_000),
    async close() {
      await server.close()
      await sessions.close()
      await deliveries.close()
      await revocation.close()
      await store.close()
      if (failures.length > 0) throw new Error(`the server reported ${inspect(failures)}`)
    },
  }
}

/** Results are signed in a thread of its own. @returns what there is still after a while */
async function nothingInTime(look: () => string[]): Promise<string[]> {
  const untilAt = Date.now() + PATIENCE_MS
  while (look().length > 0 && Date.now() < untilAt) await settle()
  return look()
}

async function elapseTo(clock: SimulatedClock, at: number): Promise<void> {
  if (at > clock.now()) await elapse(clock, at - clock.now())
}

/** Every recorded server was an authority itself. */
async function unasked(): Promise<never> {
  throw new Error('a call to a revocation server, and none was recorded')
}

type RecordedSource = Randomness & {
  expect(values: RecordedRandomness): void
  readonly witness: ProofPool['issueWitness']
}

/** Gives the values of the exchange that is being replayed; running out of tokens is a failure. */
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
      if (token === undefined) throw new Error('a token more than was recorded')
      return token
    },
    async witness({ signed }) {
      const witness = witnesses.shift()
      if (witness === undefined) throw new Error('a witness more than was recorded')
      return { ...witness, signed }
    },
    pairingCode: () => values.pairingCode,
    nonce: () => fromBase64(values.nonce),
    bytes: count => randomBytes(count),
  }
}
