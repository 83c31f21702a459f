/** A thief of the PIN logs in without the device: each JWT is signed by another key, or not at all. @module */
import { appJwt, forcedJwt, newDevice, signedText } from '../../accounts/jwts.ts'
import type { Attack } from '../attack.ts'
import {
  answerClaims,
  answerWith,
  challengeFor,
  hasToken,
  startJwt,
  startKeyshare,
  type User,
  userOf,
} from '../keyshares.ts'

const FORGED: Readonly<Record<string, (claims: object, user: User) => string | Promise<string>>> = {
  'another device': claims => appJwt(claims, newDevice()),
  'alg none': claims => forcedJwt(claims, newDevice(), { alg: 'none' }),
  'alg none, without a signature': claims =>
    forcedJwt(claims, newDevice(), { alg: 'none' }).replace(/[^.]*$/, ''),
  'the public key as a secret': (claims, { device }) =>
    signedText(JSON.stringify(claims), { alg: 'HS256' }, device.der),
  'no signature': claims => forcedJwt(claims, newDevice(), { alg: 'ES256' }).replace(/[^.]*$/, ''),
}

export const attack: Attack = {
  name: 'login-forged',
  gains: 'a login with the PIN alone, without the device of the user',
  cites: 'spec/keyshare-server#3.5',
  on: 'own servers',
  async run(own) {
    const servers = await startKeyshare(own)
    const user = await userOf(servers)
    for (const [what, forge] of Object.entries(FORGED)) {
      const exp = Math.floor(Date.now() / 1_000) + 180
      const theirs = await challengeFor(servers, await forge({ id: user.userName, exp }, user))
      const challenge = theirs ?? (await challengeFor(servers, await startJwt(user)))
      if (challenge === null) throw new Error('expected a challenge for the user')
      const answer = await answerWith(servers, await forge(answerClaims(user, challenge), user))
      if (hasToken(answer)) return `a login signed with ${what}`
    }
    return null
  },
}
