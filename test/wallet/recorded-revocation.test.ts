/** The recorded sessions about credentials that can be revoked, played to a wallet with the recorded credential. Its proofs verify, and it
 *  notices the recorded revocation (spec/cryptography#14). @module */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { fromBase64 } from '../../crypto/bytes.ts'
import { createFolder } from '../../libraries/wallet/folder.ts'
import { openWallet, type Wallet } from '../../libraries/wallet/wallet.ts'
import type { JsonValue } from '../../protocol/json.ts'
import { readWitness } from '../../protocol/revocation-json.ts'
import { readVector } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { deps } from './demo-wallets.ts'
import { disclose, provedIndex, standing } from './revocation-play.ts'

type Base64s<Name extends string> = Readonly<Record<Name, string>>
type Request = { readonly nonce: string; readonly revocation?: object; readonly disclose?: object }
type Transcript = {
  readonly walletAfterIssuance: {
    readonly secretKey: Base64s<'Key'>
    readonly credentials: readonly {
      readonly attributes: readonly string[]
      readonly signature: Base64s<'A' | 'e' | 'v'> & { readonly Witness: JsonValue }
    }[]
  }
  readonly exchanges: readonly { readonly response: { readonly body?: { readonly request?: Request } } }[]
}

const Recorded = suite('recorded sessions about revocation (spec/cryptography#14)')

async function recordedWallet({ walletAfterIssuance }: Transcript): Promise<Wallet> {
  const { secretKey, credentials } = walletAfterIssuance
  const dir = join(temporaryFolder(), 'wallet')
  const folder = await createFolder(dir, {
    developerMode: true,
    accounts: [],
    secretKey: fromBase64(secretKey.Key),
    credentials: credentials.map(({ attributes, signature: { A, e, v, Witness } }, i) => ({
      id: `${i}`,
      attributes: attributes.map(fromBase64),
      signature: { A: fromBase64(A), e: fromBase64(e), v: fromBase64(v) },
      revocation: { witness: readWitness(Witness, 'Witness'), isRevoked: false },
    })),
  })
  await folder.close()
  return openWallet(dir, deps)
}

for (const [name, before] of [
  ['revocation-1024', 2],
  ['revocation-2048', 1],
] as const)
  Recorded(`${name}: the recorded credential answers the requests until it is revoked`, async () => {
    const transcript = readVector(`transcripts/${name}.json`) as Transcript // recorded data, its shape is described in its README
    const wallet = await recordedWallet(transcript)
    const requests = transcript.exchanges.flatMap(({ response: { body } }) => body?.request ?? [])
    const disclosing = requests.filter(request => request.disclose)
    const proved: (number | null | string)[] = []
    for (const request of disclosing) {
      const played = await disclose(wallet, request)
      const nonce = fromBase64(request.nonce)
      proved.push(played.outcome.status === 'success' ? provedIndex(played, nonce) : played.outcome.status)
    }
    assert.equal(proved, [before, before, null, 'cancelled', null])
    assert.equal(standing(wallet), [true])
    await wallet.close()
  })

Recorded.run()
