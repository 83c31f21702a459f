/** Writes key files of issuers byte for byte as other tools do (spec/schemes-and-cli#7.3); `keys.ts` reads them. @module */
import type { IssuerPrivateKey, IssuerPublicKey } from '../crypto/public-key.ts'
import { NAMESPACE } from './keys.ts'

/** The length of an epoch, 5 days. All tools write it, and no tool uses it. */
const EPOCH_SEC = 432_000

export function publicKeyXml(key: IssuerPublicKey): string {
  const { n, Z, S, R, revocation } = key
  const numbers = Object.entries({ n, Z, S, ...(revocation && { G: revocation.G, H: revocation.H }) })
  return file('IssuerPublicKey', key, [
    '   <Elements>',
    ...numbers.map(([name, value]) => `      <${name}>${value}</${name}>`),
    `      <Bases num="${R.length}">`,
    ...R.map((base, index) => `         <Base_${index}>${base}</Base_${index}>`),
    '      </Bases>',
    '   </Elements>',
    '   <Features>',
    `      <Epoch length="${EPOCH_SEC}"></Epoch>`,
    '   </Features>',
    ...ecdsa(revocation?.ecdsa),
  ])
}

/** Secret. */
export function privateKeyXml(key: IssuerPrivateKey): string {
  const { p, q, pPrime, qPrime } = key
  return file('IssuerPrivateKey', key, [
    '   <Elements>',
    ...Object.entries({ p, q, pPrime, qPrime }).map(([name, value]) => `      <${name}>${value}</${name}>`),
    '   </Elements>',
    ...ecdsa(key.ecdsa),
  ])
}

function ecdsa(key: string | undefined): readonly string[] {
  return key === undefined ? [] : [`   <ECDSA>${key}</ECDSA>`]
}

type Dated = { readonly counter: number; readonly expiresAtSec: number }

function file(root: string, { counter, expiresAtSec }: Dated, lines: readonly string[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
    `<${root} xmlns="${NAMESPACE}">`,
    `   <Counter>${counter}</Counter>`,
    `   <ExpiryDate>${expiresAtSec}</ExpiryDate>`,
    ...lines,
    `</${root}>`,
  ].join('\n')
}
