/** The holder of a value that is longer than an attribute discloses the hash of the value. @module */
import type { Attack } from '../attack.ts'
import { discloseHashOf } from '../hash-of-a-value.ts'

export const attack: Attack = {
  name: 'hash-as-value',
  gains: 'a disclosed value that no issuer signed: 32 bytes that the holder cannot choose',
  cites: 'spec/decisions#d25',
  on: 'session server',
  run: service => discloseHashOf('a long text, such as the name of a street and a town', service),
}
