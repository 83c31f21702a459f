/** Recorded bodies and examples, by the name of the operation that takes them. @module */
import type { Api } from '../../openapi/api.ts'
import { readTranscript } from '../../replay/transcript.ts'
import type { FuzzedServer } from './servers.ts'
import type { State } from './states.ts'

const RECORDINGS = {
  session: [
    ...[
      'disclosure-value-constrained',
      'disclosure-optional-filled',
      'issuance-randomblind',
      'combined-disclosure-issuance',
    ],
    ...[
      'signature-with-timestamp',
      'pairing-issuance',
      'legacy-request-issuance',
      'static-session',
      'auth-jwt',
      'errors-frontend',
    ],
  ].map(name => `transcripts/${name}.json`),
  keyshare: [
    'keyshare-server/keyshare-raw.json',
    'keyshare-server/keyshare-change-pin.json',
    'keyshare/keyshare-combined.json',
  ],
}

/** Bodies with claims that the device of the state signs. */
const SIGNED: readonly (readonly [operation: string, body: object])[] = [
  [
    'register',
    { enrollment_jwt: { $jwt: { pin: '«pin»', language: 'nl', email: '', publickey: '«publickey»' } } },
  ],
  ['register', { pin: '«pin»', email: 'a@b.example', language: 'en' }],
  ['startLogin', { auth_request_jwt: { $jwt: { id: '«user»', exp: 1_795_261_950 } } }],
  [
    'login',
    {
      id: '',
      pin: '',
      auth_response_jwt: { $jwt: { id: '«user»', pin: '«pin»', challenge: '«challenge»' } },
    },
  ],
  ['plainLogin', { id: '«user»', pin: '«pin»' }],
  [
    'changePin',
    {
      id: '',
      oldpin: '',
      newpin: '',
      change_pin_jwt: { $jwt: { id: '«user»', oldpin: '«pin»', newpin: 'b\n' } },
    },
  ],
  ['changePin', { id: '«user»', oldpin: '«pin»', newpin: 'b\n' }],
  ['registerKey', { jwt: { $jwt: { id: '«user»', pin: '«pin»', publickey: '«publickey»' } } }],
]

export function bodiesByOperation(
  server: FuzzedServer,
  api: Api,
  states: readonly State[],
): ReadonlyMap<string, readonly string[]> {
  const bodies = new Map<string, string[]>()
  const add = (operation: string, body: string): void => {
    bodies.set(operation, [...(bodies.get(operation) ?? []), body])
  }
  const files = [...RECORDINGS[server.kind], ...(server.kind === 'keyshare' ? RECORDINGS.session : [])]
  for (const { method, path, body } of files.flatMap(
    file => readTranscript(file, server.profile).exchanges,
  )) {
    const found = api.find(method, path)
    if (found && body) add(found.operation.operationId.replace(/\d+$/, ''), body)
  }
  for (const { operationId, requestBody } of Object.values(api.document.paths).flatMap(methods =>
    Object.values(methods),
  ))
    for (const { example } of Object.values(requestBody?.content ?? {}))
      if (example !== undefined) add(operationId.replace(/\d+$/, ''), JSON.stringify(example))
  if (server.kind === 'keyshare') for (const [operation, body] of SIGNED) add(operation, JSON.stringify(body))
  for (const [end, body] of states.flatMap(state => state.bodies))
    add(end === 'proofs' ? 'submitProofs' : 'submitCommitments', body)
  return bodies
}
