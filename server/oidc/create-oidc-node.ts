/** Builds a running OpenID provider from its settings: the one place where its parts are put together. The provider contains a session server,
 *  whose wallet apps call the same listener. The provider does not listen yet. @module */
import { createCallerBounds } from '../../actors/calls/caller-bounds.ts'
import { storeAtOnce } from '../../actors/oidc/at-once.ts'
import { openKeyRing } from '../../actors/oidc/key-ring.ts'
import { startOidcTasks } from '../../actors/oidc/oidc-tasks.ts'
import { createOidcRecords, PAIRING_TRY } from '../../actors/oidc/records.ts'
import { createCallerNames } from '../../http/caller-names.ts'
import type { HttpServer } from '../../http/http-server.ts'
import type { Login, OidcDeps } from '../../http/oidc/deps.ts'
import { createDisclosures } from '../../http/oidc/disclosures.ts'
import { createOidcServer } from '../../http/oidc/server.ts'
import { createOutgoing } from '../../ports/outgoing.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { createTraces } from '../../ports/traces.ts'
import type { SessionServerStore } from '../../stores/store.ts'
import type { StoreLostError } from '../../stores/store-error.ts'
import { createSharedClock } from '../../stores/time/shared-clock.ts'
import { type OnClose, openedOnStore } from '../closable.ts'
import { closeServers, openSessionParts } from '../create-node.ts'
import type { Certificates } from '../files/certificates.ts'
import { unlessOfStore } from '../open-option-store.ts'
import type { RunningSchemes } from '../schemes/open-schemes.ts'
import type { OidcNodeSettings } from '../settings/oidc-settings.ts'
import type { World } from '../world.ts'
import { createProviders } from './create-providers.ts'
import { openOidcStore } from './open-oidc-store.ts'
import { createRemoteDisclosures } from './remote/disclosures.ts'
import { signInOf } from './sign-in.ts'

type Parts = {
  readonly store: SessionServerStore
  readonly server: HttpServer
  readonly schemes: RunningSchemes
  readonly certificates: Certificates
  /** name of the arithmetic that checks proofs */
  readonly arithmetic: string
}

export type OidcNode = Parts & { readonly close: () => Promise<void> }

const DAY_MS = 24 * 3_600_000
/** A signing key signs for 30 days, and is published for a day before that. */
const [SIGNS_MS, PUBLISHED_MS] = [30 * DAY_MS, DAY_MS]

/** @throws {Error} of the store or the arithmetic, in words for an operator; nothing is left open then */
export function createOidcNode(settings: OidcNodeSettings, world: World): Promise<OidcNode> {
  return openedOnStore(world.lost, (onClose, lose) => open(settings, world, lose, onClose))
}

/** Closes the parts in reverse order of opening: listener, sessions, proofs, store. */
async function open(
  settings: OidcNodeSettings,
  given: World,
  lost: (error: StoreLostError) => void,
  onClose: OnClose,
): Promise<Parts> {
  const { fetch, log, loop, random, metrics, traces = createTraces(), instead = {} } = given
  const bootId = instead.bootId ?? systemRandomness.token()
  const storeDeps = { bootId, clock: given.clock, log, lost }
  const store = instead.store ?? (await openOidcStore(settings, storeDeps, onClose))
  const clock = createSharedClock(given.clock, store.nodes)
  const world = { ...given, clock }
  const outgoing = instead.outgoing ?? createOutgoing({ fetch, clock })
  const ground = { store, bootId, outgoing, traces }
  const { pool, sessions, deps, schemes, certificates } = await openSessionParts(
    settings.sessions,
    world,
    ground,
    onClose,
  )
  const sealing = { store, clock, keys: settings.storageKeys, randomness: random }
  const { store: recordsStore, atOnce } = storeAtOnce(store)
  const records = createOidcRecords({ ...sealing, store: recordsStore })
  const ring = await openKeyRing({ ...sealing, algorithms: ['RS256'], times: keyTimesOf(settings) })
  const report = unlessOfStore((task: string, err) => log.error({ task, err }, 'task failed'))
  const logins = records.adapterFor<Login>('Login')
  const signIns = metrics?.actors.signIns ?? undefined
  const { provider, countTimeouts } = createProviders(
    { settings, records, ring, logins, atOnce, signIns },
    world,
  )
  onClose(startOidcTasks({ records, keyRing: ring, countTimeouts, clock, report }))
  const oidcDeps: OidcDeps = {
    ...{ clock, loop, log, traces, random, figures: metrics?.http, settings: settings.oidc, logins, atOnce },
    pairingTries: records.adapterFor(PAIRING_TRY),
    ...{ provider, signIns, bounds: boundsOf(settings, clock) },
    callerNames: createCallerNames(settings.oidc.trustedProxies, text => log.warn(text)),
    signIn: signInOf(settings.rules, random),
    disclosures: disclosuresOf(settings, world, deps),
    readiness: deps.readiness,
    reserveBody: bytes => sessions.reserveBody(bytes),
  }
  const server = createOidcServer(oidcDeps, { sessions: deps, areInside: settings.remote === null })
  certificates.serve('main', server)
  onClose(() => closeServers([server], sessions, deps))
  return { store, server, schemes, certificates, arithmetic: pool.arithmetic }
}

function keyTimesOf({ oidc: { lifetimes } }: OidcNodeSettings) {
  return { signsMs: SIGNS_MS, publishedMs: PUBLISHED_MS, tokenMs: lifetimes.idToken * 1_000 }
}

function disclosuresOf(
  { remote, sessions: { profile } }: OidcNodeSettings,
  { fetch, clock, log }: World,
  inside: Parameters<typeof createDisclosures>[0],
): OidcDeps['disclosures'] {
  return remote === null
    ? createDisclosures(inside)
    : createRemoteDisclosures({ server: remote, profile, fetch, clock, log })
}

/** Each bound counts in the memory of this process. */
function boundsOf({ oidc: { rates } }: OidcNodeSettings, clock: World['clock']): OidcDeps['bounds'] {
  return {
    authorize: createCallerBounds(rates.authorize, clock, {
      what: 'logins',
      tooMany: 'too many users sign in at once',
    }),
    par: createCallerBounds(rates.par, clock, {
      what: 'pushed requests',
      tooMany: 'too many requests are pushed at once',
    }),
  }
}
