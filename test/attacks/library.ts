/** All attacks, by name. A test compares the list with the files of `library/`. @module */
import type { Attack } from './attack.ts'
import { attack as callInside } from './library/call-inside.ts'
import { attack as chosenHash } from './library/chosen-hash.ts'
import { attack as hashAsValue } from './library/hash-as-value.ts'
import { attack as loginCsrf } from './library/login-csrf.ts'
import { attack as slowBehindProxy } from './library/slow-behind-proxy.ts'
import { attack as unknownKeys } from './library/unknown-keys.ts'

export const ATTACKS: readonly Attack[] = [
  callInside,
  chosenHash,
  hashAsValue,
  loginCsrf,
  slowBehindProxy,
  unknownKeys,
]
