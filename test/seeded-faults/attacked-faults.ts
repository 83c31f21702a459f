/** Faults that a server must not have, each with the attack that then gains what it is for: one check is taken out, or made weaker. @module */

/** `right` occurs once in the built file. */
type Edit = readonly [file: string, right: string, wrong: string]

export type AttackedFault = {
  /** the name of the attack */
  readonly attack: string
  readonly title: string
  readonly edits: readonly Edit[]
}

const IS_DISJOINT = '[...aDisclosed.keys()].every(index => !aResponses.has(index)) &&'
/** A value that is both hidden and disclosed is part of the equation twice. */
const OVERLAPPING: readonly Edit[] = [
  ['crypto/disclosure.js', IS_DISJOINT, ''],
  [
    'crypto/disclosure.js',
    'm.set(index, c * attributeExponent(value, Lm));',
    'm.set(index, (m.get(index) ?? 0n) + c * attributeExponent(value, Lm));',
  ],
]

export const ATTACKED_FAULTS: readonly AttackedFault[] = [
  { attack: 'value-by-choice', title: 'Index sets that overlap', edits: OVERLAPPING },
  { attack: 'expiry-by-choice', title: 'Index sets that overlap in the metadata', edits: OVERLAPPING },
  {
    attack: 'secret-key-disclosed',
    title: 'A secret key that nobody has to hide',
    edits: [['crypto/disclosure.js', 'aResponses.has(SECRET_KEY) &&', '']],
  },
  {
    attack: 'zero-power',
    title: 'A of 0',
    edits: [['crypto/disclosure.js', 'proof.A > 0n &&', '']],
  },
  {
    attack: 'zero-power',
    title: 'A without an upper bound',
    edits: [['crypto/disclosure.js', 'proof.A < key.n &&', '']],
  },
  {
    attack: 'self-signed',
    title: 'A response of e without a bound',
    edits: [['crypto/disclosure.js', 'fitsBits(proof.eResponse, LeCommit + 1) &&', '']],
  },
  {
    attack: 'loose-challenge',
    title: 'A challenge without the nonce',
    edits: [
      [
        'crypto/proof-list.js',
        'return hashCommit([context, ...contributions.flat(), nonce], isSignature) ===',
        'return hashCommit([context, ...contributions.flat()], isSignature) ===',
      ],
    ],
  },
  {
    attack: 'two-holders',
    title: 'Secret keys that are not compared',
    edits: [['crypto/proof-list.js', ' && part.response === responses.get(part.group)', '']],
  },
]
