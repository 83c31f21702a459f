/** The parts of a test node: the settings of a server without options, with the changes of the test, and parts that do nothing.
 *  @module */
import type { ProofPool } from '../../actors/workers/proof-pool.ts'
import type { GlobalPermissions, Limits } from '../../http/settings.ts'
import type { ProfileName } from '../../protocol/profiles.ts'
import { loadSchemes } from '../../schemes/load.ts'
import type { Schemes } from '../../schemes/types.ts'
import type { NodeSettings } from '../../server/settings/node-settings.ts'
import { uncheckedSettings } from '../../server/settings/server-settings.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import type { World } from '../../server/world.ts'
import { DEMO_SCHEMES } from '../project.ts'

const DEMO = await loadSchemes(DEMO_SCHEMES)

export type SettingsOfTest = Partial<
  Omit<NodeSettings, 'profile' | 'permissions' | 'limits' | 'schemes' | 'revocation'>
> & {
  readonly profile?: ProfileName
  readonly permissions?: Partial<GlobalPermissions>
  readonly limits?: Partial<Limits>
  readonly revocation?: NodeSettings['revocation']
}

/** @param schemes by default the demo schemes */
export function settingsOfTest(changes: SettingsOfTest, schemes: Schemes = DEMO): NodeSettings {
  const { profile, permissions, limits, production, url, ...rest } = changes
  // no pause at the stop, because the clock of many tests does not move
  const values = { profile, production, url, stop_idle: '0s' }
  const { options } = sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'test', values } })
  const settings = uncheckedSettings(options, '127.0.0.1')
  return {
    ...settings,
    revocation: new Map(),
    ...rest,
    schemes,
    permissions: { ...settings.permissions, ...permissions },
    limits: { ...settings.limits, ...limits },
  }
}

/** The log of a node in which no failure is expected. It prints failures. */
export const FAILURES: World['log'] = { info() {}, warn() {}, error: console.log }

/** A pool without threads. It refuses all work. */
export function idlePool(isOverloaded: ProofPool['isOverloaded'] = () => false): ProofPool {
  const unasked = async (): Promise<never> => Promise.reject(new Error('no proof pool: nobody should ask it'))
  return {
    verify: unasked,
    timestampNonce: unasked,
    sign: unasked,
    issueWitness: unasked,
    revoke: unasked,
    keyshare: { secretPowers: unasked, challenge: unasked },
    isOverloaded,
    hasThread: () => true,
    arithmetic: 'bigint',
    isFasterOnNode24: false,
    close: async () => {},
  }
}

/** A `fetch` that refuses every call. */
export const noNetwork: World['fetch'] = async () => {
  throw new TypeError('this node of a test has no network')
}
