/** The standard claims of OpenID Connect Core 5.1, made of attributes of public and demo schemes. A claim is used only where a scheme that it names is
 *  installed. In production, attributes of demo schemes are left out. docs/sign-in-claims.md lists them. @module */
import { type AttributeFacts, isUsable } from './attributes.ts'
import { isObject } from './member-reader.ts'

type StandardClaim = {
  readonly any_of: readonly (string | Readonly<Record<string, unknown>>)[]
  readonly convert?: 'date' | 'presence'
}

type Way = StandardClaim['any_of'][number]

const [CARD, DEMO_HOME] = ['svc-demo.gov.idcard', 'svc-demo.gov.address']

/** The public scheme and its demo scheme have the same names. */
const PUBLIC_SCHEMES = ['pbdf', 'irma-demo']

function ofPublic(wayOf: (scheme: string) => Way): readonly Way[] {
  return PUBLIC_SCHEMES.map(wayOf)
}

function ofPerson(name: string): readonly Way[] {
  return ofPublic(scheme => `${scheme}.gemeente.personalData.${name}`)
}

const MAILS: readonly Way[] = [
  ...ofPublic(scheme => `${scheme}.sidn-pbdf.email.email`),
  'svc-keyshare.keyshare.mail.address',
]
const NUMBERS = ofPublic(scheme => `${scheme}.sidn-pbdf.mobilenumber.mobilenumber`)

const STANDARD_CLAIMS: Readonly<Record<string, StandardClaim>> = {
  name: { any_of: [...ofPerson('fullname'), { attributes: [`${CARD}.initials`, `${CARD}.familyname`] }] },
  given_name: { any_of: ofPerson('firstnames') },
  family_name: {
    any_of: [
      ...ofPublic(scheme => {
        const person = `${scheme}.gemeente.personalData`
        return { attributes: [`${person}.prefix`, `${person}.familyname`] }
      }),
      `${CARD}.familyname`,
    ],
  },
  birthdate: { any_of: ofPerson('dateofbirth'), convert: 'date' },
  email: { any_of: MAILS },
  email_verified: { any_of: MAILS, convert: 'presence' },
  phone_number: { any_of: NUMBERS },
  phone_number_verified: { any_of: NUMBERS, convert: 'presence' },
  address: {
    any_of: [
      ...ofPublic(scheme => addressOf(`${scheme}.gemeente.address`, ['street', 'houseNumber'])),
      addressOf(DEMO_HOME, ['street', 'housenumber', 'addition']),
    ],
  },
}

function addressOf(home: string, street: readonly string[]): Way {
  return {
    members: {
      street_address: street.map(name => `${home}.${name}`),
      locality: `${home}.city`,
      postal_code: `${home}.zipcode`,
    },
  }
}

/** A claim that describes another claim. It is added only if the other one is the standard claim too, and not one of the settings. */
const ABOUT: Readonly<Record<string, string>> = {
  email_verified: 'email',
  phone_number_verified: 'phone_number',
}

/** Core 5.4. The specification calls these claims voluntary. */
export const STANDARD_SCOPES: Readonly<Record<string, readonly string[]>> = {
  profile: [
    ...['name', 'family_name', 'given_name', 'middle_name', 'nickname', 'preferred_username', 'profile'],
    ...['picture', 'website', 'gender', 'birthdate', 'zoneinfo', 'locale', 'updated_at'],
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
}

/** @param given names of claims in the settings
 *  @returns the other standard claims, in the form of the settings */
export function standardClaims(
  given: readonly string[],
  facts: AttributeFacts,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(STANDARD_CLAIMS)
    .filter(([name]) => !given.includes(name) && !given.includes(ABOUT[name] ?? name))
    .map(([name, claim]) => {
      const usable = claim.any_of.filter(way => attributesIn(way).every(each => isUsable(each, facts)))
      return [name, { ...claim, any_of: usable }] as const
    })
  return Object.fromEntries(entries.filter(([, { any_of }]) => any_of.length > 0))
}

function attributesIn(way: unknown): readonly string[] {
  if (typeof way === 'string') return [way]
  if (Array.isArray(way)) return way.flatMap(attributesIn)
  return isObject(way) ? Object.values(way).flatMap(attributesIn) : []
}
