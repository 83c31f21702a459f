/** The parts that tests of single kills share: sessions on one server, and checks of its file. @module */
import { PROFILES } from '../../../protocol/profiles.ts'
import { pause } from '../../patience.ts'
import type { KillFacts } from '../kill-facts.ts'
import type { KillableServer, StoredSession } from '../killable-server.ts'
import { assertLaws, repeatLast } from './laws.ts'
import { type Moment, type Played, play, type Stage } from './play.ts'
import { type Requestor, startRequestor } from './requestor.ts'
import { type Kind, requestOf } from './sessions.ts'

/** More credentials take longer to sign. */
const TICKETS = 4
const POLL_MS = 3
const ATTEMPTS = 5
const FINAL = ['DONE', 'CANCELLED', 'TIMEOUT']

/** The server had finished that step before the kill, so that the attempt proves nothing. */
class MissedError extends Error {
  override readonly name = 'MissedError'
}

/** Acts by moment and link. @param address of the session */
export type Acts = { readonly [at in `${Moment} ${number}`]?: (address: string) => Promise<void> }

export type KillTest = {
  readonly server: KillableServer
  readonly requestor: Requestor
  /** @param during acts that run once each, while their call is in progress
   *  @param before acts that run whenever their call is made; the call waits for them */
  play(kind: Kind, during: Acts, before?: Acts): Promise<Played>
  /** Resolves when the last session has that status or step.
   *  @throws {Error} if it has ended otherwise: then the test begins again */
  isIn(step: string): Promise<void>
  /** @param step the last session must still be in this step after the death of the process: else the test begins again
   *  @returns the sessions of this test at that time */
  killIn(step: string, meanwhile?: () => Promise<void>): Promise<readonly StoredSession[]>
  /** @returns the sessions of this test after the death of the process */
  kill(): Promise<readonly StoredSession[]>
  /** Repeats the last submission, and checks everything against the laws. @returns the sessions of this test */
  laws(played: Played): Promise<readonly StoredSession[]>
}

/** Repeats a test with new sessions if the kill missed its step. */
export async function killTest(
  facts: KillFacts,
  server: KillableServer,
  run: (on: KillTest) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const requestor = await startRequestor()
    const known = new Set((await server.sessions()).map(({ id }) => id))
    try {
      return await run(onServer(facts, server, requestor, known))
    } catch (error) {
      if (!(error instanceof MissedError) || attempt === ATTEMPTS) throw error
    } finally {
      await requestor.close()
    }
  }
}

function onServer(
  facts: KillFacts,
  server: KillableServer,
  requestor: Requestor,
  known: ReadonlySet<string>,
): KillTest {
  const ours = (sessions: readonly StoredSession[]): readonly StoredSession[] =>
    sessions.filter(({ id }) => !known.has(id))
  const isIn = async (step: string): Promise<void> => {
    for (;;) {
      const last = ours(await server.sessions()).at(-1)
      if (last && stepOf(last) === step) return
      if (last && FINAL.includes(last.status)) throw new MissedError(`expected ${step}, got ${last.status}`)
      await pause(POLL_MS)
    }
  }
  const kill = async (meanwhile?: () => Promise<void>): Promise<readonly StoredSession[]> =>
    ours(await server.killAndRestart(meanwhile))
  return {
    server,
    requestor,
    play: (kind, during, before = {}) => playWith(facts, server, requestor, { kind, during, before }),
    isIn,
    async killIn(step, meanwhile) {
      if (!FINAL.includes(step)) await isIn(step)
      const left = await kill(meanwhile)
      if (shown(left).at(-1) !== step) throw new MissedError(`expected ${step}, got ${shown(left)}`)
      return left
    },
    kill,
    async laws(played) {
      await repeatLast(server, played)
      return assertLaws(server, played, requestor.asked, known)
    },
  }
}

async function playWith(
  { wallet }: KillFacts,
  server: KillableServer,
  requestor: Requestor,
  { kind, during, before }: { readonly kind: Kind; readonly during: Acts; readonly before: Acts },
): Promise<Played> {
  const profile = PROFILES.svc
  const acting = new Map<string, Promise<void>>()
  const reach: Stage['reach'] = (moment, link, address) => {
    const at = `${moment} ${link}` as const
    const act = acting.has(at) ? undefined : during[at]?.(address)
    act?.catch(() => {}) // the error is reported at the end
    if (act) acting.set(at, act)
    return before[at]?.(address)
  }
  const request = requestOf(kind, profile, requestor, TICKETS)
  const played = await play({ server, wallet, profile, reach }, request)
  await Promise.all(acting.values())
  return played
}

const stepOf = ({ status, step }: StoredSession): string => step ?? status

/** The step of each session while it is connected, else its status. */
export function shown(sessions: readonly StoredSession[]): string[] {
  return sessions.map(stepOf)
}
