/** `svc issuer import-revocation`: takes over the accumulators and issuance records of an existing authority, before this server starts as the authority. @module */
import {
  type ImportedAccumulator,
  importRevocation,
  type LeftOut,
} from '../../actors/imports/import-revocation.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { issuerOf } from '../../protocol/ids.ts'
import { opened } from '../../server/closable.ts'
import { defaultStorePath } from '../../server/files/directories.ts'
import { openSessionOptionStore } from '../../server/open-option-store.ts'
import { schemesOf } from '../../server/settings/node-settings.ts'
import { redisSettingsOf } from '../../server/settings/redis.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { RevocationSource } from '../../stores/imports/revocation-source.ts'
import { DRY_RUN, type SourceFlags, sourceAddressOf } from '../imports/source-address.ts'
import { readOptions } from '../servers/options.ts'
import { endAtOnce } from '../servers/run-until-stopped.ts'

export type RevocationImportFlags = SourceFlags & {
  readonly config?: string
  readonly store?: string
  readonly storeFile?: string
  readonly schemesPath?: string
  readonly dryRun?: true
}

/** @throws {SettingsError} @throws {SchemeError} @throws {Error} in words for an operator */
export async function importFromAuthority(flags: RevocationImportFlags): Promise<void> {
  const address = sourceAddressOf(flags)
  const named = { store: flags.store, store_file: flags.storeFile, schemes_path: flags.schemesPath }
  const given = Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const { options, log } = readOptions(sessionServer, {
    flags: Object.fromEntries(given),
    config: flags.config,
    unknown: [],
  })
  const { schemes } = await schemesOf(options, line => log.warn(line))
  const { store: name, redis } = redisSettingsOf(options)
  if (name === 'memory')
    throw new Error('store: expected one that keeps its rows, such as "sqlite:FILE", got "memory"')
  const { whole, close } = await opened(async onClose => {
    const source = await RevocationSource.open(address)
    onClose(() => source.close())
    if (flags.dryRun) return { source, store: null }
    const option = { name, defaultFile: defaultStorePath, sqliteSynchronous: options.sqlite_synchronous }
    const clock = createSystemClock({ keepsAlive: true })
    const deps = { bootId: systemRandomness.token(), clock, log, lost: endAtOnce(log) }
    const store = await openSessionOptionStore(option, { redis, isAuthority: true }, deps)
    onClose(() => store.close())
    return { source, store }
  })
  const arithmetic = chooseArithmetic('auto')
  try {
    const { imported, leftOut } = await importRevocation({
      ...whole,
      power: (...numbers) => arithmetic.power(...numbers),
      keyOf(type, keyCounter) {
        const key = schemes.publicKey(issuerOf(type), keyCounter)
        return key?.revocation ? key : null
      },
    })
    process.stdout.write([...imported.flatMap(linesOfImported), ...leftOut.map(lineOfLeftOut)].join(''))
    if (flags.dryRun) process.stdout.write(`${DRY_RUN}\n`)
  } finally {
    await close()
  }
}

function linesOfImported(counts: ImportedAccumulator): readonly string[] {
  const { type, keyCounter, events, records, revoked, known, contradicting } = counts
  const name = `${type}, key ${keyCounter}`
  return [
    `${name}: ${events} events, ${records} issuance records, ${revoked} of them revoked, ${known} known before\n`,
    ...(contradicting === 0
      ? []
      : [
          `${name}: expected an event for each revoked record and for no other, got ${contradicting} records that contradict the events\n`,
        ]),
  ]
}

function lineOfLeftOut({ type, keyCounter, events, records }: LeftOut): string {
  return `${shown(type)}, key ${keyCounter}: expected an accumulator, got none: ${events} events and ${records} issuance records are left out\n`
}

/** The source may hold any text. */
function shown(type: string): string {
  return /^[\w.-]+$/.test(type) ? type : JSON.stringify(type)
}
