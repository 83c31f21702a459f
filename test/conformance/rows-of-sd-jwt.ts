/** Rows of SD-JWT VC (spec/session-server#18, spec/decisions#sdjwtvc). @module */
import { type Row, row } from './table.ts'

const REPLAY = 'replay/sd-jwt.test.ts'
const ISSUERS = 'schemes/sd-jwt/issuers.test.ts'
const FORM = 'protocol/sd-jwt/sd-jwt.test.ts'
const KEYS = 'protocol/sd-jwt/key-binding-keys.test.ts'
const BATCHES = 'sessions/sd-jwt-batches.test.ts'
const WALLET = 'wallet/sd-jwt/sd-jwts.test.ts'

export const ROWS_OF_SD_JWT: readonly Row[] = [
  row(
    'sd-jwt recordings',
    'exchanges of existing software, byte for byte except random values (spec/session-server#18)',
    { file: REPLAY, title: /^batch-3\.json is answered as recorded/ },
    { file: REPLAY, title: /^every recording is replayed/ },
  ),
  row('sd-jwt files', 'a file that cannot be used stops the start (spec/decisions#sdjwtvc)', {
    file: ISSUERS,
    title: / is refused$/,
  }),
  row('sd-jwt warnings', 'missing pairs, unknown issuers, dates', {
    file: ISSUERS,
    title: / has a warning$/,
  }),
  row('sd-jwt options', 'two options, or an object', {
    file: 'server/sd-jwt-settings.test.ts',
    title: /^the issuers are read from/,
  }),
  row('sd-jwt requests', 'refused at creation, not at the submission', {
    file: BATCHES,
    title: /: refused when the session is created$/,
  }),
  row('sd-jwt number of keys', 'as many keys as the batches need, or none', {
    file: BATCHES,
    title: /^another number of keys/,
  }),
  row('sd-jwt keys', 'public keys without their other members; no private ones', {
    file: KEYS,
    title: /^(additional members are left out|a private key is refused)/,
  }),
  row('sd-jwt header and payload', 'exactly these members, in this order', {
    file: FORM,
    title: /^header and payload have exactly/,
  }),
  row('sd-jwt order', 'disclosures are in the order of the digests', {
    file: FORM,
    title: /^disclosures are in the order/,
  }),
  row('sd-jwt verification', 'by an independent program', {
    file: WALLET,
    title: /^another library verifies/,
  }),
  row('sd-jwt turns', 'a few are signed in each turn of the event loop', {
    file: 'actors/sign-sd-jwts.test.ts',
    title: /^each SD-JWT is a piece of its own/,
  }),
]
