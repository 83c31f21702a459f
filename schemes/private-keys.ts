/** Private keys of issuers (spec/schemes-and-cli#12): from the scheme folders, then from a folder of the operator. They are not signed; each must fit
 *  the public key with its counter. No error contains their numbers. @module */
import { checkPrime } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { IssuerPrivateKey } from '../crypto/public-key.ts'
import type { IssuerId } from '../protocol/ids.ts'
import { readPrivateKey } from './keys.ts'
import { fileFailure, inFile, SchemeError } from './scheme-error.ts'
import { limitOf, readLimited } from './signed-files.ts'
import type { Issuer, KeyRing, Scheme } from './types.ts'
import { parseXml } from './xml.ts'

type Owner = { readonly scheme: Scheme; readonly issuer: Issuer }

type OperatorKeyFile = { readonly file: string; readonly issuer: string; readonly counter: number | null }

const PRIME_ROUNDS = 40

function isPrime(number: bigint): Promise<boolean> {
  return new Promise((resolve, reject) => {
    checkPrime(number, { checks: PRIME_ROUNDS }, (error, result) => (error ? reject(error) : resolve(result)))
  })
}

/** @param schemes all schemes, with the folder that each was read from
 *  @param operatorFolder files `<scheme>.<issuer>[.<counter>].xml`; other files are ignored
 *  @throws {SchemeError} */
export async function readKeyRing(
  schemes: ReadonlyMap<string, Scheme>,
  operatorFolder: string | null,
): Promise<KeyRing> {
  return readRing(schemes, operatorKeyFiles(operatorFolder))
}

/** The same for one scheme; the operator's keys for other schemes are ignored.
 *  @throws {SchemeError} */
export async function readKeysOf(
  folder: string,
  scheme: Scheme,
  operatorFolder: string | null,
): Promise<KeyRing> {
  const own = operatorKeyFiles(operatorFolder).filter(({ issuer }) => issuer.startsWith(`${scheme.id}.`))
  return readRing(new Map([[folder, scheme]]), own)
}

async function readRing(
  schemes: ReadonlyMap<string, Scheme>,
  operatorKeys: readonly OperatorKeyFile[],
): Promise<KeyRing> {
  const ring = new Map<IssuerId, Map<number, IssuerPrivateKey>>()
  const add = async (file: string, owner: Owner, counter: number | null): Promise<void> => {
    const key = await readKey(file, owner, counter)
    const keys = ring.get(owner.issuer.id) ?? new Map()
    if (!keys.has(key.counter)) keys.set(key.counter, key) // the key in the scheme folder has precedence
    ring.set(owner.issuer.id, keys)
  }
  for (const [folder, scheme] of schemes)
    for (const issuer of scheme.issuers.values())
      for (const { file, counter } of schemeKeyFiles(folder, issuer))
        await add(file, { scheme, issuer }, counter)
  for (const { file, issuer, counter } of operatorKeys)
    await add(file, ownerOf(file, issuer, [...schemes.values()]), counter)
  return ring
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    throw fileFailure(folder, 'a folder that can be read', error)
  }
}

function schemeKeyFiles(folder: string, issuer: Issuer): { file: string; counter: number }[] {
  const keys = join(folder, issuer.id.slice(issuer.id.indexOf('.') + 1), 'PrivateKeys')
  if (!existsSync(keys)) return []
  return namesIn(keys)
    .filter(name => name.endsWith('.xml'))
    .map(name => {
      const file = join(keys, name)
      if (!/^[0-9]{1,5}\.xml$/.test(name)) throw new SchemeError(file, 'expected a name <counter>.xml')
      return { file, counter: Number.parseInt(name, 10) }
    })
}

function operatorKeyFiles(folder: string | null): readonly OperatorKeyFile[] {
  if (folder === null) return []
  return namesIn(folder).flatMap(name => {
    const [, issuer, counter] = /^([^.]+\.[^.]+)(?:\.([0-9]{1,5}))?\.xml$/.exec(name) ?? []
    if (!issuer) return []
    return [{ file: join(folder, name), issuer, counter: counter ? Number.parseInt(counter, 10) : null }]
  })
}

function ownerOf(file: string, issuerId: string, schemes: readonly Scheme[]): Owner {
  const scheme = schemes.find(each => issuerId.startsWith(`${each.id}.`))
  if (!scheme) throw new SchemeError(file, 'private key of an unknown scheme')
  const issuer = [...scheme.issuers.values()].find(each => each.id === issuerId)
  if (!issuer) throw new SchemeError(file, 'private key of an unknown issuer')
  return { scheme, issuer }
}

async function readKey(file: string, owner: Owner, counter: number | null): Promise<IssuerPrivateKey> {
  const content = readLimited(file, limitOf(file))
  const key = inFile(file, () => readPrivateKey(parseXml(content)))
  if (counter !== null && counter !== key.counter)
    throw new SchemeError(file, `Counter: expected "${counter}", got "${key.counter}"`)
  const publicKey = owner.issuer.publicKeys.get(key.counter)
  if (!publicKey) throw new SchemeError(file, 'no public key with this counter')
  if (key.p * key.q !== publicKey.n) throw new SchemeError(file, 'does not belong to the public key')
  if (owner.scheme.isDemo) return key
  if ((key.ecdsa !== undefined) !== (publicKey.revocation !== undefined))
    throw new SchemeError(file, 'revocation is supported by only one of private and public key')
  await checkSafePrimes(file, key)
  return key
}

/** Demo keys are not checked: some of them only test sizes. */
async function checkSafePrimes(file: string, key: IssuerPrivateKey): Promise<void> {
  const halves = { p: [key.p, key.pPrime], q: [key.q, key.qPrime] } as const
  for (const [name, [prime, half]] of Object.entries(halves)) {
    if (prime !== 2n * half + 1n) throw new SchemeError(file, `${name}Prime: expected (${name} - 1) / 2`)
    for (const number of [prime, half])
      if (!(await isPrime(number))) throw new SchemeError(file, `${name}: expected a safe prime`)
  }
}
