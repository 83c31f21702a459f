/** Faults in the checks of proofs. @module */
import type { AttackedFault, Edit } from './attacked-fault.ts'

const IS_DISJOINT = '[...aDisclosed.keys()].every(index => !aResponses.has(index)) &&'
/** Without the check, and with a value that is both hidden and disclosed counted twice in the equation. */
const OVERLAPPING: readonly Edit[] = [
  ['crypto/disclosure.js', IS_DISJOINT, ''],
  [
    'crypto/disclosure.js',
    'm.set(index, c * attributeExponent(value, Lm));',
    'm.set(index, (m.get(index) ?? 0n) + c * attributeExponent(value, Lm));',
  ],
]

export const FAULTS_OF_PROOFS: readonly AttackedFault[] = [
  { attack: 'value-by-choice', title: 'Index sets that overlap', edits: OVERLAPPING },
  { attack: 'expiry-by-choice', title: 'Index sets that overlap in the metadata', edits: OVERLAPPING },
  {
    attack: 'secret-key-disclosed',
    title: 'A secret key that may be disclosed',
    edits: [['crypto/disclosure.js', 'aResponses.has(SECRET_KEY) &&', '']],
  },
  {
    attack: 'zero-power',
    title: 'A proof with an A of 0 that is accepted',
    edits: [['crypto/disclosure.js', 'proof.A > 0n &&', '']],
  },
  {
    attack: 'zero-power',
    title: 'A proof whose A has no upper bound',
    edits: [['crypto/disclosure.js', 'proof.A < key.n &&', '']],
  },
  {
    attack: 'self-signed',
    title: 'A proof whose response for e has no bound',
    edits: [['crypto/disclosure.js', 'fitsBits(proof.eResponse, LeCommit + 1) &&', '']],
  },
  {
    attack: 'loose-challenge',
    title: 'A challenge that is accepted without the nonce',
    edits: [
      [
        'crypto/proof-list.js',
        'return hashCommit([context, ...contributions.flat(), nonce], isSignature) ===',
        'return hashCommit([context, ...contributions.flat()], isSignature) === sharedChallenge(list) || hashCommit([context, ...contributions.flat(), nonce], isSignature) ===',
      ],
    ],
  },
  {
    attack: 'two-holders',
    title: 'Secret keys that are not compared',
    edits: [['crypto/proof-list.js', ' && part.response === responses.get(part.group)', '']],
  },
  {
    attack: 'issued-to-another',
    title: 'Secret keys that are not compared with those of commitments',
    edits: [['crypto/proof-list.js', ' && part.response === responses.get(part.group)', '']],
  },
  {
    attack: 'replayed-proof',
    title: 'A nonce that is the same for all sessions',
    edits: [['ports/randomness.js', "take(NONCE_BYTES).toString('hex')", "'05'"]],
  },
  {
    attack: 'signature-without-kind',
    title: 'A signature with the challenge of a disclosure that is accepted',
    edits: [['sessions/check-signature.js', 'isSignature: true,', 'isSignature: false,']],
  },
  {
    attack: 'other-message',
    title: 'A signed message that is not compared with the request',
    edits: [['sessions/check-signature.js', ' || effectiveNonce(message) !== asked', '']],
  },
  {
    attack: 'replayed-signature',
    title: 'The nonce of a signed message that is not compared with the session',
    edits: [['sessions/check-signature.js', ' || effectiveNonce(message) !== asked', '']],
  },
  {
    attack: 'two-instances',
    title: 'An inner conjunction that several instances may answer',
    edits: [['sessions/match-proofs.js', '(instances.get(owner) ?? cred) !== cred', 'false']],
  },
  {
    attack: 'other-value',
    title: 'A value that is not compared with the requested one',
    edits: [['sessions/match-proofs.js', 'return value === null ||', 'return true || value === null ||']],
  },
  {
    attack: 'other-value',
    title: 'An absent value that is accepted where notNull requires one',
    edits: [['sessions/match-proofs.js', ' || (notNull && bytes === null)', '']],
  },
  {
    attack: 'other-attribute',
    title: 'An index that may point to any attribute',
    edits: [['sessions/match-proofs.js', 'id !== type || ', '']],
  },
  {
    attack: 'second-singleton',
    title: 'Singletons that are not counted',
    edits: [
      ['sessions/known-proofs.js', 'return new Set(singletons).size < singletons.length;', 'return false;'],
    ],
  },
  {
    attack: 'unchecked-part',
    title: 'A range proof that is ignored',
    edits: [['sessions/check-disclosure.js', 'known === null || hasUncheckedParts ||', 'known === null ||']],
  },
  {
    attack: 'expired-credential',
    title: 'A credential whose expiry is not checked',
    edits: [['sessions/check-disclosure.js', 'return metadata.expiresAtSec < atSec &&', 'return false &&']],
  },
  {
    attack: 'expired-credential',
    title: 'A key whose expiry is not checked',
    edits: [['sessions/check-disclosure.js', 'metadata.signingDateSec > key.expiresAtSec', 'false']],
  },
  {
    attack: 'shifted-attribute',
    title: 'A commitment whose set of attributes is not checked',
    edits: [['crypto/commitment.js', 'proof.mUserResponses.size === indices.size &&', '']],
  },
  {
    attack: 'revoked-without-proof',
    title: 'A proof of non-revocation that may be left out',
    edits: [['sessions/non-revocation.js', 'if (request)\n', 'if (false)\n']],
  },
  {
    attack: 'revoked-old-witness',
    title: 'An accumulator whose age is not checked',
    edits: [
      ['sessions/non-revocation.js', 'if (ours !== undefined && ours.index > theirs.index)', 'if (false)'],
    ],
  },
  {
    attack: 'revoked-other-attribute',
    title: 'A proof of non-revocation about another attribute that is accepted',
    edits: [
      [
        'crypto/disclosure.js',
        'proof.aResponses.get(revocationIndex)',
        'proof.aResponses.get(revocationIndex + 1)',
      ],
    ],
  },
  {
    attack: 'revoked-own-accumulator',
    title: 'An accumulator whose signature is not checked',
    edits: [
      [
        'crypto/revocation/signed-bytes.js',
        "if (verify('sha256', Msg, ecdsaKeys.memo(revocation.ecdsa), Sig))",
        'if (true)',
      ],
    ],
  },
  {
    attack: 'loose-proof',
    title: 'Proofs of one message that may have different challenges',
    edits: [['crypto/proof-list.js', 'part.c === c && ', '']],
  },
  {
    attack: 'own-timestamp',
    title: 'A timestamp whose key is not checked',
    edits: [
      [
        'sessions/check-signature.js',
        '(await services.isTrustedStamp(server, timestamp)) ? server : null',
        'server',
      ],
    ],
  },
  {
    attack: 'issuance-record-forged',
    title: 'An issuance record whose signature is not checked',
    edits: [
      [
        'crypto/revocation/signed-bytes.js',
        "if (verify('sha256', Msg, ecdsaKeys.memo(revocation.ecdsa), Sig))",
        'if (true)',
      ],
    ],
  },
]
