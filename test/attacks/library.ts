/** All attacks, by name. A test compares the list with the files of `library/`. @module */
import type { Attack } from './attack.ts'
import { attack as callInside } from './library/call-inside.ts'
import { attack as chosenHash } from './library/chosen-hash.ts'
import { attack as expiryByChoice } from './library/expiry-by-choice.ts'
import { attack as hashAsValue } from './library/hash-as-value.ts'
import { attack as loginCsrf } from './library/login-csrf.ts'
import { attack as looseChallenge } from './library/loose-challenge.ts'
import { attack as replayedProof } from './library/replayed-proof.ts'
import { attack as secretKeyDisclosed } from './library/secret-key-disclosed.ts'
import { attack as selfSigned } from './library/self-signed.ts'
import { attack as slowBehindProxy } from './library/slow-behind-proxy.ts'
import { attack as twoHolders } from './library/two-holders.ts'
import { attack as unknownKeys } from './library/unknown-keys.ts'
import { attack as valueByChoice } from './library/value-by-choice.ts'
import { attack as zeroPower } from './library/zero-power.ts'

export const ATTACKS: readonly Attack[] = [
  callInside,
  chosenHash,
  expiryByChoice,
  hashAsValue,
  loginCsrf,
  looseChallenge,
  replayedProof,
  secretKeyDisclosed,
  selfSigned,
  slowBehindProxy,
  twoHolders,
  unknownKeys,
  valueByChoice,
  zeroPower,
]
