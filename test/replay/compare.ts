/** The parts of an answer that must equal the recording: status, error type and description, every other body byte for byte, content type and the
 *  headers of CORS and of event streams. The messages of errors are not compared. @module */
import type { ProfileName } from '../../protocol/profiles.ts'
import type { Answer } from '../http/client.ts'
import { withoutSignatures } from './accumulators.ts'
import type { Difference } from './differences.ts'
import { readJsonText } from './json-text.ts'
import { readJwt } from './jwt-text.ts'
import { withoutSdJwtRandomness } from './sd-jwt-text.ts'
import { claimsIn } from './signed-texts.ts'
import type { RecordedAnswer } from './transcript.ts'
import { answerInFormOf } from './words-of-profile.ts'

const TYPES = ['application/json; charset=UTF-8', 'application/octet-stream']
/** A remote error on the wire (spec/interface#7). */
const REMOTE_ERROR =
  /^\{"status":(\d+),"error":"([A-Z_]+)"(,"description":"[^"]+")?(?:,"message":"(?:[^"\\]|\\.)+")?\}$/
const COMPARED_HEADER = /^(content-type|cache-control|x-accel-buffering|access-control-.*|vary)$/

/** A session result: errors lose their message, and surplus attributes get one order, because they have none. An answer to
 *  commitments loses its numbers, because the issuer draws them (issued-credentials.ts checks them). */
function settled(text: string): string {
  return withoutSignatures(withoutSdJwtRandomness(withoutNumbers(sortSurplus(text))))
    .replace(
      /("error":\{"status":\d+,"error":"\w+","description":"[^"]*"),"message":"(?:[^"\\]|\\.)*"\}/,
      '$1}',
    )
    .replace(/("error":"[A-Z_]+): (?:[^"\\]|\\.)*"/, '$1"')
}

function sortSurplus(text: string): string {
  if (!text.includes('"status":"EXTRA"')) return text
  const lists = readJsonText(text).members.get('disclosed')?.items ?? []
  const [surplus] = lists.filter(({ items }) => items[0]?.members.get('status')?.text === '"EXTRA"')
  const sorted = surplus?.items.map(item => item.text).sort()
  return surplus && sorted ? text.replace(surplus.text, `[${sorted.join(',')}]`) : text
}

function withoutNumbers(text: string): string {
  if (!/^(\{"proofStatus":"VALID","sigs":)?\[\{"proof":/.test(text)) return text
  return text.replace(/"(c|e_response|A|e|v|\d+)":"[\w+/]+=*"/g, '"$1":"a number"')
}

/** A body in the form in which it is compared. */
function comparable(status: number, text: string): string {
  if (status < 400) return settled(text)
  const [, errorStatus, type, description = ''] = REMOTE_ERROR.exec(text) ?? []
  return type ? `remote error ${errorStatus} ${type}${description}` : text
}

/** @returns the differences, one line each */
export function differencesFromRecording(
  ours: Answer,
  recorded: RecordedAnswer,
  profile: ProfileName,
): string[] {
  const found: string[] = []
  const compare = (what: string, expected: string, got: string): void => {
    if (got !== expected) found.push(`${what}: recorded ${expected}, answered ${got}`)
  }
  compare('status', String(recorded.status), String(ours.status))
  const { status, text } = recorded
  compare(
    'body',
    comparable(status, saidBy(text, profile, true)),
    comparable(ours.status, saidBy(ours.text, profile)),
  )
  return [...found, ...differencesOfHeaders(ours, recorded.headers)]
}

type Headers = Answer['headers']

/** @returns names of headers with different values, with both values */
function differencesOfHeaders(
  ours: Pick<Answer, 'headers'>,
  recorded: Headers,
  except: readonly string[] = [],
): string[] {
  const said = (headers: Headers, name: string): string => {
    const value = String(headers[name] ?? (name === 'vary' ? '' : 'none'))
    if (name === 'cache-control') return value === 'no-store' ? 'none' : value.replace(', no-store', '') // ours, on every answer
    return name === 'vary' ? [...new Set(value.split(/ ?[|,] ?/))].sort().join(', ') : value
  }
  return [...new Set(['vary', ...Object.keys(recorded), ...Object.keys(ours.headers)])]
    .filter(name => COMPARED_HEADER.test(name) && !except.includes(name))
    .filter(name => said(recorded, name) !== said(ours.headers, name))
    .map(name => `${name}: recorded ${said(recorded, name)}, answered ${said(ours.headers, name)}`)
}

/** The text of an answer that is compared. In profile svc a signed result has other words, and thus another signature, so its claims are compared. */
function saidBy(text: string, profile: ProfileName, isRecorded = false): string {
  if (profile === 'irma') return text
  return claimsIn(isRecorded ? answerInFormOf(profile, text) : text, profile, isRecorded)
}

/** @param recorded null if only our own answer counts, and no recorded header is known
 *  @returns the differences from the answer in differences.json, and from the recorded headers, one line each */
export function differencesFromDecision(
  ours: Pick<Answer, 'status' | 'headers' | 'text'>,
  { answer, decision }: Difference,
  recorded: Pick<RecordedAnswer, 'headers'> | null,
): string[] {
  const expected = answer.error
    ? `remote error ${answer.status} ${answer.error}`
    : (answer.claims ?? answer.text ?? '')
  const body = comparable(ours.status, answer.claims ? (readJwt(ours.text)?.payload ?? '') : ours.text)
  const got = answer.error ? body.replace(/,"description".*/, '') : body
  const found: string[] = []
  if (ours.status !== answer.status)
    found.push(`${decision}: status: expected ${answer.status}, answered ${ours.status} ${ours.text}`)
  else if (got !== settled(expected))
    found.push(`${decision}: body: expected ${expected}, answered ${ours.text}`)
  if (ours.text !== '' && !answer.claims && !TYPES.includes(ours.headers['content-type'] ?? ''))
    found.push(
      `${decision}: content-type: expected ${TYPES.join(' or ')}, answered ${ours.headers['content-type']}`,
    )
  const expectedHeaders = { ...recorded?.headers, ...answer.headers }
  const headers = recorded ? differencesOfHeaders(ours, expectedHeaders, ['content-type']) : []
  return [...found, ...headers.map(line => `${decision}: ${line}`)]
}
