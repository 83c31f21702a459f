/** The types of requests: a request that the server would refuse does not compile, and every recorded and accepted request does. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type {
  DisclosureRequest,
  ExtendedRequest,
  FinalStatus,
  Frontend,
  FrontendUpdate,
  IssuanceRequest,
  LegacyRequest,
  Requestor,
  RevocationRequest,
  SessionRequest,
  SessionResult,
  SessionStatus,
  SignatureRequest,
  WaitOptions,
} from '../../libraries/client.ts'
import type { SessionOptions } from '../../protocol/frontend-messages.ts'
import type { SessionPackage } from '../../protocol/session-package.ts'
import type { SessionResult as WireResult } from '../../protocol/wire/answers.ts'
import type { WireRevocationRequest } from '../../protocol/wire/revocation.ts'
import type * as wire from '../../protocol/wire/session-request.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const DISCLOSURE = 'https://svc.example/ld/request/disclosure/v2'
const SIGNATURE = 'https://svc.example/ld/request/signature/v2'
const ISSUANCE = 'https://svc.example/ld/request/issuance/v2'
const CARD = { credential: 'demo.gov.idcard', attributes: { over18: 'yes' } } as const

/** Each request has one error for the compiler: if the compiler accepts it, `npm run check` fails at the line. */
export const WRONG: readonly SessionRequest[] = [
  // @ts-expect-error an @context that no server knows
  { '@context': 'https://svc.example/ld/request/disclosure/v1', disclose: [[['a.b.c.d']]] },
  // @ts-expect-error nothing is asked for
  { '@context': DISCLOSURE, disclose: [] },
  // @ts-expect-error two lists within each other instead of three
  { '@context': DISCLOSURE, disclose: [['demo.gov.idcard.over18']] },
  // @ts-expect-error no identifier of an attribute
  { '@context': DISCLOSURE, disclose: [[['over18']]] },
  // @ts-expect-error a value that is no text
  { '@context': DISCLOSURE, disclose: [[[{ type: 'demo.gov.idcard.over18', value: true }]]] },
  // @ts-expect-error a member that is misspelt
  { '@context': DISCLOSURE, disclose: [[['demo.gov.idcard.over18']]], hosts: 'shop.example' },
  // @ts-expect-error options beside the request instead of around it
  { '@context': DISCLOSURE, disclose: [[['a.b.c.d']]], callbackUrl: 'https://shop.example' },
  // @ts-expect-error a signature without a message
  { '@context': SIGNATURE, disclose: [[['demo.gov.idcard.over18']]] },
  // @ts-expect-error an issuance without credentials
  { '@context': ISSUANCE, credentials: [] },
  // @ts-expect-error a credential without its type
  { '@context': ISSUANCE, credentials: [{ attributes: { over18: 'yes' } }] },
  // @ts-expect-error a validity that is no number
  { '@context': ISSUANCE, credentials: [{ ...CARD, validity: '2030-01-01' }] },
  // @ts-expect-error a next session without an object around its address
  { request: { '@context': SIGNATURE, message: 'x' }, nextSession: 'https://shop.example' },
]

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

/** The types that a site gets, member by member: if one of them changes, `npm run check` fails at its line. */
export const TOLD: readonly true[] = [
  true satisfies Same<FinalStatus, 'DONE' | 'CANCELLED' | 'TIMEOUT'>,
  true satisfies Same<SessionStatus, FinalStatus | 'INITIALIZED' | 'PAIRING' | 'CONNECTED'>,
  true satisfies Same<SessionResult['status'], SessionStatus>,
  true satisfies Same<SessionResult['type'], 'disclosing' | 'signing' | 'issuing'>,
  true satisfies Same<
    SessionResult['proofStatus'],
    | ('VALID' | 'INVALID' | 'INVALID_TIMESTAMP' | 'UNMATCHED_REQUEST' | 'MISSING_ATTRIBUTES' | 'EXPIRED')
    | undefined
  >,
  true satisfies Same<Parameters<Requestor['wait']>[1], WaitOptions<SessionStatus> | undefined>,
  true satisfies Same<Parameters<Frontend['wait']>[0], WaitOptions<FrontendUpdate> | undefined>,
  true satisfies Same<FrontendUpdate['status'], SessionStatus>,
  true satisfies Same<Awaited<ReturnType<Requestor['wait']>>, FinalStatus>,
  true satisfies Same<Awaited<ReturnType<Requestor['result']>>, SessionResult>,
]

/** A message as JSON: a member that is not there has no value. */
type Sent<T> = T extends object ? { readonly [Name in keyof T]: Sent<Exclude<T[Name], undefined>> } : T
type Signed = Exclude<SessionResult['signature'], undefined>

/** The types of the client, which import nothing, compared with the schemas of the server. If one of them changes, `npm run check` fails at its line. */
export const AS_SERVED: readonly true[] = [
  true satisfies Same<DisclosureRequest, wire.WireDisclosure>,
  true satisfies Same<SignatureRequest, wire.WireSignature>,
  true satisfies Same<IssuanceRequest, wire.WireIssuance>,
  true satisfies Same<LegacyRequest, wire.WireLegacyRequest>,
  true satisfies Same<ExtendedRequest, wire.WireExtended>,
  true satisfies Same<SessionRequest, wire.WireSessionRequest>,
  true satisfies Same<RevocationRequest, Readonly<WireRevocationRequest>>,
  true satisfies Same<keyof SessionResult, keyof WireResult>,
  true satisfies Same<SessionResult['disclosed'], Sent<WireResult>['disclosed']>,
  true satisfies Same<SessionResult['error'], Sent<WireResult>['error']>,
  true satisfies Same<SessionResult['status'], WireResult['status']>,
  true satisfies Same<SessionResult['proofStatus'], WireResult['proofStatus']>,
  true satisfies Same<keyof Signed, keyof Exclude<WireResult['signature'], undefined>>,
  true satisfies Sent<WireResult> extends Omit<SessionResult, 'disclosed'> ? true : false,
  true satisfies Same<Awaited<ReturnType<Requestor['start']>>, SessionPackage>,
  true satisfies Same<Awaited<ReturnType<Frontend['setPairing']>>, SessionOptions>,
]

/** Each line misuses a value that a site gets, in one way. */
export function misuse(result: SessionResult, { nextSession }: FrontendUpdate): readonly unknown[] {
  return [
    // @ts-expect-error a result has no member of this name
    result.attributes,
    // @ts-expect-error the attributes may be missing
    result.disclosed.length,
    // @ts-expect-error no proof status is called so
    result.proofStatus === 'OK',
    // @ts-expect-error a session may have no next session
    nextSession.u,
  ]
}

type Exchange = {
  readonly request: { readonly method: string; readonly path: string; readonly body?: unknown }
  readonly response: { readonly status: number } | null
}

/** Bodies of POST /session whose answer was a session. */
function recordedRequests(): string[] {
  const folder = join(PROJECT, 'test/vectors/transcripts')
  const bodies = readdirSync(folder).flatMap(file => {
    const { exchanges }: { exchanges: readonly Exchange[] } = JSON.parse(
      readFileSync(join(folder, file), 'utf8'),
    )
    return exchanges
      .filter(({ request }) => request.method === 'POST' && request.path === '/session')
      .filter(({ request, response }) => response?.status === 200 && typeof request.body === 'object')
      .map(({ request }) => JSON.stringify(request.body))
  })
  return [...new Set(bodies)]
}

/** @returns the compiler's messages about requests in another program */
function complaints(requests: readonly string[]): string {
  const folder = temporaryFolder()
  const client = join(PROJECT, 'dist/libraries/client.js')
  const lines = requests.map(request => `r(${request})`)
  const text = `import type { SessionRequest } from '${client}'\nfunction r(_: SessionRequest): void {}\n${lines.join('\n')}\n`
  writeFileSync(join(folder, 'program.ts'), text)
  const options = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2023', '--module', 'nodenext']
  try {
    const tsc = join(PROJECT, 'node_modules/.bin/tsc')
    return execFileSync(tsc, [...options, 'program.ts'], { encoding: 'utf8', cwd: folder })
  } catch (error) {
    return String(Object(error).stdout)
  }
}

const Types = suite('types of requests')

Types('every recorded request that was accepted compiles', () => {
  const requests = recordedRequests()
  assert.ok(requests.length > 80)
  assert.is(complaints(requests), '')
})

Types('a request that does not compile is found', () => {
  assert.match(
    complaints([JSON.stringify({ '@context': DISCLOSURE, disclose: [] })]),
    /^program\.ts.*error TS/,
  )
  assert.is(WRONG.length, 12)
})

Types.run()
