/** Mutants of `crypto/` that behave like the program in every test, with the reason. @module */
import { type Equal, NARROWING } from './reasons.ts'

const NO_INVERSE = '0 and n have no inverse, and their powers are 0 modulo n: the equation refuses them, too'
const CHANCE = 'a random number or a hash has that value once in 2^256 times'
const FACTOR = 'a number without an inverse modulo n reveals a factor of n, so no test has one'

export const EQUAL_CRYPTO: readonly Equal[] = [
  { names: /^crypto\/signature\.ts verifySignature: off by one A [<>]/, reason: NO_INVERSE },
  {
    names: /^crypto\/signature\.ts (?:verifySignature|S|powers): off by one v < 0n$/,
    reason: 'for v = 0 the power of S and the power of its inverse are both 1',
  },
  { names: /^crypto\/signature\.ts verifySignature: never if \(S === undefined\)/, reason: FACTOR },
  {
    names: /^crypto\/revocation\/witness\.ts isSized: off by one u [<>]/,
    reason: NO_INVERSE,
  },
  {
    names: /^crypto\/timestamp\.ts disclosedPart: off by one index >= 0/,
    reason: 'a proof that discloses its secret key, which is the index 0, is refused anyway',
  },
  {
    names: /^crypto\/keyshare\/merge\.ts U: off by one proof\.U < n/,
    reason: 'U = n is refused later, and so is 0, to which the mutant would reduce n',
  },
  {
    names: /^crypto\/bytes\.ts bitLength: never if \(x === 0n\)/,
    reason: 'the formula below returns 0 for 0, too; the line is only for readers',
  },
  { names: /^crypto\/commitment\.ts hasRightSizes: off by one proof\.U [<>]/, reason: NO_INVERSE },
  {
    names: /^crypto\/disclosure\.ts contributionOfDisclosure: never if \(alpha === undefined\)/,
    reason: 'the check of the indices has already refused a proof without that response',
  },
  { names: /^crypto\/proof-list\.ts contributionsWith: without key in part && key/, reason: NARROWING },
  {
    names: /^crypto\/revocation\/proof\.ts isNonRevocationProper: off by one C[ru] [<>]/,
    reason: NO_INVERSE,
  },
  { names: /^crypto\/revocation\/proof\.ts contributionOf: without last in last/, reason: FACTOR },
  {
    names: /^crypto\/revocation\/proof\.ts draftNonRevocation: never if \(contribution === undefined\)/,
    reason: FACTOR,
  },
  {
    names: /^crypto\/revocation\/cbor\.ts count: off by one count >/,
    reason: 'as many elements as bytes cannot fit beside the count: reading fails at the end of the bytes',
  },
  { names: /^crypto\/revocation\/witness\.ts isRight: without u !== undefined/, reason: NARROWING },
  { names: /^crypto\/issuance\.ts randomUnit: without r % [pq]Prime/, reason: CHANCE },
]
