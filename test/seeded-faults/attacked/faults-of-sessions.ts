/** Faults of sessions, of requestors and of connections. @module */
import type { AttackedFault } from './attacked-fault.ts'

export const FAULTS_OF_SESSIONS: readonly AttackedFault[] = [
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
    title: 'A frontend token that is not checked',
    edits: [
      [
        'http/frontend-auth.js',
        "if (!isSameSecret(hashOfToken(ctx.get('Authorization')), session.frontendTokenHash))",
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
    title: 'A signed request whose requestor is iss, although kid chose the key',
    edits: [
      ['sessions/request-jwt.js', 'return { requestor: name, asked', 'return { requestor: claims.iss, asked'],
    ],
  },
  {
    attack: 'jwt-out-of-time',
    title: 'A signed request whose age is not checked',
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
    attack: 'sd-jwts-beyond',
    title: 'The number of SD-JWTs follows the keys of the app',
    edits: [
      ['sessions/sd-jwt-batches.js', 'if (keys.length !== count)', 'if (keys.length < count)'],
      [
        'sessions/sd-jwt-batches.js',
        'return unbound.flatMap((each, i) => {\n        const key = keys[i];',
        'return keys.flatMap((key, i) => {\n        const each = unbound[i % count];',
      ],
    ],
  },
  {
    attack: 'second-issuance',
    title: 'A session row that two servers change from one version',
    edits: [
      [
        'stores/postgres/commit-statement.js',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a text of the program
        'from ${source} where ${which} and t.version = i.stored and',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a text of the program
        'from ${source} where ${which} and t.version >= i.stored and',
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
    title: 'Request headers without a time limit',
    edits: [
      ['http/listen.js', 'headersTimeout: readingMs,', 'headersTimeout: 0,'],
      ['http/listen.js', 'requestTimeout: 2 * readingMs,', 'requestTimeout: 0,'],
    ],
  },
  {
    attack: 'stream-flood',
    title: 'Event streams of one session without a limit',
    edits: [['http/open-streams.js', 'if (others >= this.#maxOfOwner)', 'if (false)']],
  },
  {
    attack: 'endless-body',
    title: 'A body without a limit',
    edits: [['http/limits.js', 'bodyBytes: 10 * 2 ** 20,', 'bodyBytes: 2 ** 40,']],
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
    title: 'A stored answer that every app gets',
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
    title: 'A static session that is found under another name',
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
    title: 'A host of a request that is not compared with that of the session',
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
]
