/** A thief sends the copy of an answer to a challenge again: at once, and while a later challenge is open. @module */
import { appJwt } from '../../accounts/jwts.ts'
import type { Attack } from '../attack.ts'
import {
  answerClaims,
  answerWith,
  challengeFor,
  hasToken,
  startJwt,
  startKeyshare,
  userOf,
} from '../keyshares.ts'

export const attack: Attack = {
  name: 'login-replayed',
  gains: 'a login from the copy of an earlier one',
  cites: 'spec/keyshare-server#6.2',
  on: 'own servers',
  async run(own) {
    const servers = await startKeyshare(own)
    const user = await userOf(servers)
    const challenge = await challengeFor(servers, await startJwt(user))
    const jwt = await appJwt(answerClaims(user, challenge ?? ''), user.device)
    if (!hasToken(await answerWith(servers, jwt))) throw new Error('expected a login of the user')
    if (hasToken(await answerWith(servers, jwt))) return 'the same answer logs in twice'
    await challengeFor(servers, await startJwt(user))
    return hasToken(await answerWith(servers, jwt)) ? 'an old answer to a new challenge' : null
  },
}
