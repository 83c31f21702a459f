/** All parsers, in two groups: those that only read, and submissions with proofs. @module */
import type { Group } from '../fuzz.ts'
import { ofKeyshare } from './keyshare.ts'
import { parserTarget } from './parser.ts'
import { ofProtocol, ofRevocation } from './protocol.ts'
import { ofJwts, ofSchemes, ofSettings } from './schemes.ts'
import { ofSdJwt } from './sd-jwt.ts'
import { ofSignIn } from './sign-in.ts'
import { ofSubmissions, ofWallet } from './wallet.ts'

export const PARSERS: Group = {
  targets: [
    ...ofProtocol,
    ...ofRevocation,
    ...ofKeyshare,
    ...ofSchemes,
    ...ofJwts,
    ...ofSettings,
    ...ofSignIn,
    ...ofWallet,
    ...ofSdJwt,
  ].map(parserTarget),
  share: 50,
}

export const SUBMISSIONS: Group = { targets: ofSubmissions.map(parserTarget), share: 2 }
