/** Signed requests and results in the words of a profile. @module */
import type { ProfileName } from '../../protocol/profiles.ts'
import { hmacKey, type JwtKey, readJwt, rsaKey, writeJwt } from './jwt-text.ts'
import type { RecordedServer } from './recorded-server.ts'
import { inWordsOf } from './words-of-profile.ts'

const REQUESTOR = rsaKey('requestor-rs256')
const RESULTS = rsaKey('session-jwt')

/** The same request, signed again by the same party; a wrong signature stays wrong. Any other text stays the same. */
export function inProfile(text: string, { requestors = {} }: RecordedServer, profile: ProfileName): string {
  const jwt = readJwt(text)
  if (!jwt) return text
  const payload = inWordsOf(profile, jwt.payload)
  if (payload === jwt.payload) return text
  const secrets = Object.values(requestors).filter(each => each.auth_method === 'hmac')
  const keys = [REQUESTOR, ...secrets.map(each => hmacKey(each.key ?? ''))]
  const key = keys.find(each => jwt.isOf(each))
  return writeJwt(jwt.header, payload, key ?? FORGER)
}

const FORGER: JwtKey = { ...REQUESTOR, sign: () => Buffer.alloc(32) }

/** The claims of a signed result, after a check of its signature; any other text stays the same. The same claims and key always give the same JWT.
 *  @param isRecorded true converts it to the words of the profile */
export function claimsIn(text: string, profile: ProfileName, isRecorded: boolean): string {
  const jwt = readJwt(text)
  if (!jwt) return text
  const payload = isRecorded ? inWordsOf(profile, jwt.payload) : jwt.payload
  return `${jwt.isOf(RESULTS) ? 'signed' : 'badly signed'} ${jwt.header} ${payload}`
}
