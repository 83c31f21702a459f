/** Tries attacks, one after another, so that none disturbs the next. @module */

import type { ConformanceFlags } from '../../cli/conformance/flags.ts'
import { withTarget } from '../../cli/conformance/run.ts'
import { NotTriedError } from '../../libraries/conformance/expect.ts'
import { createService } from '../../libraries/conformance/service.ts'
import { shuffledBySeed } from '../mutants/seed.ts'
import { DEMO_SCHEMES } from '../project.ts'
import type { Attack } from './attack.ts'
import { withOwnServers } from './own-servers.ts'
import { withDemoWallet } from './own-service.ts'

export type Tried = {
  readonly attack: Attack
  /** null: it gained nothing */
  readonly gained: string | null
  /** why it could not be tried here; null: it was tried */
  readonly untried: string | null
  /** of an attack that did not end as it should; the attacks after it are tried all the same */
  readonly error: Error | null
}

/** The server that is attacked, and how its requestor is known. */
export type Flags = Omit<ConformanceFlags, 'server' | 'row'> & { readonly server?: string }
type AttackListener = (tried: Tried) => void

type OnServer = Attack & { readonly on: 'session server' }
const isOnServer = (attack: Attack): attack is OnServer => attack.on === 'session server'

/** @param attacks without `server`, also those that start servers of their own
 *  @param told is called after each attack */
export async function tryAttacks(
  attacks: readonly Attack[],
  flags: Flags,
  told: AttackListener,
): Promise<void> {
  const onServer = attacks.filter(isOnServer)
  if (onServer.length > 0) await attackServer(onServer, flags, told)
  for (const attack of attacks)
    if (attack.on === 'own servers') told(await outcomeOf(attack, () => withOwnServers(attack.run)))
}

/** One server and one wallet serve all attacks that any session server can be tried with. */
async function attackServer(attacks: readonly OnServer[], flags: Flags, told: AttackListener): Promise<void> {
  const { server } = flags
  const attackAt = (target: ConformanceFlags): Promise<void> =>
    withTarget(target, async found => {
      const service = createService(found)
      for (const attack of attacks) told(await outcomeOf(attack, () => attack.run(service)))
    })
  if (server !== undefined) return attackAt({ ...flags, server, row: [] })
  return withOwnServers(async ({ start }) => {
    const { url } = await start('server', { allow_unsigned_callbacks: true })
    await withDemoWallet(wallet =>
      attackAt({ ...flags, wallet, schemesPath: DEMO_SCHEMES, server: url, row: [] }),
    )
  })
}

async function outcomeOf(attack: Attack, run: () => Promise<string | null>): Promise<Tried> {
  try {
    return { attack, gained: await run(), untried: null, error: null }
  } catch (cause) {
    if (cause instanceof NotTriedError) return { attack, gained: null, untried: cause.message, error: null }
    const error = new Error(`${attack.name}: expected an attack that ends, got an error: ${cause}`, { cause })
    return { attack, gained: null, untried: null, error }
  }
}

/** A tenth of the attacks, at least one. */
export function tenthOf(attacks: readonly Attack[], seed: number): readonly Attack[] {
  return shuffledBySeed(attacks, ({ name }) => name, seed).slice(0, Math.ceil(attacks.length / 10))
}
