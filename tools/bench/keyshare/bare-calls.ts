/** The bare calculations of a login, with prepared keys: one constant-time power (the server stores P since the first login), two checked signatures of the device,
 *  and two new ones of the server. @module */
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chooseArithmetic } from '../../../crypto/bignum/choose.ts'
import { drawRandomizer, powerOfSecret } from '../../../crypto/keyshare/secrets.ts'
import type { IssuerPublicKey } from '../../../crypto/public-key.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import { type Device, newDevice } from '../../../test/accounts/jwts.ts'

/** The number of characters of an app's and of a server's JWT. */
const [APP_CHARACTERS, SERVER_CHARACTERS] = [300, 600]

/** @param signer file of the server's RSA key
 *  @returns function that does all calculations of a login once */
export function bareCallsOf(key: IssuerPublicKey, signer: string): () => void {
  const arithmetic = chooseArithmetic('auto')
  const wk = drawRandomizer([key], systemRandomness.bytes)
  const rsa = createPrivateKey(readFileSync(signer))
  const check = signatureCheck(newDevice())
  const text = Buffer.alloc(SERVER_CHARACTERS, 's')
  return () => {
    powerOfSecret(key, wk, arithmetic) // Pcommit
    for (let i = 0; i < 2; i++) {
      if (!check()) throw new Error('benchmark: expected a right signature')
      sign('sha256', text, rsa)
    }
  }
}

function signatureCheck({ der, privateKey }: Device): () => boolean {
  const text = Buffer.alloc(APP_CHARACTERS, 'a')
  const dsaEncoding = 'ieee-p1363'
  const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })
  const signature = sign('sha256', text, { key: privateKey, dsaEncoding })
  return () => verify('sha256', text, { key, dsaEncoding }, signature)
}
