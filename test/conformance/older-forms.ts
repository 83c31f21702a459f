/** Makes the wallet of these tests, which knows only version 2.8, look like an older one. Its calls announce an older version, and the answers
 *  in the form of that version are converted to the current one (spec/session-server#7.3, #8). Answers of another form are not changed, so the wallet refuses them.
 *  @module */
import { PROFILES } from '../../protocol/profiles.ts'
import type { Json } from './json.ts'

export const OLD_VERSIONS = ['2.4', '2.5', '2.6', '2.7'] as const
export type OldVersion = (typeof OLD_VERSIONS)[number]

const NAMES: Readonly<Record<string, string>> = {
  disclosing: 'disclosure',
  signing: 'signature',
  issuing: 'issuance',
}

/** Older wallets send no `Authorization` header either. */
export function olderHeaders(headers: RequestInit['headers'], version: OldVersion): Headers {
  const older = new Headers(headers)
  for (const name of [...older.keys()].filter(each => each.endsWith('protocolversion')))
    older.set(name, version)
  older.delete('Authorization')
  return older
}

/** @param path of the call
 *  @param text body of a successful answer */
export function inTodaysForm(path: string, text: string, version: OldVersion): string {
  const json: Json = text === '' ? undefined : JSON.parse(text)
  if (json?.protocolVersion === version) return JSON.stringify(clientRequest(json, contextBaseOf(path)))
  if (version === '2.7' || !/\/(proofs|commitments)$/.test(path)) return text
  if (Array.isArray(json)) return JSON.stringify({ proofStatus: 'VALID', sigs: json })
  return typeof json === 'string' ? JSON.stringify({ proofStatus: json }) : text
}

/** The legacy form has no context. */
function contextBaseOf(path: string): string {
  const { irma, svc } = PROFILES
  return path.startsWith(`${irma.prefix}/`) ? irma.contextBase : svc.contextBase
}

function clientRequest(request: Json, base: string): object {
  const modern = request.protocolVersion === '2.4' ? modernOf(request, base) : request
  return {
    '@context': `${base}/ld/request/client/v1`,
    protocolVersion: '2.8',
    options: { '@context': `${base}/ld/options/v1`, pairingMethod: 'none' },
    request: { ...modern, protocolVersion: '2.8' },
  }
}

function modernOf({ type, content, disclose = content, ...request }: Json, base: string): Json {
  return {
    ...request,
    '@context': `${base}/ld/request/${NAMES[type]}/v2`,
    disclose: disclose.map(({ attributes }: Json) =>
      Array.isArray(attributes)
        ? attributes.map(id => [id])
        : Object.entries(attributes).map(([id, value]) => [{ type: id, value }]),
    ),
  }
}
