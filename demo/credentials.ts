/** What the phone of the tour holds: cards of one made-up person, two of some kinds, so that there is something to choose. @module */
import type { DemoCredential } from './obtain-credentials.ts'

const PERSON = { initials: 'A.M.', familyname: 'de Vries' }

export const PHONE_CREDENTIALS: readonly DemoCredential[] = [
  {
    type: 'svc-demo.gov.idcard',
    attributes: { ...PERSON, over18: 'yes', nationality: 'NL', docnumber: 'SPECI2014' },
  },
  { type: 'svc-demo.gov.registration', attributes: { number: '999990342', over18: 'yes' } },
  {
    type: 'svc-demo.gov.address',
    attributes: { street: 'Harbour Street', housenumber: '12', zipcode: '3512 AN', city: 'Utrecht' },
  },
  {
    type: 'svc-demo.gov.address',
    attributes: {
      street: 'Dune Road',
      housenumber: '7',
      addition: 'b',
      zipcode: '8899 BC',
      city: 'Vlieland',
    },
  },
  {
    type: 'svc-demo.uni.student',
    attributes: { university: 'City University', studentnumber: 's1234567', level: 'master' },
  },
  {
    type: 'svc-demo.uni.student',
    attributes: { university: 'Music Academy', studentnumber: '20-4481', level: 'bachelor' },
  },
]
