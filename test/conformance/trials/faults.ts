/** Faults that are injected between a server and the trials: each alters one kind of answer. @module */
import type { Target } from '../../../libraries/conformance/service.ts'

type Fetch = Target['fetch']
type Seen = { readonly method: string; readonly path: string; readonly headers: Headers }

/** Returns an answer that replaces the server's; null keeps it. */
type Alter = (seen: Seen, answer: Response) => Promise<Response | null>

export type Fault = {
  readonly name: string
  /** rows that cover the fault: each must fail */
  readonly found: readonly string[]
  readonly alter: Alter
}

/** A fetch that alters the answers of a server. */
export function faulty(fetch: Fetch, alter: Alter): Fetch {
  return async (input, init = {}) => {
    const url = new URL(String(input))
    const headers = new Headers(init.headers)
    const { method = 'GET' } = init
    const answer = await fetch(input, init)
    return (await alter({ method, path: url.pathname, headers }, answer)) ?? answer
  }
}

function withText({ status, headers }: Response, text: string): Response {
  return new Response(text, { status, headers: { 'content-type': headers.get('content-type') ?? '' } })
}

/** Alters the texts of the answers to these calls. */
const texts =
  (path: RegExp, change: (text: string) => string): Alter =>
  async (seen, answer) => {
    const isMeant = path.test(`${seen.method} ${seen.path}`)
    return isMeant && answer.status === 200 ? withText(answer, change(await answer.text())) : null
  }

const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

/** Reports a cancelled session as not cancelled. */
function cancelForgotten(): Alter {
  const cancelled = new Set<string>()
  return async ({ method, path }, answer) => {
    const requestor = /^\/session\/([^/]+)$/.exec(path)?.[1]
    if (method === 'DELETE' && requestor !== undefined) cancelled.add(requestor)
    const asked = /^\/session\/([^/]+)\/status$/.exec(path)?.[1]
    return asked !== undefined && cancelled.has(asked) ? withText(answer, '"INITIALIZED"') : null
  }
}

const RESULT = { proofStatus: 'VALID', disclosed: [] }

export const FAULTS: readonly Fault[] = [
  {
    name: 'an unknown session is answered 200',
    found: ['7 unknown or expired session', '4.1 GET result'],
    alter: async ({ path }, answer) =>
      /^\/session\/abcdefghij/.test(path) && answer.status === 400 ? json(200, {}) : null,
  },
  {
    name: 'errors have another name',
    found: ['7 error', '7 unknown or expired session', '4.3 SESSION_UNKNOWN'],
    alter: async (_, answer) => {
      if (answer.status !== 400) return null
      return withText(answer, (await answer.text()).replace('SESSION_UNKNOWN', 'NO_SESSION'))
    },
  },
  {
    name: 'errors are no remote errors',
    found: ['2.11 remote error', '7 status'],
    alter: async (_, answer) => (answer.status === 404 ? new Response('not found', { status: 404 }) : null),
  },
  {
    name: 'an event stream is of another type',
    found: ['4.1 GET statusevents', '6 requestor statusevents'],
    alter: async ({ path }, answer) =>
      path.startsWith('/session/') && path.endsWith('/statusevents') && answer.status === 200
        ? new Response(answer.body, { status: 200, headers: { 'content-type': 'text/plain' } })
        : null,
  },
  {
    name: 'a session that its requestor has cancelled goes on',
    found: ['4.1 DELETE /session/{requestorToken}', '3 DELETE by app, requestor or frontend'],
    alter: cancelForgotten(),
  },
  {
    name: 'an event stream sends each status twice',
    found: ['6 app statusevents', '4.2 GET statusevents'],
    alter: async ({ path }, answer) => {
      if (!/^\/svc\/session\/\w+\/statusevents$/.test(path) || answer.body === null) return null
      const twice = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, out) => {
          out.enqueue(chunk)
          if (Buffer.from(chunk).includes('data: "')) out.enqueue(chunk)
        },
      })
      return new Response(answer.body.pipeThrough(twice), { status: answer.status, headers: answer.headers })
    },
  },
  {
    name: 'an SD-JWT is missing',
    found: ['2.5 sdJwtBatchSize'],
    alter: texts(/\/commitments$/, text => {
      const answer: { readonly sdjwts?: readonly string[] } = JSON.parse(text)
      return JSON.stringify({ ...answer, sdjwts: answer.sdjwts?.slice(1) })
    }),
  },
  {
    name: 'a result is returned before the end',
    found: ['2.8 before the end'],
    alter: texts(/^GET \/session\/\w+\/result$/, text => JSON.stringify({ ...RESULT, ...JSON.parse(text) })),
  },
  {
    name: 'proofs for another nonce are accepted',
    found: ['4.3 submission', '2.8 proofStatus INVALID', '2.9 proofs c'],
    alter: texts(/^POST .*\/proofs$|^GET .*\/result$/, text => text.replace('"INVALID"', '"VALID"')),
  },
  {
    name: 'pairing is skipped',
    found: ['3 the app connects with pairing', '4.4 POST pairingcompleted', '5.3 rule 3'],
    alter: texts(/^GET .*\/status$/, text => text.replace('PAIRING', 'CONNECTED')),
  },
  {
    name: 'the version is not negotiated',
    found: ['9.1 protocolVersion', '9.1 version 2.7'],
    alter: texts(/^GET \/svc\/session\/\w+\/?$/, text =>
      text.replaceAll(/"protocolVersion":"2\.\d"/g, '"protocolVersion":"2.8"'),
    ),
  },
  {
    name: 'the token of a frontend is ignored',
    found: ['4.4 Authorization', '5.3 rule 2'],
    alter: async ({ path }, answer) =>
      path.endsWith('/frontend/status') && answer.status === 403
        ? json(200, { status: 'INITIALIZED' })
        : null,
  },
  {
    name: 'a header of the app is not required',
    found: ['9.1 headers'],
    alter: async ({ method, path, headers }, answer) => {
      const isFirst = method === 'GET' && /^\/svc\/session\/\w+\/?$/.test(path)
      return isFirst && !headers.has('X-Svc-Minprotocolversion') && answer.status === 400
        ? json(200, {})
        : null
    },
  },
  {
    name: 'a nonce comes twice',
    found: ['2.9 nonce'],
    alter: texts(/^GET \/svc\/session\/\w+\/?$/, text =>
      text.replace(/"nonce":"[^"]*"/, '"nonce":"zmyQ2JDukHA+eA0zi69NPg=="'),
    ),
  },
  {
    name: 'an attribute is disclosed with another value',
    found: ['2.8 attribute rawvalue', '2.9 decoding', '2.4 string'],
    alter: texts(/^GET .*\/result$/, text => text.replace(/"rawvalue":"[^"]*"/, '"rawvalue":"another"')),
  },
]
