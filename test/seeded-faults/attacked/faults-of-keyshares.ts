/** Faults of keyshare servers, and of the check of their JWTs. @module */
import type { AttackedFault } from './attacked-fault.ts'

export const FAULTS_OF_KEYSHARES: readonly AttackedFault[] = [
  {
    attack: 'login-forged',
    title: 'A login whose signature is not checked',
    edits: [['accounts/signed-claims.js', 'if (header.alg !== algorithm || !isRight())', 'if (false)']],
  },
  {
    attack: 'token-forged',
    title: 'A token whose signature is not checked',
    edits: [['accounts/signed-claims.js', 'if (header.alg !== algorithm || !isRight())', 'if (false)']],
  },
  {
    attack: 'login-replayed',
    title: 'A login that accepts an answer to any challenge',
    edits: [
      [
        'http/keyshare/verify-pin.js',
        'const isRightChallenge = row.challenge !== null && isSameBytes(row.challenge, challenge);',
        'const isRightChallenge = row.challenge !== null;',
      ],
    ],
  },
  {
    attack: 'login-without-device',
    title: 'A login of the previous protocol that accepts an account with a device key',
    edits: [
      ['http/keyshare/unsigned.js', 'if (secrets().deviceKey !== null)', 'if (false)'],
      [
        'http/keyshare/unsigned.js',
        'isSignedByDevice: false',
        'isSignedByDevice: secrets().deviceKey !== null',
      ],
    ],
  },
  {
    attack: 'token-of-another',
    title: 'A token of another user that is accepted',
    edits: [
      [
        'http/keyshare/token.js',
        'if (tokenId === null || !isTokenId(secrets, tokenId))',
        'if (tokenId === null)',
      ],
    ],
  },
  {
    attack: 'blocked-pin',
    title: 'An account block that does not refuse attempts',
    edits: [
      [
        'machines/keyshare-login.js',
        'isBlocked: ({ context }, timed) => !isOpen(context, timed),',
        'isBlocked: () => false,',
      ],
    ],
  },
  {
    attack: 'pin-race',
    title: 'An account row that two keyshare servers change from one version',
    edits: [
      ['stores/sql/account-queries.js', ".where('version', '=', stored)", ".where('version', '>=', stored)"],
    ],
  },
  {
    attack: 'two-answers',
    title: 'A commitment that two keyshare servers answer',
    edits: [
      ['stores/sql/account-queries.js', ".where('version', '=', stored)", ".where('version', '>=', stored)"],
    ],
  },
  {
    attack: 'keyshare-jwt-forged',
    title: 'A JWT of a keyshare server whose signature is not checked',
    edits: [
      [
        'schemes/keyshare-jwt.js',
        'const verified = await compactVerify(',
        "const verified = true ? { payload: Buffer.from(jwt.split('.')[1] ?? '', 'base64url') } : await compactVerify(",
      ],
    ],
  },
  {
    attack: 'keyshare-jwt-out-of-time',
    title: 'A JWT of a keyshare server whose claims are not checked',
    edits: [['sessions/keyshare-jwt.js', 'checkClaims(claims, scheme, nowSec);', '']],
  },
  {
    attack: 'long-challenge',
    title: 'A challenge whose length is not checked',
    edits: [
      [
        'protocol/keyshare/proof-requests.js',
        "readBigInteger(json, 'challenge out of bounds', CHALLENGE_BITS)",
        "readBigInteger(json, 'challenge out of bounds')",
      ],
      ['crypto/keyshare/respond.js', 'const CHALLENGE_BITS = 256;', 'const CHALLENGE_BITS = 8192;'],
    ],
  },
  {
    attack: 'keyshare-requestor',
    title: 'A keyshare server that has the endpoints of requestors',
    edits: [
      [
        'http/keyshare/server.js',
        "mountRoutes(app, sessions.deps, streams, 'clients', tables)",
        "mountRoutes(app, sessions.deps, streams, 'everybody', tables)",
      ],
    ],
  },
]
