/** Wallets for the suites, filled with credentials signed by the demo schemes' issuers, and the check of their disclosures. @module */
import { randomBytes } from 'node:crypto'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import type { DisclosureProof, ProofToVerify } from '../../crypto/disclosure.ts'
import { decodeMetadata } from '../../crypto/metadata.ts'
import { verifyProofs } from '../../crypto/proof-list.ts'
import { type HeldCredential, walletWith } from '../../libraries/testing/sign-credentials.ts'
import { type Credential, recognise, shownText } from '../../libraries/wallet/credential.ts'
import { openWallet, type Wallet, type WalletDeps } from '../../libraries/wallet/wallet.ts'
import { parseDisclosureMessage } from '../../protocol/disclosure-message.ts'
import { issuerOf, schemeOf } from '../../protocol/ids.ts'
import type { DisclosureIndices } from '../../protocol/proofs-json.ts'
import { revocationIndexOf } from '../../schemes/base-indices.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { NOW_SEC, schemes } from './support.ts'

export const arithmetic = chooseArithmetic('auto')

export const deps: WalletDeps = {
  schemes,
  arithmetic,
  clock: { wallNow: () => NOW_SEC * 1000 },
  randomBytes: count => randomBytes(count),
}

/** A wallet with the credentials of the recorded sessions. */
export const RECORDED: readonly HeldCredential[] = [
  {
    type: 'svc-demo.gov.idcard',
    attributes: {
      initials: 'A.B.',
      familyname: 'Voorbeeld',
      over18: 'yes',
      nationality: 'NL',
      docnumber: 'X1',
    },
  },
  {
    type: 'svc-demo.gov.idcard',
    attributes: { initials: 'C.', familyname: 'Ünal-中文 €', over18: 'no', docnumber: 'X2' },
  },
  {
    type: 'svc-demo.gov.address',
    attributes: { street: 'Voorstraat', housenumber: '1', zipcode: '3512 AN', city: 'Utrecht' },
  },
  { type: 'svc-demo.gov.registration', attributes: { number: '999990342', over18: 'yes' } },
  {
    type: 'svc-demo.uni.student',
    attributes: { university: 'Voorbeeld', studentnumber: 's1234567', level: 'master' },
  },
  { type: 'svc-demo.uni.ballot', attributes: { election: 'Council', url: 'https://vote.example.test' } },
  { type: 'svc-demo.fast.note', attributes: { text: 'hello', extra: 'world' } },
  { type: 'svc-demo.fast.note', attributes: { text: '' } },
  { type: 'svc-demo.fast.note', attributes: { text: 'a', extra: 'b' } },
]

/** A closed wallet of each list of credentials. Signing takes 20 ms of CPU for each credential, so the wallets of one list are copies. */
const patterns = new Map<readonly HeldCredential[], Promise<string>>()

/** Wallets with the same list of credentials have the same secret key. */
export async function newWallet(
  credentials: readonly HeldCredential[] = RECORDED,
  developerMode = true,
  withDeps = deps,
): Promise<Wallet> {
  const dir = join(temporaryFolder(), 'wallet')
  if (withDeps !== deps || !developerMode) return walletWith(dir, credentials, withDeps, developerMode)
  const pattern = patterns.get(credentials) ?? newPattern(credentials)
  patterns.set(credentials, pattern)
  await cp(await pattern, dir, { recursive: true })
  return openWallet(dir, deps)
}

async function newPattern(credentials: readonly HeldCredential[]): Promise<string> {
  const dir = join(temporaryFolder(), 'wallet')
  await (await walletWith(dir, credentials, deps)).close()
  return dir
}

export type DisclosedValue = { readonly id: string; readonly value: string | null }

/** The attributes that a requestor gets from a disclosure message; asserts that its proofs are valid. */
export function disclosedBy(
  text: string,
  { context, nonce }: { context: bigint; nonce: bigint },
): DisclosedValue[][] {
  const { proofs, indices } = parseDisclosureMessage(text)
  const disclosures = proofs.map(proofToVerify)
  if (proofs.length > 0) {
    const list = { disclosures, commitments: [], context, nonce, isSignature: false }
    assert.ok(verifyProofs(arithmetic, list), 'valid proofs')
  }
  return shownBy(proofs, indices)
}

/** The credential of a proof, with its disclosed attributes; hidden attributes are 0. */
function shownCredential(proof: DisclosureProof): Credential {
  const metadata = proof.aDisclosed.get(1) ?? 0n
  const type = schemes.credentialTypeByHash(decodeMetadata(metadata).credentialTypeHash)
  if (!type) throw new Error('unknown type')
  const attributes = [metadata, ...type.attributes.map((_, i) => proof.aDisclosed.get(i + 2) ?? 0n)]
  const credential = recognise({ id: '', attributes, signature: { A: 1n, e: 1n, v: 1n } }, schemes)
  if (!credential) throw new Error('unknown key')
  return credential
}

export function proofToVerify(proof: DisclosureProof): ProofToVerify {
  const { key, type } = shownCredential(proof)
  const group = schemes.groupOf(schemeOf(issuerOf(type.id)))
  return {
    proof,
    key,
    group,
    attributeCount: type.attributes.length,
    revocationIndex: revocationIndexOf(type),
  }
}

/** Reads the attributes without any code that plans disclosures in the wallet. */
export function shownBy(proofs: readonly DisclosureProof[], indices: DisclosureIndices): DisclosedValue[][] {
  return indices.map(item =>
    item.map(({ cred, attr }) => {
      const proof = proofs[cred]
      if (!proof?.aDisclosed.has(attr)) throw new Error('index of something that is not disclosed')
      const credential = shownCredential(proof)
      const id = credential.type.attributes[attr - 2]?.id ?? credential.type.id
      return { id, value: shownText(credential, attr) }
    }),
  )
}
