/** The rules of sign-in as the endpoints see them. @module */
import type { SignIn } from '../../http/oidc/deps.ts'
import type { Randomness } from '../../ports/randomness.ts'
import { readClaimsParameter } from '../../sessions/sign-in/asked-claims.ts'
import { loginOf } from '../../sessions/sign-in/login-claims.ts'
import { requestOf } from '../../sessions/sign-in/login-request.ts'
import { refusal, type SignInRules } from '../../sessions/sign-in/rules.ts'
import { subjectOf } from '../../sessions/sign-in/subject.ts'

export function signInOf(rules: SignInRules, random: Pick<Randomness, 'token'>): SignIn {
  return {
    readClaims: readClaimsParameter,
    requestOf: ask => requestOf(rules, ask),
    answerOf(plan, { proofStatus, disclosed }) {
      const client = rules.clients.get(plan.clientId)
      if (client === undefined) return refusal('unauthorized_client', 'the client is unknown')
      const randomId = `${random.token()}${random.token()}`
      const login = loginOf(
        plan,
        { proofStatus: proofStatus ?? undefined, disclosed },
        { subject: rules.subject, randomId },
      )
      if (login.type === 'refused') return login
      const { claims, acr = null, seed } = login
      return { type: 'answer', sub: subjectOf(seed, client.sector), claims, acr }
    },
  }
}
