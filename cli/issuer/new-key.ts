/** Reads the flags of `svc issuer keygen` (spec/schemes-and-cli#16.7). @module */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { NewKey } from '../../crypto/issuer-key.ts'
import { isFolder } from '../../server/files/paths.ts'
import { decimalIn } from '../decimal.ts'
import type { IssuerKeyFlags } from './flags.ts'

export type WantedKey = Omit<NewKey, 'factors'> & {
  /** length of the modulus */
  readonly bits: number
  readonly privateFile: string
  readonly publicFile: string
}

const [MAX_COUNTER, LEAST_BASES, MAX_BASES] = [0xffff, 3, 1_000]

/** A mistake in the flags. */
export class WrongFlagError extends Error {
  override readonly name = 'WrongFlagError'
}

/** @throws {WrongFlagError} */
export function wantedKey(path: string, flags: IssuerKeyFlags, now: Date): WantedKey {
  if (!isFolder(path))
    throw new WrongFlagError(
      `expected the folder of an issuer, but there is no folder ${JSON.stringify(path)}; name one as PATH`,
    )
  const bits = integerOf('--keylength', flags.keylength, 0, Number.MAX_SAFE_INTEGER)
  if (![1024, 2048, 4096].includes(bits))
    throw new WrongFlagError(`--keylength: expected 1024, 2048 or 4096, got ${bits}`)
  const counter = integerOf('--counter', flags.counter, 0, MAX_COUNTER) || nextCounter(path)
  return {
    bits,
    counter,
    bases: integerOf('--numattributes', flags.numattributes, LEAST_BASES, MAX_BASES),
    expiresAtSec: Math.floor(expiryOf(flags, now).getTime() / 1_000),
    privateFile: flags.privatekey ?? join(path, 'PrivateKeys', `${counter}.xml`),
    publicFile: flags.publickey ?? join(path, 'PublicKeys', `${counter}.xml`),
  }
}

function nextCounter(path: string): number {
  const folder = join(path, 'PublicKeys')
  if (!existsSync(folder)) return 0
  if (!isFolder(folder))
    throw new WrongFlagError(`${folder}: expected a folder of keys, got something else; name another PATH`)
  const counters = readdirSync(folder).flatMap(name => /^([0-9]+)\.xml$/.exec(name)?.[1] ?? [])
  return Math.max(-1, ...counters.map(Number)) + 1
}

function integerOf(flag: string, text: string, least: number, most: number): number {
  const value = decimalIn(text)
  if (value >= least && value <= most) return value
  throw new WrongFlagError(
    `${flag}: expected an integer from ${least} to ${most}, got ${JSON.stringify(text)}`,
  )
}

function expiryOf({ expirydate, validFor }: IssuerKeyFlags, now: Date): Date {
  if (expirydate === undefined) return after(now, validFor ?? '1y')
  if (validFor !== undefined)
    throw new WrongFlagError('--expirydate: expected no --valid-for beside it, got one')
  const time = new Date(expirydate)
  if (
    !/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(expirydate) ||
    Number.isNaN(time.getTime())
  )
    throw new WrongFlagError(
      `--expirydate: expected a time as 2030-12-31T00:00:00Z, got ${JSON.stringify(expirydate)}`,
    )
  return time
}

/** Adds years, months and days by the calendar. */
function after(now: Date, duration: string): Date {
  const [, digits, unit] = /^(\d{1,6})([yMdhm])$/.exec(duration) ?? []
  const number = Number(digits)
  const time = new Date(now)
  if (unit === 'y') time.setUTCFullYear(now.getUTCFullYear() + number)
  if (unit === 'M') time.setUTCMonth(now.getUTCMonth() + number)
  if (unit === 'd') time.setUTCDate(now.getUTCDate() + number)
  if (unit === 'h') time.setUTCHours(now.getUTCHours() + number)
  if (unit === 'm') time.setUTCMinutes(now.getUTCMinutes() + number)
  if (unit !== undefined && !Number.isNaN(time.getTime())) return time
  throw new WrongFlagError(
    `--valid-for: expected a number and y, M, d, h or m, got ${JSON.stringify(duration)}`,
  )
}
