/** What a login comes to without anything around it: one constant-time power (the server has kept P since the first login), two signatures of the device that are checked, and two of the server that are
 *  made, with keys that are kept. @module */
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { drawRandomizer, powerOfSecret } from '../../crypto/keyshare/secrets.ts'
import type { IssuerPublicKey } from '../../crypto/public-key.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { type Device, newDevice } from '../../test/accounts/jwts.ts'

/** The characters of the JWTs of an app, and of the server. */
const [APP_CHARACTERS, SERVER_CHARACTERS] = [300, 600]

/** @param signer file of the RSA key of the server
 *  @returns what does all of a login once */
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
