/** A value of more than Lm bits is signed as its hash (spec/decisions#d25). The holder chooses this value, and searches for one whose hash is valid UTF-8, so that it
 *  could pass for a text: one of 10^8 is. The search takes a minute on one core. @module */
import type { Attack } from '../attack.ts'
import { discloseHashOf } from '../hash-of-a-value.ts'

export const attack: Attack = {
  name: 'chosen-hash',
  gains: 'a disclosed value that no issuer signed, from a text that the holder chose',
  cites: 'spec/decisions#d25',
  on: 'session server',
  run: service => discloseHashOf('a text that its holder chose 000013361587', service),
}
