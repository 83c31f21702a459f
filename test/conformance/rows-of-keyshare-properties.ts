/** Rows of the properties that spec/keyshare-server#21 requires of a keyshare server, by their numbers. The last one, 26, is a figure of docs/performance.md. @module */
import { type Row, row } from './table.ts'

/** The tests of a property: files, and patterns of titles, each of which must match at least one test. */
type Tests = Readonly<Record<string, readonly RegExp[]>>

const PROPERTIES: readonly (readonly [property: string, tests: Tests])[] = [
  [
    'a JWT of another device is refused, whatever the PIN',
    {
      'http/keyshare/login.test.ts': [/^a JWT of another device: 400/],
      'http/keyshare/change-pin.test.ts': [/^a JWT of another device is 400/],
    },
  ],
  [
    'a challenge is used once, by its own user, with the current PIN',
    {
      'http/keyshare/login.test.ts': [
        /^a challenge is used once/,
        /^the challenge of another user/,
        /^without a challenge/,
      ],
      'http/keyshare/verify-start.test.ts': [/^one JWT may start any number of logins/],
      'http/keyshare/change-pin.test.ts': [/^all earlier authentication JWTs end/],
      'server/keyshare/restart.test.ts': [/^a login that began before the restart is finished after/],
    },
  ],
  [
    'verify_start: an exp within six minutes, a known user with a device key',
    {
      'http/keyshare/verify-start.test.ts': [
        /^without an exp, or with one/,
        /^a body without a JWT is 400/,
        /^one JWT may start any number of logins/,
        /^a JWT .*: 400, and nothing is pending/,
      ],
    },
  ],
  [
    'no other algorithm, in JWTs of apps and in tokens',
    {
      'accounts/app-jwts.test.ts': [/^no other algorithm is accepted/],
      'accounts/server-jwts.test.ts': [/^RS256 is the only algorithm/],
      'http/keyshare/login.test.ts': [/^a JWT of alg none/, /^a JWT of HS256/, /^a JWT of RS256/],
    },
  ],
  [
    'registration: signed by its own key; each one creates a new account; a device key is never replaced',
    {
      'http/keyshare/registration.test.ts': [/: 400, and no account$/, /^two registrations with one key/],
      'protocol/keyshare/messages.test.ts': [/^a registration with a device key and no signature is refused/],
      'http/keyshare/previous-protocol.test.ts': [/^a registered key is never replaced/],
    },
  ],
  [
    'an invalid token is refused at every endpoint',
    {
      'http/keyshare/credentials.test.ts': [/^with a name, an invalid JWT/, /^a name with a JWT, Bearer/],
      'http/keyshare/change-pin.test.ts': [/^all earlier authentication JWTs end/],
    },
  ],
  [
    'the previous login is refused for device-bound accounts, right PIN or wrong',
    { 'http/keyshare/previous-protocol.test.ts': [/^an account with a device key: 403/] },
  ],
  [
    'wrong PINs: 2 and 1 attempts left, then blocks of 60, 120 and 240 s; reset by the right PIN; kept over a restart',
    {
      'actors/accounts/try-pin.test.ts': [
        /^wrong PINs one after the other/,
        /^a right PIN is not compared while the account is blocked/,
        /^a right PIN sets the counter back/,
      ],
      'server/keyshare/restart.test.ts': [/^wrong PINs from before the restart count after/],
    },
  ],
  [
    'concurrent wrong PINs: three are compared before the block, at whatever endpoints',
    {
      'actors/accounts/try-pin.test.ts': [/^32 wrong PINs at once on two nodes, of all kinds/],
      'http/keyshare/change-pin.test.ts': [/^a wrong old PIN counts like one at a login/],
      'http/keyshare/previous-protocol.test.ts': [/^a wrong PIN counts like one at a login/],
    },
  ],
  [
    'the answer to a wrong PIN is 200, with a number as text; in an error it is never 0',
    {
      'http/keyshare/login.test.ts': [/^wrong PINs are 200/],
      'accounts/pin-attempts.test.ts': [/^the wait is never 0/],
    },
  ],
  [
    'without its newline a PIN is wrong',
    { 'accounts/records.test.ts': [/^a PIN is compared byte by byte: its newline counts/] },
  ],
  [
    'the algebra of all versions, under keys of 1024 and 2048 bits',
    {
      'crypto/keyshare/server-half.test.ts': [/^R_0\^s_response/, /^w_k has 640 bits/],
      'http/keyshare/commitments.test.ts': [
        /^P and Pcommit of each key/,
        /^P and Pcommit of a repeated key/,
        /^w_k has 640 bits/,
      ],
      'http/keyshare/proofs-v2.test.ts': [/^getCommitments returns only Pcommit/, /^the linkable response/],
    },
  ],
  [
    'a commitment gets one response, also for concurrent calls and after a failure',
    {
      'http/keyshare/responses.test.ts': [/^a commitment is answered once, also if several/],
      'http/keyshare/proofs-v2.test.ts': [
        /^other input than the app committed to/,
        /^a commitment is answered once/,
      ],
      'actors/accounts/gate.test.ts': [/^both nodes are asked at once for a response to one commitment/],
      'server/keyshare/restart.test.ts': [/^a commitment from before the restart is answered after it, once/],
    },
  ],
  [
    'without commitments, and after 20 s, 409; a bad token is 400 even then',
    {
      'http/keyshare/responses.test.ts': [/^after 20 s no commitment is pending/],
      'http/keyshare/credentials.test.ts': [/^with a name, an invalid JWT is 400 at every endpoint/],
      'replay/replay.test.ts': [/^keyshare-server\/keyshare-raw\.json is answered as recorded/],
    },
  ],
  [
    'commitments of one user give no response to another user; a new one replaces the pending one',
    {
      'http/keyshare/responses.test.ts': [/^the pending commitment of a user gets no response/],
      'http/keyshare/commitments.test.ts': [/^a new commitment replaces the pending one/],
    },
  ],
  [
    'challenges have at most 256 bits, none below 0, in decimal and Base64 alike',
    {
      'protocol/keyshare/proof-requests.test.ts': [
        /^the challenge is Base64 or a JSON integer/,
        /^a challenge that is negative/,
      ],
      'http/keyshare/responses.test.ts': [/^a malformed or negative challenge, or one of 257 bits/],
    },
  ],
  [
    'a key that no scheme has is refused at every endpoint; a new key of a signed scheme is accepted without a restart',
    {
      'server/keyshare/new-keys.test.ts': [
        /^every endpoint accepts them without a restart/,
        /^a key that is in no index/,
      ],
      'http/keyshare/commitments.test.ts': [/^no list, no key, an invalid key/],
      'http/keyshare/responses.test.ts': [/^a last key that is no longer in a scheme/],
      'http/keyshare/proofs-v2.test.ts': [/^no key and a malformed body/, /^an input under an unknown key/],
    },
  ],
  [
    'the hash of an input: as in the specification; any change, and the other version, is refused',
    {
      'crypto/keyshare/server-half.test.ts': [
        /^its hash is that of the specification/,
        /^a changed input does not match/,
      ],
      'http/keyshare/proofs-v2.test.ts': [/^a commitment of one version gets no response of the other/],
    },
  ],
  [
    'ProofP verifies with the key of the scheme, of number 0 or another',
    {
      'accounts/server-jwts.test.ts': [/^a session server verifies a ProofP JWT with the key of its number/],
    },
  ],
  [
    'records: as in the specification; no bit is changed unnoticed; keys rotate',
    {
      'accounts/records.test.ts': [
        /^the oldest layout/,
        /^the layout with a device key/,
        /^a record of 232 bytes/,
        /^a changed bit/,
        /^a record of a key that is not/,
        /^a record of an older key/,
      ],
      'actors/accounts/records.test.ts': [/^each commit of an account seals its record again/],
    },
  ],
  [
    'the database holds no secret in clear',
    { 'stores/secrets-at-rest.test.ts': [/^the database holds no PIN, secret, token id/] },
  ],
  [
    'a disabled account: 403 everywhere; use cancels a planned deletion, but never one by the owner',
    {
      'http/keyshare/credentials.test.ts': [/^an account that its owner disabled: 403 at every endpoint/],
      'http/keyshare/login.test.ts': [/^an account that was disabled while its app logged in: 403/],
      'machines/login-times.test.ts': [
        /^an account that was used after its warning/,
        /^an account that its owner deleted/,
      ],
    },
  ],
  [
    'the whole way, in every type of session, over renewal, a new PIN and a restart',
    {
      'wallet/keyshare/real-servers.test.ts': [
        /^a wallet registers/,
        /^credentials are issued/,
        /^disclosures and signatures succeed/,
        /^after a change of the PIN, the old one is wrong/,
        /^a login credential that has expired/,
      ],
      'server/keyshare/restart.test.ts': [/./],
    },
  ],
  [
    'PIN, challenge, token id and hash are compared in constant time',
    { 'http/keyshare/constant-time.test.ts': [/./] },
  ],
  [
    'mails: the fourth within an hour is 429; languages; domains; links work once and for a time; no injected header',
    {
      'actors/mails/confirmations.test.ts': [/^the fourth within an hour/, /^a link ends after its hours/],
      'accounts/mails/mails.test.ts': [
        /^the language is that of the user/,
        /^any other text is refused, above all/,
      ],
      'ports/mail-domain.test.ts': [/./],
      'ports/mail.test.ts': [/^a line break in a field adds no other field/],
    },
  ],
  [
    'load: many users at once, and no request fails (how fast: `npm run bench -- keyshare`)',
    { 'http/keyshare/whole-way.test.ts': [/^a hundred users of the previous protocol at once/] },
  ],
]

const LEARNS = row('keyshare server learns', 'neither attributes nor verifiers', {
  file: 'server/keyshare/learns-nothing.test.ts',
  title: /^contains neither attributes nor verifiers/,
})

export const ROWS_OF_KEYSHARE_PROPERTIES: readonly Row[] = [
  ...PROPERTIES.map(([property, tests], i) => {
    const held = Object.entries(tests).flatMap(([file, titles]) => titles.map(title => ({ file, title })))
    return row(`keyshare property ${i + 1}`, property, ...held)
  }),
  LEARNS,
]
