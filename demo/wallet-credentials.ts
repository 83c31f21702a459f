/** The credentials that `svc wallet init --demo` puts into a wallet, all of one invented person. It has two addresses, for a choice, one of them without its
 *  optional part, and random blind values. @module */
import type { DemoCredential } from './obtain-credentials.ts'

export const DEMO_CREDENTIALS: readonly DemoCredential[] = [
  {
    type: 'svc-demo.gov.idcard',
    attributes: {
      initials: 'A.M.',
      familyname: 'de Vries',
      over18: 'yes',
      nationality: 'NL',
      docnumber: 'SPECI2014',
    },
  },
  {
    type: 'svc-demo.gov.address',
    attributes: {
      street: 'Voorstraat',
      housenumber: '12',
      addition: 'bis',
      zipcode: '3512 AN',
      city: 'Utrecht',
    },
  },
  {
    type: 'svc-demo.gov.address',
    attributes: { street: 'Duinweg', housenumber: '7', zipcode: '8899 BC', city: 'Vlieland' },
  },
  { type: 'svc-demo.gov.registration', attributes: { number: '999990342', over18: 'yes' } },
  {
    type: 'svc-demo.uni.student',
    attributes: { university: 'Voorbeeld', studentnumber: 's1234567', level: 'master' },
  },
  {
    type: 'svc-demo.uni.ballot',
    attributes: { election: 'University council', url: 'https://vote.example.test' },
  },
  { type: 'svc-demo.fast.note', attributes: { text: 'hello', extra: 'world' } },
  { type: 'svc-demo.fast.lot', attributes: { draw: 'Spring' } },
]
