/** Builds a running keyshare server from its settings: the one place where its parts are put together, for the command line, the tour, the benches and every
 *  test. Inside of it is a session server, which issues the login credential on the same listener. It listens to nothing yet. @module */
import type { Accounts } from '../../actors/accounts/accounts.ts'
import { createAccounts } from '../../actors/accounts/create-accounts.ts'
import { createRegistrationBounds } from '../../actors/calls/caller-bounds.ts'
import { createCallerNames } from '../../http/caller-names.ts'
import type { HttpServer } from '../../http/http-server.ts'
import type { KeyshareDeps } from '../../http/keyshare/deps.ts'
import { createKeyshareServer } from '../../http/keyshare/server.ts'
import type { KeyshareSettings } from '../../http/keyshare/settings.ts'
import { createOutgoing } from '../../ports/outgoing.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { createTraces } from '../../ports/traces.ts'
import type { Store } from '../../stores/store.ts'
import type { StoreLostError } from '../../stores/store-error.ts'
import { createSharedClock } from '../../stores/time/shared-clock.ts'
import { type OnClose, openedOnStore } from '../closable.ts'
import { closeServers, openSessionParts } from '../create-node.ts'
import type { Certificates } from '../files/certificates.ts'
import { accountLog } from '../log/account-log.ts'
import { firstVersionLog } from '../log/first-version-log.ts'
import { countStored } from '../metrics/metrics.ts'
import type { RunningSchemes } from '../schemes/open-schemes.ts'
import type { KeyshareNodeSettings } from '../settings/keyshare-settings.ts'
import type { KeyshareWorld } from '../world.ts'
import { requireConstantTime } from './constant-time.ts'
import { createIssuerKeys } from './issuer-keys.ts'
import { loginSessions } from './login-sessions.ts'
import { openKeyshareStore } from './open-keyshare-store.ts'
import { openMails } from './open-mails.ts'
import { keysReader } from './read-keys.ts'

type Parts = {
  readonly store: Store
  readonly accounts: Accounts
  readonly server: HttpServer
  readonly schemes: RunningSchemes
  readonly certificates: Certificates
  /** name of the arithmetic that checks proofs and calculates answers */
  readonly arithmetic: string
}

export type KeyshareNode = Parts & {
  readonly close: () => Promise<void>
}

/** @throws {Error} of the store or the arithmetic, in words for an operator; nothing is left open then */
export function createKeyshareNode(
  settings: KeyshareNodeSettings,
  world: KeyshareWorld,
): Promise<KeyshareNode> {
  return openedOnStore(world.lost, (onClose, lose) => open(settings, world, lose, onClose))
}

/** Closes the parts in reverse order of opening: listener, accounts, sessions, proofs, store. */
async function open(
  settings: KeyshareNodeSettings,
  given: KeyshareWorld,
  lost: (error: StoreLostError) => void,
  onClose: OnClose,
): Promise<Parts> {
  const { fetch, log, loop, random, inspection, metrics, traces = createTraces(), instead = {} } = given
  const bootId = instead.bootId ?? systemRandomness.token()
  const storeDeps = { bootId, clock: given.clock, log, lost }
  const store = instead.store ?? (await openKeyshareStore(settings, storeDeps, onClose))
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
  requireConstantTime(pool.arithmetic, settings.sessions.production, log)
  const accounts = createAccounts({
    ...{ store, clock, bootId, random, inspection, figures: metrics?.actors },
    storageKeys: settings.keyshare.storageKeys,
    ...settings.accounts,
    report: accountLog(log),
  })
  onClose(() => accounts.close())
  const stored = { name: 'svc_keyshare_accounts_stored', help: 'Accounts in the store' }
  countStored(metrics, stored, store.accounts)
  const mails = openMails(settings, world, { store, accounts, bootId }, onClose)
  const read = keysReader(settings.schemesPath, onClose)
  const issuerKeys = createIssuerKeys({ schemes, read, clock, log })
  const keyshareDeps: KeyshareDeps = {
    ...{ accounts, clock, loop, log, random, traces, figures: metrics?.http, settings: settings.keyshare },
    ...callersOf(settings.keyshare, world),
    ...{ issuerKeys, powers: pool, readiness: deps.readiness },
    noteFirstVersion: firstVersionLog(log, clock),
    reserveBody: bytes => sessions.reserveBody(bytes),
    prepareLoginSession: loginSessions(settings.attribute, deps),
    withMail: mails?.withMail ?? ((_address, register) => register({})),
  }
  const page = mails && { ...keyshareDeps, ...mails.page }
  const server = createKeyshareServer(keyshareDeps, deps, page)
  certificates.serve('main', server)
  onClose(() => closeServers([server], sessions, deps))
  return { store, accounts, server, schemes, certificates, arithmetic: pool.arithmetic }
}

function callersOf(
  { trustedProxies, registrationRates }: KeyshareSettings,
  { clock, log }: Pick<KeyshareWorld, 'clock' | 'log'>,
): Pick<KeyshareDeps, 'callerNames' | 'registrations'> {
  return {
    callerNames: createCallerNames(trustedProxies, text => log.warn(text)),
    registrations: createRegistrationBounds(registrationRates, clock),
  }
}
