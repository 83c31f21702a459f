/** The protocol engine of a node. A new one replaces it when the signing keys change. @module */
import type { SignInFigures } from '../../actors/metrics/sign-in-figures.ts'
import type { KeyRing } from '../../actors/oidc/key-ring.ts'
import { OpenLogins } from '../../actors/oidc/open-logins.ts'
import { type OidcRecords, RETURN_ANSWER } from '../../actors/oidc/records.ts'
import { createAdapters } from '../../http/oidc/adapter.ts'
import type { OidcDeps } from '../../http/oidc/deps.ts'
import { createProvider } from '../../http/oidc/provider.ts'
import { watchProvider } from '../../http/oidc/watch-provider.ts'
import { unlessOfStore } from '../open-option-store.ts'
import type { OidcNodeSettings } from '../settings/oidc-settings.ts'
import type { World } from '../world.ts'

type Deps = {
  readonly settings: OidcNodeSettings
  readonly records: OidcRecords
  readonly ring: KeyRing
  readonly logins: OidcDeps['logins']
  readonly atOnce: OidcDeps['atOnce']
  /** undefined: nothing is counted */
  readonly signIns: SignInFigures | undefined
}

type Providers = {
  /** the provider with the current signing keys */
  readonly provider: OidcDeps['provider']
  /** Counts logins that time out. To be called every second. */
  readonly countTimeouts: () => Promise<void>
}

/** The signing keys of a provider cannot change, so a new provider replaces it when they do. All providers share the records. */
export function createProviders(
  { settings, records, ring, logins, atOnce, signIns }: Deps,
  { fetch, log, clock }: Pick<World, 'fetch' | 'log' | 'clock'>,
): Providers {
  const { oidc, rules, clients, claimsByScope } = settings
  const interactions = records.adapterFor('Interaction')
  const openLogins = new OpenLogins({
    clock,
    isOpen: async uid => (await interactions.find(uid)) !== undefined,
    timedOut: client => signIns?.finished(client, 'timeout', null),
  })
  const create = () => {
    const made = createProvider({
      settings: oidc,
      rules,
      clients,
      claimsByScope,
      logins,
      atOnce,
      fetch,
      clock,
      log,
      answers: records.adapterFor(RETURN_ANSWER),
      jwks: { keys: [...ring.signingKeys()] },
      adapterFor: createAdapters(records),
      report: providerReport(log),
    })
    const lifetimeSec = oidc.lifetimes.interaction
    if (signIns) watchProvider(made, { signIns, openLogins, clock, lifetimeSec })
    return made
  }
  let provider = create()
  ring.onChange(() => {
    provider = create()
  })
  signIns?.watchKeys(() => ring.ages())
  return { provider: () => provider, countTimeouts: () => openLogins.check() }
}

function providerReport(log: World['log']): (error: unknown) => void {
  const report = unlessOfStore((_about: string, err) => log.error({ err }, 'unexpected failure'))
  return error => report('provider', error)
}
