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
    title: 'A secret key that may be disclosed',
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
    title: 'A nonce that all sessions share',
    edits: [['ports/randomness.js', "take(NONCE_BYTES).toString('hex')", "'05'"]],
  },
  {
    attack: 'signature-without-kind',
    title: 'A signature whose challenge is that of a disclosure',
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
    title: 'An inner conjunction of several instances',
    edits: [['sessions/match-proofs.js', '(instances.get(owner) ?? cred) !== cred', 'false']],
  },
  {
    attack: 'other-value',
    title: 'A value that is not compared with the requested one',
    edits: [['sessions/match-proofs.js', 'return value === null ||', 'return true || value === null ||']],
  },
  {
    attack: 'other-value',
    title: 'No value, where a value is required',
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
    title: 'A range proof that is passed over',
    edits: [['sessions/check-disclosure.js', 'known === null || hasUncheckedParts ||', 'known === null ||']],
  },
  {
    attack: 'expired-credential',
    title: 'A credential without an end',
    edits: [['sessions/check-disclosure.js', 'return metadata.expiresAtSec < atSec &&', 'return false &&']],
  },
  {
    attack: 'expired-credential',
    title: 'A key without an end',
    edits: [['sessions/check-disclosure.js', 'metadata.signingDateSec > key.expiresAtSec', 'false']],
  },
  {
    attack: 'shifted-attribute',
    title: 'A commitment with any attributes',
    edits: [['crypto/commitment.js', 'proof.mUserResponses.size === indices.size &&', '']],
  },
  {
    attack: 'second-app',
    title: 'An app that is not bound to its session',
    edits: [
      [
        'http/app/call.js',
        "return clientAuthorization !== null && !isSameSecret(ctx.get('Authorization'), clientAuthorization);",
        'return false;',
      ],
    ],
  },
  {
    attack: 'frontend-guess',
    title: 'A frontend without a token',
    edits: [
      [
        'http/frontend-auth.js',
        "if (!isSameSecret(ctx.get('Authorization'), session.frontendToken))",
        'if (false)',
      ],
    ],
  },
  {
    attack: 'pairing-skipped',
    title: 'A request that is fetched before pairing',
    edits: [
      [
        'machines/session.js',
        "'frontend.paired': { target: 'CONNECTED', actions: ['notePaired', restartDeadline] },",
        "'frontend.paired': { target: 'CONNECTED', actions: ['notePaired', restartDeadline] }, 'app.fetched': 'CONNECTED',",
      ],
    ],
  },
  {
    attack: 'token-of-another-role',
    title: 'A client token that opens the result',
    edits: [
      [
        'http/find-session.js',
        'await sessions.findByRequestorToken(tokenOf(ctx.params.requestorToken))',
        '(await sessions.findByRequestorToken(tokenOf(ctx.params.requestorToken))) ?? (await sessions.findByClientToken(tokenOf(ctx.params.requestorToken)))',
      ],
    ],
  },
  {
    attack: 'chain-of-two-holders',
    title: 'A chain whose sessions are not linked',
    edits: [['sessions/implicit-disclosures.js', 'return disclosed.map(', 'return [].map(']],
  },
  {
    attack: 'jwt-unsigned',
    title: 'A JWT whose signature is not checked',
    edits: [['sessions/request-jwt.js', 'verifySignature(jwt, requestor);', '']],
  },
  {
    attack: 'jwt-public-key-as-secret',
    title: 'A JWT that chooses its algorithm',
    edits: [
      ['sessions/request-jwt.js', 'each.method === method && each.name === name', 'each.name === name'],
      [
        'sessions/request-jwt.js',
        'function verifySignature(jwt, { method, key })',
        'function verifySignature(jwt, { key }, method)',
      ],
      [
        'sessions/request-jwt.js',
        'verifySignature(jwt, requestor);',
        'verifySignature(jwt, requestor, method);',
      ],
      [
        'sessions/request-jwt.js',
        "createHmac('sha256', key)",
        "createHmac('sha256', key.type === 'public' ? key.export({ format: 'pem', type: 'spki' }) : key)",
      ],
    ],
  },
  {
    attack: 'jwt-of-another',
    title: 'A requestor by iss, with the key by kid',
    edits: [
      ['sessions/request-jwt.js', 'return { requestor: name, asked', 'return { requestor: claims.iss, asked'],
    ],
  },
  {
    attack: 'jwt-out-of-time',
    title: 'A signed request without an age',
    edits: [['sessions/request-jwt.js', 'if (iatSec + maxRequestAgeSec < nowSec)', 'if (false)']],
  },
  {
    attack: 'jwt-out-of-time',
    title: 'Times of a signed request that are not checked',
    edits: [['sessions/request-jwt.js', 'checkTimes(claims, nowSec);', '']],
  },
  {
    attack: 'jwt-other-kind',
    title: 'A sub that is not compared with the request',
    edits: [['sessions/request-jwt.js', 'if (extended.request.type !== kind.type)', 'if (false)']],
  },
  {
    attack: 'no-permission',
    title: 'Permissions that are not checked',
    edits: [['sessions/accept-request.js', 'checkPermissions(extended, who, server);', '']],
  },
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
    title: 'An answer to any challenge',
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
    title: 'A login of the previous protocol for every account',
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
    title: 'A token of any user',
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
    title: 'A block that does not hold',
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
    title: 'A row that two keyshare servers move',
    edits: [
      ['stores/sql/account-queries.js', ".where('version', '=', stored)", ".where('version', '>=', stored)"],
    ],
  },
  {
    attack: 'two-answers',
    title: 'A commitment that two keyshare servers take',
    edits: [
      ['stores/sql/account-queries.js', ".where('version', '=', stored)", ".where('version', '>=', stored)"],
    ],
  },
  {
    attack: 'revoked-without-proof',
    title: 'A proof of non-revocation that may be left out',
    edits: [['sessions/non-revocation.js', 'if (request)\n', 'if (false)\n']],
  },
  {
    attack: 'revoked-old-witness',
    title: 'An accumulator of any age',
    edits: [
      ['sessions/non-revocation.js', 'if (ours !== undefined && ours.index > theirs.index)', 'if (false)'],
    ],
  },
  {
    attack: 'revoked-other-attribute',
    title: 'A proof of non-revocation about another attribute',
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
    attack: 'second-issuance',
    title: 'A session that two servers move',
    edits: [
      [
        'stores/postgres/commit-statement.js',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a text of the program
        'from ${source} where t.id = i.key and t.version = i.stored and',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a text of the program
        'from ${source} where t.id = i.key and t.version >= i.stored and',
      ],
    ],
  },
  {
    attack: 'smuggled-call',
    title: 'A lenient reader of requests',
    edits: [
      ['http/listen.js', 'maxHeaderSize: headBytes,', 'maxHeaderSize: headBytes, insecureHTTPParser: true,'],
    ],
  },
  {
    attack: 'slow-clients',
    title: 'A head without an end',
    edits: [
      ['http/listen.js', 'headersTimeout: readingMs,', 'headersTimeout: 0,'],
      ['http/listen.js', 'requestTimeout: 2 * readingMs,', 'requestTimeout: 0,'],
    ],
  },
  {
    attack: 'stream-flood',
    title: 'Event streams of one session without a bound',
    edits: [['http/open-streams.js', 'if (others >= this.#maxOfOwner)', 'if (false)']],
  },
  {
    attack: 'endless-body',
    title: 'A body without a limit',
    edits: [['http/limits.js', 'bodyBytes: 10 * 2 ** 20,', 'bodyBytes: 2 ** 40,']],
  },
  {
    attack: 'loose-proof',
    title: 'Proofs with challenges of their own',
    edits: [['crypto/proof-list.js', 'part.c === c && ', '']],
  },
  {
    attack: 'own-timestamp',
    title: 'A timestamp of any key',
    edits: [
      [
        'sessions/check-signature.js',
        '(await services.isTrustedStamp(server, timestamp)) ? server : null',
        'server',
      ],
    ],
  },
  {
    attack: 'long-challenge',
    title: 'A challenge of any length',
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
    attack: 'pairing-taken-over',
    title: 'An app that is not bound during pairing',
    edits: [
      [
        'http/app/call.js',
        "return clientAuthorization !== null && !isSameSecret(ctx.get('Authorization'), clientAuthorization);",
        'return false;',
      ],
    ],
  },
  {
    attack: 'next-without-permission',
    title: 'Permissions that are not checked in a chain',
    edits: [['sessions/accept-request.js', 'checkPermissions(extended, who, server);', '']],
  },
  {
    attack: 'second-app',
    title: 'A stored answer for every app',
    edits: [
      [
        'http/app/call.js',
        "const headers = [profile.minVersionHeader, profile.maxVersionHeader, 'Authorization'];",
        'const headers = [profile.minVersionHeader, profile.maxVersionHeader];',
      ],
    ],
  },
  {
    attack: 'static-session',
    title: 'A static session by any name',
    edits: [
      [
        'http/app/start-static.js',
        'deps.settings.staticSessions.get(String(ctx.params.clientToken))',
        '[...deps.settings.staticSessions.values()][0]',
      ],
    ],
  },
  {
    attack: 'other-host',
    title: 'A host that is not compared',
    edits: [['http/find-session.js', "return host === '' ||", "return true || host === '' ||"]],
  },
  {
    attack: 'revoke-without-permission',
    title: 'A revocation without permission',
    edits: [
      [
        'http/requestor/revocation.js',
        'checkRevokePermission(type, requestor, { globals: settings.permissions, isKeyThere });',
        '',
      ],
    ],
  },
  {
    attack: 'keyshare-requestor',
    title: 'Endpoints of requestors at a keyshare server',
    edits: [
      [
        'http/keyshare/server.js',
        "mountRoutes(app, sessions.deps, streams, 'clients', tables)",
        "mountRoutes(app, sessions.deps, streams, 'everybody', tables)",
      ],
    ],
  },
]
