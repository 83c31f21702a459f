/** Requests of every type, in the form of requestors in profile svc, and the credentials of the wallet of these tests. @module */
import type { HeldCredential } from '../../libraries/testing/sign-credentials.ts'
import { NOW_SEC } from '../wallet/support.ts'

export const CONTEXT = 'https://svc.example'
export const OVER18 = 'svc-demo.gov.idcard.over18'
export const NOTE = 'svc-demo.fast.note.text'
export const WEEK_SEC = 604_800

export const HELD: readonly HeldCredential[] = [
  {
    type: 'svc-demo.gov.idcard',
    attributes: { initials: 'A.B.', familyname: 'Voorbeeld', over18: 'yes', docnumber: 'X1' },
  },
  {
    type: 'svc-demo.gov.address',
    attributes: { street: 'Voorstraat', housenumber: '1', zipcode: '3512 AN', city: 'Utrecht' },
  },
  { type: 'svc-demo.fast.note', attributes: { text: 'hello', extra: 'world' } },
  { type: 'svc-demo.fast.note', attributes: { text: 'other', extra: '' } },
  {
    type: 'svc-demo.uni.student',
    attributes: { university: 'Voorbeeld', studentnumber: 's1234567', level: 'master' },
    signedAtSec: NOW_SEC - 60 * WEEK_SEC,
    expiresAtSec: NOW_SEC - 8 * WEEK_SEC,
  },
]

export function disclosure(members: object = {}): object {
  return { '@context': `${CONTEXT}/ld/request/disclosure/v2`, disclose: [[[OVER18]]], ...members }
}

export function signature(members: object = {}): object {
  const message = 'I agree'
  return { '@context': `${CONTEXT}/ld/request/signature/v2`, message, disclose: [[[NOTE]]], ...members }
}

export function issuance(members: object = {}): object {
  return { '@context': `${CONTEXT}/ld/request/issuance/v2`, credentials: [note()], ...members }
}

/** A credential request. */
export function note(members: object = {}): object {
  return { credential: 'svc-demo.fast.note', attributes: { text: 'issued' }, ...members }
}
