/** Cost of the inspector: CPU of a whole disclosure session (as in `tools/bench/sessions.ts`) in three servers, in turn in each round. They are without the inspector,
 *  with it but without a viewer, and with one viewer of its page. The first measurement is at the full speed of 8 wallets, where the viewer does not receive most
 *  steps. The second is slow enough that it receives all of them. @module */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { median, rounded } from './cpu.ts'
import {
  measureRound,
  type Round,
  type RunningBenchmark,
  SESSIONS_PER_ROUND,
  wholeOf,
  withServer,
} from './sessions/measure.ts'
import { makeBodies, REQUEST } from './sessions.ts'

const WARM_UP_ROUNDS = 20
const ROUNDS = 15
/** Sessions in a second, so few that the server sends every step: each session has 4, and changes of the lists count towards the same limit (`MAX_STEPS`). */
const SLOW_SESSIONS = 25
const SESSIONS = { request: REQUEST, path: 'proofs', makeBodies, primesPerSession: 0 } as const

/** A viewer that reads and counts messages. */
async function watch({ inspectorFile }: RunningBenchmark): Promise<{ readonly count: () => number }> {
  const { host, hash } = new URL(readFileSync(inspectorFile, 'utf8'))
  let messages = 0
  const socket = new WebSocket(`ws://${host}/page?token=${hash.slice(1)}`)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.on('message', () => {
    messages += 1
  })
  return { count: () => messages }
}

type Variant = 'off' | 'on' | 'watched'

async function compared(
  running: Readonly<Record<Variant, RunningBenchmark>>,
  sessionsPerRound: number,
  pauseMs: number,
): Promise<Readonly<Record<string, number>>> {
  const rounds: Record<Variant, Round>[] = []
  const measured = async (variant: Variant): Promise<Round> => {
    await pause(pauseMs)
    return measureRound(running[variant], SESSIONS, sessionsPerRound)
  }
  for (let i = 0; i < WARM_UP_ROUNDS + ROUNDS; i++)
    rounds.push({ off: await measured('off'), on: await measured('on'), watched: await measured('watched') })
  const settled = rounds.slice(WARM_UP_ROUNDS)
  const of = (part: (round: Record<Variant, Round>) => number): number => rounded(median(settled.map(part)))
  return {
    offMs: of(({ off }) => wholeOf(off)),
    onMs: of(({ on }) => wholeOf(on)),
    watchedMs: of(({ watched }) => wholeOf(watched)),
    onRatio: of(({ off, on }) => wholeOf(on) / wholeOf(off)),
    watchedRatio: of(({ off, watched }) => wholeOf(watched) / wholeOf(off)),
  }
}

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const inspected = { ...SESSIONS, options: { inspect: true } }
  const result = await withServer(SESSIONS, off =>
    withServer(inspected, on =>
      withServer(inspected, async watched => {
        const viewer = await watch(watched)
        const servers = { off, on, watched }
        const fast = await compared(servers, SESSIONS_PER_ROUND, 0)
        const sentBefore = viewer.count()
        const slow = await compared(servers, SLOW_SESSIONS, 1_000)
        const sent = (viewer.count() - sentBefore) / (WARM_UP_ROUNDS + ROUNDS) / SLOW_SESSIONS
        return { fast, slow: { ...slow, messagesPerSession: rounded(sent) } }
      }),
    ),
  )
  const facts = { name: 'inspector', node: process.version, store: 'sqlite' }
  if (json) console.log(JSON.stringify({ ...facts, ...result }))
  else console.table(result)
}
