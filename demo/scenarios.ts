/** What the web shop can ask for: the disclosure requests of the tour (spec 2.3, 2.4). @module */
import type { Profile } from '../protocol/profiles.ts'

export const SCENARIOS = ['age', 'login', 'delivery'] as const
export type Scenario = (typeof SCENARIOS)[number]

const IDCARD = 'svc-demo.gov.idcard'
const STUDENT = 'svc-demo.uni.student'
const REGISTRATION = 'svc-demo.gov.registration'
const ADDRESS = 'svc-demo.gov.address'

export const OVER_18 = `${IDCARD}.over18`
export const UNIVERSITY = `${STUDENT}.university`
export const STUDENT_NUMBER = `${STUDENT}.studentnumber`
export const REGISTRATION_NUMBER = `${REGISTRATION}.number`
export const POSTAL_CODE = `${ADDRESS}.zipcode`
export const HOUSE_NUMBER = `${ADDRESS}.housenumber`
export const FAMILY_NAME = `${IDCARD}.familyname`

const DISCLOSE: Readonly<Record<Scenario, readonly (readonly (readonly string[])[])[]>> = {
  age: [[[OVER_18]]],
  login: [[[UNIVERSITY, STUDENT_NUMBER], [REGISTRATION_NUMBER]]],
  delivery: [[[POSTAL_CODE, HOUSE_NUMBER]], [[], [FAMILY_NAME]]], // the empty inner conjunction makes the name optional
}

/** The body of `POST /session`. */
export function requestOf(scenario: Scenario, { contextBase }: Pick<Profile, 'contextBase'>): object {
  return { '@context': `${contextBase}/ld/request/disclosure/v2`, disclose: DISCLOSE[scenario] }
}
