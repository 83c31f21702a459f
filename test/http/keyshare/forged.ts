/** JWTs that the user's device has not signed, or that are not valid now. @module */
import { appJwt, type Device, forcedJwt, NOW_SEC, newDevice, signedText } from '../../accounts/jwts.ts'
import { SIGNER } from './harness.ts'

/** JWTs that no app may send, signed by any key. */
export const FORGED: readonly (readonly [
  title: string,
  jwt: (claims: object, device: Device) => Promise<string> | string,
])[] = [
  ['of another device', claims => appJwt(claims, newDevice())],
  ['of alg none', (claims, device) => forcedJwt(claims, device, { alg: 'none' })],
  [
    'of HS256 with the bytes of the key',
    (claims, { der }) => signedText(JSON.stringify(claims), { alg: 'HS256' }, der),
  ],
  ['of RS256', claims => signedText(JSON.stringify(claims), { alg: 'RS256' }, SIGNER.privateKey)],
  [
    'without a signature',
    async (claims, device) => `${(await appJwt(claims, device)).split('.').slice(0, 2).join('.')}.`,
  ],
  ['that has expired', (claims, device) => appJwt({ ...claims, exp: NOW_SEC }, device)],
  ['with an nbf in the future', (claims, device) => appJwt({ ...claims, nbf: NOW_SEC + 11 }, device)],
  ['of another form', () => 'x'],
]
