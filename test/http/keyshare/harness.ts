/** A keyshare server for one test: over real HTTP on a free port, on the store in memory. The test moves the clock, and every log line is recorded. The embedded
 *  session server gets no calls. @module */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import type { KeyshareSigner } from '../../../accounts/server-jwts.ts'
import {
  parseStorageKey,
  type StorageKeys,
  storageKeyFile,
  storageKeys,
} from '../../../accounts/storage-keys.ts'
import type { Accounts } from '../../../actors/accounts/accounts.ts'
import { createAccounts } from '../../../actors/accounts/create-accounts.ts'
import type { Binding } from '../../../actors/accounts/records-of-rows.ts'
import { createRegistrationBounds } from '../../../actors/calls/caller-bounds.ts'
import type { KeysharePowers } from '../../../actors/workers/keyshare-powers.ts'
import { chooseArithmetic } from '../../../crypto/bignum/choose.ts'
import { powerOfSecret } from '../../../crypto/keyshare/secrets.ts'
import { challengeOf, type IssuerKeyName, isCommittedInput } from '../../../crypto/keyshare/user-input.ts'
import type { AccountPageDeps } from '../../../http/account-page/deps.ts'
import { createCallerNames } from '../../../http/caller-names.ts'
import type { HttpServer } from '../../../http/http-server.ts'
import type { KeyshareDeps } from '../../../http/keyshare/deps.ts'
import { createKeyshareServer } from '../../../http/keyshare/server.ts'
import { type Randomness, systemRandomness } from '../../../ports/randomness.ts'
import { createSimulatedClock, type SimulatedClock } from '../../../ports/simulated-clock.ts'
import { createTraces } from '../../../ports/traces.ts'
import type { ProfileName } from '../../../protocol/profiles.ts'
import { createNode, type SessionNode } from '../../../server/create-node.ts'
import { firstVersionLog } from '../../../server/log/first-version-log.ts'
import type { KeyshareOptionValues } from '../../../server/settings/keyshare-server.ts'
import { keyshareSettingsOf } from '../../../server/settings/keyshare-settings.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import type { AccountsStore } from '../../../stores/store.ts'
import { NOW_SEC } from '../../accounts/jwts.ts'
import { PROJECT } from '../../project.ts'
import { keyshareOptionsOfTest } from '../../server/keyshare-of-test.ts'
import { idlePool, noNetwork, settingsOfTest } from '../../server/node-of-test.ts'
import { type Client, clientOf } from '../client.ts'

const pem = (name: string): Buffer => readFileSync(join(PROJECT, 'test/vectors/keys', `${name}.pem`))

export const SIGNER: KeyshareSigner = {
  issuer: 'demo_keyshare_server',
  kid: 1,
  privateKey: createPrivateKey(pem('kss-1.private')),
  publicKey: createPublicKey(pem('kss-1.public')),
}
export const STORAGE_KEYS: StorageKeys = storageKeys(
  parseStorageKey(storageKeyFile(7, new Uint8Array(32).fill(7))),
  [],
)

const arithmetic = chooseArithmetic('auto')

/** Tests register many accounts from one address. */
const UNBOUNDED = { registrations_per_caller: 0, registrations_per_minute: 0 }

/** base^exponent mod n, with another algorithm than the server's. */
export function power(base: bigint, exponent: bigint, n: bigint): bigint {
  let [result, square] = [1n, base % n]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % n
    square = (square * square) % n
  }
  return result
}

/** Calculates in this thread. */
const POWERS: KeysharePowers = {
  secretPowers: async (named, secret) =>
    named.map(each => ({ ...each, power: powerOfSecret(each.key, secret, arithmetic) })),
  async challenge({ facts, hashedComms, wk, keys }) {
    if (!isCommittedInput(facts.input, hashedComms)) return null
    const keyOf = ({ issuer, counter }: IssuerKeyName) => {
      const key = keys.get(`${issuer}-${counter}`)
      if (key === undefined) throw new Error('expected every key of the input')
      return key
    }
    return challengeOf(facts, wk, keyOf, arithmetic)
  },
}

/** The part, with some methods replaced. */
export function withMethods<Part extends object>(part: Part, methods: Partial<Part>): Part {
  return new Proxy(part, {
    get(target, name) {
      const method = Reflect.get(methods, name) ?? Reflect.get(target, name)
      return typeof method === 'function' ? method.bind(target) : method
    },
  })
}

export type KeyshareOfTest = Client & {
  readonly clock: SimulatedClock
  readonly store: AccountsStore
  readonly accounts: Accounts
  readonly deps: KeyshareDeps
  readonly server: HttpServer
  readonly embedded: SessionNode
  readonly port: number
  /** the log lines, in JSON */
  readonly log: string[]
}

export type KeyshareParts = {
  readonly profile?: ProfileName
  /** options of the server */
  readonly options?: Partial<KeyshareOptionValues>
  readonly deps?: (deps: KeyshareDeps) => Partial<KeyshareDeps>
  /** the randomness of the records of accounts */
  readonly accountRandom?: Pick<Randomness, 'bytes'>
  readonly store?: AccountsStore
  /** the forms of records; `read` for rows that the test damages */
  readonly binding?: Binding
  /** the account page; left out: there is none */
  readonly page?: (deps: KeyshareDeps) => AccountPageDeps
  /** a clock that several servers share; by default each has its own */
  readonly clock?: SimulatedClock
}

export async function withKeyshare(
  parts: KeyshareParts,
  use: (server: KeyshareOfTest) => Promise<void>,
): Promise<void> {
  const { close, ...started } = await startKeyshare(parts)
  try {
    await use(started)
  } finally {
    const closed = close()
    started.clock.advance(started.deps.settings.limits.stopMs)
    await closed
  }
}

async function startKeyshare(parts: KeyshareParts) {
  const opened = await openKeyshare(parts)
  const { port } = await opened.server.listen(0, '127.0.0.1')
  return { ...opened, ...clientOf(port), port }
}

/** A server that does not listen. */
export async function openKeyshare({
  profile,
  options,
  deps: changes,
  accountRandom = systemRandomness,
  store = createMemoryStore(),
  binding = 'write',
  page,
  clock = createSimulatedClock(NOW_SEC * 1_000),
}: KeyshareParts) {
  const log: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line: string) => log.push(line) })
  const settings = settingsOfTest(profile === undefined ? {} : { profile })
  const world = { clock, random: systemRandomness, log: logger, fetch: noNetwork }
  const embedded = await createNode(settings, {
    ...world,
    instead: { pool: idlePool(), store: createMemoryStore() },
  })
  const accounts = createAccounts({
    ...{ store, clock, bootId: 'boot', storageKeys: STORAGE_KEYS, random: accountRandom, binding },
    commitmentsOf: 'any',
    report: (account, err) => logger.error({ account, err }, 'account failed'),
  })
  const keyshare = keyshareSettingsOf(keyshareOptionsOfTest({ ...UNBOUNDED, ...options }), settings, {
    signer: SIGNER,
    storageKeys: STORAGE_KEYS,
  })
  const given: KeyshareDeps = {
    ...{ accounts, clock, log: logger, random: systemRandomness, traces: createTraces() },
    issuerKeys: { publicKey: settings.schemes.publicKey, lookFor: async () => {} },
    settings: keyshare,
    callerNames: createCallerNames(keyshare.trustedProxies, text => logger.warn(text)),
    registrations: createRegistrationBounds(keyshare.registrationRates, clock),
    readiness: embedded.deps.readiness,
    powers: { keyshare: POWERS, isOverloaded: () => false },
    noteFirstVersion: firstVersionLog(logger, clock),
    reserveBody: bytes => embedded.sessions.reserveBody(bytes),
    prepareLoginSession: async (userName, isRenewal) => ({
      open: async () => ({
        u: `${isRenewal ? 'renews' : 'issues'} ${userName}`,
        [settings.profile.pointerField]: 'issuing',
      }),
    }),
    withMail: (_address, register) => register({}),
  }
  const deps = { ...given, ...changes?.(given) }
  const server = createKeyshareServer(deps, embedded.deps, page?.(deps))
  const close = async (): Promise<void> => {
    await server.close()
    await accounts.close()
    await embedded.close()
  }
  return { clock, store, accounts, deps, server, embedded, log, close }
}
