/** Kills the server at random moments: while a session is created, connected, handled or answered. A seed decides the sessions and the moments in a call at
 *  which the server is killed. The step of the server at such a moment depends on the machine. The test counts these steps. @module */
import { PROFILES, type ProfileName } from '../../../../protocol/profiles.ts'
import { pause } from '../../../patience.ts'
import type { KillFacts } from '../../kill-facts.ts'
import { type KillableServer, killableServer, type StoredSession } from '../../killable-server.ts'
import { randomFrom } from '../../seeded-random.ts'
import { insist } from '../insist.ts'
import { assertLaws, heardAll, repeatLast } from '../laws.ts'
import { type Moment, type Played, play, type Stage } from '../play.ts'
import { type Requestor, startRequestor } from '../requestor.ts'
import { KINDS, type Kind, lengthOf, requestOf } from '../sessions.ts'

/** The number of kills by the step of the server, and the number of plays by their end. */
export type Tally = Map<string, number>

/** One event that disturbs a play. */
type Mishap = {
  readonly what: 'kill' | 'delete'
  readonly moment: Moment
  /** index of the session in the chain, from 0 */
  readonly link: number
  /** the moment as a share of the call's usual duration, from 0; beyond 1 the call may have ended */
  readonly part: number
}

type Plan = { readonly kind: Kind; readonly answerMs: number; readonly mishaps: readonly Mishap[] }

/** Most of the time of a session is spent on its submission. */
const MOMENTS: readonly Moment[] = ['create', 'connect', 'told', ...Array<Moment>(9).fill('submit')]
const SECOND_KILL = 0.25
const DELETED = 0.15
const MOST_ANSWER_MS = 250
const BEYOND = 1.15

function planFrom(random: () => number): Plan {
  const one = <T>(from: readonly [T, ...T[]] | readonly T[]): T =>
    from[Math.floor(random() * from.length)] as T // no list is empty
  const kind = one(KINDS)
  const mishap = (what: Mishap['what'], moments: readonly Moment[]): Mishap => {
    const moment = one(moments)
    const link = Math.floor(random() * lengthOf(kind))
    return { what, moment, link: moment === 'create' ? 0 : link, part: random() * BEYOND }
  }
  const mishaps = [mishap('kill', MOMENTS)]
  if (random() < SECOND_KILL) mishaps.push(mishap('kill', MOMENTS))
  if (random() < DELETED) mishaps.push(mishap('delete', ['connect', 'submit']))
  return { kind, answerMs: random() * MOST_ANSWER_MS, mishaps }
}

export type RandomKills = {
  readonly facts: KillFacts
  readonly profile: ProfileName
  readonly seed: number
  readonly count: number
}

/** @returns the counts
 *  @throws {Error} that names the round */
export async function randomKills({ facts, profile, seed, count }: RandomKills): Promise<Tally> {
  const random = randomFrom(seed)
  const server = await killableServer({ ...facts, profile })
  const tally: Tally = new Map()
  const typicalMs = new Map<string, number>()
  try {
    for (let round = 0; server.kills() < count; round++) {
      const plan: Plan = round < KINDS.length ? firstPlan(round) : planFrom(random)
      const requestor = await startRequestor()
      try {
        await playRound({ server, requestor, plan, tally, typicalMs, facts, profile })
      } catch (cause) {
        throw new Error(`seed ${seed}, round ${round}, ${JSON.stringify(plan)}`, { cause })
      } finally {
        await requestor.close()
      }
    }
  } finally {
    await server.end()
  }
  return tally
}

/** The first plays are undisturbed: they measure the duration of each call. */
function firstPlan(round: number): Plan {
  return { kind: KINDS[round] ?? 'combined', answerMs: MOST_ANSWER_MS / 2, mishaps: [] }
}

type Round = Pick<RandomKills, 'facts' | 'profile'> & {
  readonly server: KillableServer
  readonly requestor: Requestor
  readonly plan: Plan
  readonly tally: Tally
  /** by call and kind, the duration of the last undisturbed call */
  readonly typicalMs: Map<string, number>
}

async function playRound(round: Round): Promise<void> {
  const { server, requestor, plan, facts, tally } = round
  const known = new Set((await server.sessions()).map(({ id }) => id))
  requestor.setDelay(plan.answerMs)
  const profile = PROFILES[round.profile]
  const mishaps = startMishaps(round, known)
  const stage: Stage = { server, wallet: facts.wallet, profile, reach: mishaps.reach }
  const played = await play(stage, requestOf(plan.kind, profile, requestor)).finally(mishaps.over)
  await repeatLast(server, played)
  const stored = await assertLaws(server, played, requestor.asked, known)
  count(tally, endOf(played, stored))
}

function endOf({ sessions }: Played, stored: readonly StoredSession[]): string {
  if (stored.some(({ status }) => status === 'CANCELLED')) return 'deleted'
  return heardAll(sessions) ? 'ended: DONE' : 'ended: refused'
}

const count = (tally: Tally, what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1)

type Mishaps = {
  readonly reach: Stage['reach']
  /** Resolves when all planned kills have happened. A kill that has not happened yet happens now; a deletion is left out. */
  over(): Promise<void>
}

/** Starts the events in their order. Each starts when its call begins or is repeated. */
function startMishaps(round: Round, known: ReadonlySet<string>): Mishaps {
  const { plan, typicalMs } = round
  const waiting = [...plan.mishaps]
  const under: Promise<void>[] = []
  let begun = ''
  let begunAt = 0
  const reach: Stage['reach'] = (moment, link, address) => {
    const now = Date.now()
    const isUndisturbed = waiting.length === plan.mishaps.length
    if (begun !== '' && isUndisturbed) typicalMs.set(begun, now - begunAt)
    begun = `${plan.kind} ${moment} ${link}`
    begunAt = now
    const [next] = waiting
    if (!next || next.moment !== moment || next.link !== link) return
    waiting.shift()
    const soon = after(next.part * (typicalMs.get(begun) ?? 0), () => happen(round, known, next, address))
    soon.catch(() => {}) // `over` reports it
    under.push(soon)
  }
  return {
    reach,
    async over() {
      for (const mishap of waiting.splice(0))
        if (mishap.what === 'kill') await happen(round, known, mishap, '')
      await Promise.all(under)
    },
  }
}

async function after(ms: number, action: () => Promise<void>): Promise<void> {
  await pause(ms)
  await action()
}

async function happen({ server, tally }: Round, known: ReadonlySet<string>, { what }: Mishap, url: string) {
  await server.isUp()
  if (what === 'delete') return void (await insist(server, { method: 'DELETE', url }))
  const stored = await server.killAndRestart()
  const latest = stored.filter(({ id }) => !known.has(id)).at(-1)
  count(tally, `killed: ${latest ? (latest.step ?? latest.status) : 'nothing stored yet'}`)
}
