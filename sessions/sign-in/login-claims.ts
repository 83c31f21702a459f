/** The claims, the level of assurance and the subject of a login, of the verified result of its session. The same plan, result and random id always give the
 *  same login. @module */
import type { JsonValue } from '../../protocol/json.ts'
import { convert } from './conversions.ts'
import type { Claims, LoginResult, ResultAttribute, UsedAlternative } from './login-result.ts'
import type { LoginPlan, PlannedAlternative, PlannedClaim } from './plan.ts'
import { type LoginRefusal, refusal, type SubjectRule, type TextParts, VERIFIED_CLAIMS } from './rules.ts'
import { attributeSeed } from './subject.ts'
import { verifiedClaims } from './verified-claims.ts'

export type Login = {
  readonly type: 'login'
  /** Secret. Only what the client asked for; empty values are left out. */
  readonly claims: Claims
  /** level of assurance, one of `acrValues`; left out: none */
  readonly acr?: string
  /** secret, for `subjectOf` */
  readonly seed: string
}

export type SubjectSource = {
  readonly subject: SubjectRule
  /** at least 16 random bytes as text, another one for each login */
  readonly randomId: string
}

/** @returns a refusal if the result is not that of a valid disclosure, or if the login needs a value that it does not have */
export function loginOf(plan: LoginPlan, result: LoginResult, source: SubjectSource): Login | LoginRefusal {
  if (result.proofStatus !== 'VALID')
    return refusal('access_denied', 'expected a valid disclosure, got another result')
  const used = plan.items.map((item, i) => usedAlternative(item.alternatives, result.disclosed?.[i] ?? null))
  if (!used.every(each => each !== null))
    return refusal('server_error', 'expected the attributes that were asked for, got others')
  const claims = claimsOf(used)
  if ('type' in claims) return claims
  const seed = seedOf(plan, used, source)
  if (typeof seed !== 'string') return seed
  const acr = acrOf(plan, used)
  const verified = plan.hasVerifiedClaims ? verifiedClaims(used, claims.values) : []
  return {
    type: 'login',
    claims: { ...claims.values, ...(verified.length > 0 && { [VERIFIED_CLAIMS]: verified }) },
    ...(acr !== null && { acr }),
    seed,
  }
}

/** The first alternative that the attributes satisfy: the same one that the session server chose (sessions/match-proofs.ts). */
function usedAlternative(
  alternatives: readonly PlannedAlternative[],
  attributes: readonly ResultAttribute[] | null,
): UsedAlternative | null {
  if (attributes === null) return null
  const alternative = alternatives.find(
    ({ attributes: asked }) =>
      asked.length === attributes.length &&
      asked.every(({ type, value, notNull }, i) => {
        const { id, rawvalue = null } = attributes[i] ?? {}
        return id === type && (value === null || value === rawvalue) && !(notNull && rawvalue === null)
      }),
  )
  return alternative === undefined ? null : { alternative, attributes }
}

function claimsOf(used: readonly UsedAlternative[]): { readonly values: Claims } | LoginRefusal {
  const values: Record<string, JsonValue> = {}
  for (const { alternative, attributes } of used)
    for (const claim of alternative.claims) {
      const value = claimValue(claim, attributes)
      if (value === 'unconvertible')
        return refusal('access_denied', `the claim ${claim.name} has a value that cannot be converted`)
      if (value !== null) values[claim.name] = value.is
    }
  return { values }
}

/** @returns null: the claim is left out */
function claimValue(
  { form, conversion, unconvertible, values }: PlannedClaim,
  attributes: readonly ResultAttribute[],
): { readonly is: JsonValue } | 'unconvertible' | null {
  if (form.type === 'object') {
    const members = Object.entries(form.members).map(
      ([name, parts]) => [name, textOf(parts, attributes)] as const,
    )
    const given = members.filter(([, text]) => text !== '')
    return given.length === 0 || values !== null ? null : { is: Object.fromEntries(given) }
  }
  const text = textOf(form, attributes)
  if (text === '') return null
  const value = convert(text, conversion)
  if (value === undefined) return unconvertible === 'refuse' ? 'unconvertible' : null
  return values === null || values.some(each => each === value) ? { is: value } : null
}

/** Joins the texts of attributes. No separator is added for an absent or empty text. */
function textOf({ indices, separator }: TextParts, attributes: readonly ResultAttribute[]): string {
  return indices
    .map(index => attributes[index]?.rawvalue ?? '')
    .filter(text => text !== '')
    .join(separator)
}

/** All credentials of a session are of one wallet, so the strongest level is that of the login. */
function acrOf({ preferredAcrs, acrValues }: LoginPlan, used: readonly UsedAlternative[]): string | null {
  const shown = used.flatMap(({ alternative }) => alternative.acrs)
  const byPreference = [...preferredAcrs, ...acrValues.toReversed()]
  return byPreference.find(acr => shown.includes(acr)) ?? null
}

function seedOf(
  { hasSubject }: LoginPlan,
  used: readonly UsedAlternative[],
  { subject, randomId }: SubjectSource,
): string | LoginRefusal {
  if (!hasSubject) return randomId
  if (subject.type === 'random')
    return refusal(
      'server_error',
      'expected the attribute of the subject in the settings, got random subjects',
    )
  const [value] = used.flatMap(({ alternative, attributes }) =>
    alternative.subject === null ? [] : [attributes[alternative.subject]],
  )
  if (value?.id !== subject.attribute)
    return refusal('server_error', 'expected the attribute of the subject, got another one')
  const text = value.rawvalue ?? ''
  if (text.trim() === '') return refusal('access_denied', 'the attribute of the subject is empty')
  return attributeSeed(subject.salt, subject.attribute, text)
}
