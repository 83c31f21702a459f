/** The options of a session server that hold objects by name: requestors, the revocation of credential types, static sessions. @module */
import { z } from 'zod'
import { EXTENDED_MEMBERS } from '../../protocol/request.ts'
import { REQUEST_MEMBERS } from '../../protocol/unknown-members.ts'
import { DEFAULT_TOLERANCE_SEC } from '../../sessions/non-revocation.ts'
import { objectsByName, patterns } from './kinds.ts'
import type { Members } from './unknown-names.ts'

const requestor = z.object(
  {
    auth_method: z.string({ error: 'expected an authentication method' }),
    key: z.string({ error: 'expected text' }).optional(),
    key_file: z.string({ error: 'expected the name of a file' }).optional(),
    disclose_perms: patterns.default([]),
    sign_perms: patterns.default([]),
    issue_perms: patterns.default([]),
    revoke_perms: patterns.default([]),
    host_perms: patterns.default([]),
  },
  { error: 'expected an object' },
)
export type RequestorOption = z.output<typeof requestor>

export const requestors = objectsByName(requestor, 'requestor name to its settings', {
  isSecret: true,
  description:
    'requestors by name: {auth_method: "token", "hmac" or "publickey", key or key_file, disclose_perms, sign_perms, issue_perms, revoke_perms, host_perms}; the key is the token, the secret in Base64, or an RSA public key or certificate in PEM',
})

const LEAST_TOLERANCE_SEC = 30
const seconds = `expected seconds, at least ${LEAST_TOLERANCE_SEC}`

const revocationOfType = z.object(
  {
    authority: z.boolean({ error: 'expected true or false' }).default(false),
    server: z.boolean({ error: 'expected true or false' }).default(false),
    revocation_server_url: z.string({ error: 'expected the address of a server' }).default(''),
    tolerance: z.int({ error: seconds }).min(LEAST_TOLERANCE_SEC, { error: seconds }).optional(),
    sse: z.boolean({ error: 'expected true or false' }).default(false),
  },
  { error: 'expected an object' },
)
export type RevocationOption = z.output<typeof revocationOfType>

export const revocation_settings = objectsByName(revocationOfType, 'credential type to its settings', {
  description: `revocation by credential type: {authority, server, revocation_server_url, tolerance, sse}; authority: this server revokes, and keeps the issuance records for that; server: it serves the updates that it gets from revocation_server_url; tolerance: how many seconds old its updates may be (at least ${LEAST_TOLERANCE_SEC}; default ${DEFAULT_TOLERANCE_SEC}); sse: it also receives updates from the event stream of revocation_server_url`,
})

export const static_sessions = objectsByName(z.unknown(), 'name to an extended session request', {
  isSecret: true,
  description:
    'disclosure and signature sessions that any wallet app may start, by name: extended session requests with callbackUrl or nextSession',
})

/** The members that each entry of these options may have. */
export const MEMBERS: Readonly<Record<'requestors' | 'revocation_settings' | 'static_sessions', Members>> = {
  requestors: { known: Object.keys(requestor.shape) },
  revocation_settings: {
    known: Object.keys(revocationOfType.shape),
    switches: ['authority', 'server', 'sse'],
  },
  static_sessions: {
    known: EXTENDED_MEMBERS,
    inner: { nextSession: { known: ['url'] }, request: { known: REQUEST_MEMBERS, isRequest: true } },
    markOfRequest: '@context',
  },
}
