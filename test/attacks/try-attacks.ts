/** Tries attacks, one after another, so that none disturbs the next. @module */

import type { ConformanceFlags } from '../../cli/conformance/flags.ts'
import { withTarget } from '../../cli/conformance/run.ts'
import { createService } from '../../libraries/conformance/service.ts'
import { shuffledBySeed } from '../mutants/seed.ts'
import { DEMO_SCHEMES } from '../project.ts'
import type { Attack } from './attack.ts'
import { withOwnServers } from './own-servers.ts'

export type Tried = {
  readonly attack: Attack
  /** null: it gained nothing */
  readonly gained: string | null
}

/** The server that is attacked, and how its requestor is known. */
export type Flags = Omit<ConformanceFlags, 'server' | 'row'> & { readonly server?: string }

/** @param attacks without `server`, also those that start servers of their own */
export async function* tryAttacks(
  attacks: readonly Attack[],
  flags: Flags,
): AsyncGenerator<Tried, undefined> {
  for (const attack of attacks) yield { attack, gained: await outcomeOf(attack, flags) }
}

async function outcomeOf(attack: Attack, flags: Flags): Promise<string | null> {
  if (attack.on === 'own servers') return withOwnServers(attack.run)
  const { server } = flags
  if (server !== undefined) return attackServer(attack, { ...flags, server, row: [] })
  return withOwnServers(async ({ start }) => {
    const { url } = await start('server')
    return attackServer(attack, { ...flags, schemesPath: DEMO_SCHEMES, server: url, row: [] })
  })
}

async function attackServer(
  { run }: Attack & { readonly on: 'session server' },
  flags: ConformanceFlags,
): Promise<string | null> {
  let gained: string | null = null
  await withTarget(flags, async target => {
    gained = await run(createService(target))
  })
  return gained
}

/** A tenth of the attacks, at least one. */
export function tenthOf(attacks: readonly Attack[], seed: number): readonly Attack[] {
  return shuffledBySeed(attacks, ({ name }) => name, seed).slice(0, Math.ceil(attacks.length / 10))
}
