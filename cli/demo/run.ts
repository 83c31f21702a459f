/** Runs the tour until a signal stops it. @module */
import { startDemo } from '../../demo/demo.ts'
import { addressForPhone } from '../../demo/own-phone/address.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { DEMO_SCHEMES } from '../../server/files/demo-schemes.ts'
import { networkAddresses, usualSchemesPaths } from '../../server/files/directories.ts'
import { makeFolder } from '../../server/files/paths.ts'
import { createLog } from '../../server/log/log.ts'
import { stopSignal } from '../stop-signal.ts'

export type DemoFlags = {
  readonly port: string
  readonly keep?: string
  /** true: use the first network address of this computer */
  readonly phone?: string | true
  readonly verbose?: true
}

/** @throws {RangeError} if this computer does not have the given address, or has none that a phone can reach */
export async function runDemo(port: number, { keep: keepIn, phone, verbose }: DemoFlags): Promise<void> {
  const found = networkAddresses()
  const ownPhone = phone !== undefined && {
    address: addressForPhone(found, phone === true ? undefined : phone),
    schemesPaths: usualSchemesPaths(),
  }
  if (keepIn !== undefined) makeFolder('--keep', keepIn)
  const log = createLog({ verbose: 0, quiet: false, log_json: false })
  if (!verbose) log.level = 'warn'
  const clock = createSystemClock()
  const stopped = stopSignal()
  const demo = await startDemo({
    port,
    schemesPath: DEMO_SCHEMES,
    log,
    clock,
    random: systemRandomness,
    ...(keepIn !== undefined && { keepIn }),
    ...(ownPhone && { ownPhone }),
  })
  process.stdout.write(`Open ${demo.address}\n`)
  if (ownPhone)
    process.stdout.write(`Your phone calls ${demo.phoneAddress}${otherThan(ownPhone.address, found)}\n`)
  await stopped
  await demo.close()
}

/** Lists the other addresses, for a phone in another network. */
function otherThan(address: string, found: readonly string[]): string {
  const others = found.filter(other => other !== address).map(other => `--phone ${other}`)
  return others.length === 0 ? '' : `; others: ${others.join(', ')}`
}
