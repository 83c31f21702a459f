/** The four calls of a disclosure session, each with its latency, and the two ways in which wallets arrive. @module */
import { setTimeout } from 'node:timers/promises'
import { readConnection } from '../../../libraries/wallet/server-messages.ts'
import { PROFILES } from '../../../protocol/profiles.ts'
import { percentile, rounded } from '../cpu.ts'
import { call } from '../sessions/client.ts'
import type { Answers } from './answers.ts'
import type { createRequests } from './requestors.ts'
import { PUBLIC_URL } from './server.ts'

export const STEPS = ['create', 'connect', 'submit', 'result'] as const
export const CALLS_PER_SESSION = STEPS.length
export type Step = (typeof STEPS)[number]
/** milliseconds of each call, by step */
export type Latencies = Readonly<Record<Step, number[]>>

const PROFILE = PROFILES.irma
const APP = {
  [PROFILE.minVersionHeader]: '2.8',
  [PROFILE.maxVersionHeader]: '2.8',
  authorization: 'benchmark',
}

export type Callers = {
  readonly address: string
  readonly answers: readonly Answers[]
  readonly requestOf: ReturnType<typeof createRequests>
}

export type Created = { readonly token: string; readonly url: string }

export function noLatencies(): Latencies {
  return { create: [], connect: [], submit: [], result: [] }
}

/** @param index of the session: chooses its requestor */
export async function createSession({ address, requestOf }: Callers, index: number): Promise<Created> {
  const { body, headers = {} } = await requestOf(index)
  const { token, sessionPtr } = JSON.parse(await call('POST', `${address}/session`, { ...headers }, body))
  return { token, url: sessionPtr.u.replace(PUBLIC_URL, address) }
}

/** @returns body of the submission */
export async function connect({ answers }: Callers, { url }: Created, index: number): Promise<string> {
  const { request } = readConnection(await call('GET', url, APP), PROFILE)
  const answer = answers[index % answers.length]
  if (!request || !answer) throw new Error('benchmark: expected a session without pairing')
  return answer(request)
}

export async function submit({ url }: Created, body: string): Promise<void> {
  await call('POST', `${url}/proofs`, APP, body)
}

export async function readResult({ address }: Callers, { token }: Created): Promise<void> {
  const result = JSON.parse(await call('GET', `${address}/session/${token}/result`, {}))
  if (result.proofStatus !== 'VALID') throw new Error('benchmark: expected every session to be VALID')
}

/** One whole session. The first latency includes the time since the session was due. */
async function session(callers: Callers, index: number, into: Latencies, dueAt: number): Promise<void> {
  let beganAt = dueAt
  const timed = async <Result>(step: Step, work: Promise<Result>): Promise<Result> => {
    const result = await work
    const now = performance.now()
    into[step].push(now - beganAt)
    beganAt = now
    return result
  }
  const created = await timed('create', createSession(callers, index))
  const body = await timed('connect', connect(callers, created, index))
  await timed('submit', submit(created, body))
  await timed('result', readResult(callers, created))
}

/** Closed loop: each wallet begins a session when its last one has ended.
 *  @param goesOn asked before each session, with the number of sessions that began
 *  @returns number of sessions */
export async function closedLoop(
  callers: Callers,
  wallets: number,
  into: Latencies,
  goesOn: (begun: number) => boolean,
): Promise<number> {
  let begun = 0
  const wallet = async (): Promise<void> => {
    while (goesOn(begun)) await session(callers, begun++, into, performance.now())
  }
  await Promise.all(Array.from({ length: wallets }, wallet))
  return begun
}

/** Open loop: sessions begin at random moments, independent of the speed of the answers.
 *  @param perSecond average rate
 *  @returns number of sessions */
export async function openLoop(
  callers: Callers,
  perSecond: number,
  into: Latencies,
  seconds: number,
): Promise<number> {
  const running: Promise<void>[] = []
  const endsAt = performance.now() + seconds * 1_000
  let dueAt = performance.now()
  while (dueAt < endsAt) {
    dueAt += (-Math.log(1 - Math.random()) * 1_000) / perSecond
    const restMs = dueAt - performance.now()
    if (restMs > 0) await setTimeout(restMs)
    running.push(session(callers, running.length, into, dueAt))
  }
  await Promise.all(running)
  return running.length
}

/** Milliseconds, by step. */
export function summaryOf(latencies: Latencies): Record<Step, Record<'p50' | 'p99' | 'p999', number>> {
  const of = (step: Step) => ({
    p50: rounded(percentile(latencies[step], 0.5)),
    p99: rounded(percentile(latencies[step], 0.99)),
    p999: rounded(percentile(latencies[step], 0.999)),
  })
  return { create: of('create'), connect: of('connect'), submit: of('submit'), result: of('result') }
}
