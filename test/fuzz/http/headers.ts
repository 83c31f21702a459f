/** Headers of a call: those of its usual caller, of another caller, and mutations. @module */
import { PROFILES } from '../../../protocol/profiles.ts'
import { mutateText, ODD_TEXTS } from '../mutate-text.ts'
import type { Random } from '../random.ts'
import { type FuzzedServer, SHOP_TOKEN } from './servers.ts'
import { appHeaders } from './states.ts'

type Headers = Record<string, string>

const OTHERS: readonly Headers[] = [
  { 'Content-Encoding': 'gzip' },
  { 'Last-Event-ID': 'CONNECTED' },
  { Accept: 'text/event-stream' },
  {
    Origin: 'https://a.example',
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'x',
  },
  { Cookie: 'visit=AQID; a=b' },
  { Host: 'a.example' },
  { Expect: '100-continue' },
  { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
  { 'X-Forwarded-For': '10.0.0.1, ::1' },
  { 'Transfer-Encoding': 'chunked' },
  { 'If-None-Match': '"a"', 'If-Modified-Since': 'Fri, 27 Nov 2026 00:00:00 GMT', Range: 'bytes=0-' },
]
const TYPES = [
  'application/json',
  'application/json; charset=UTF-8',
  'text/plain',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  '',
]

export function headersFor(
  { path }: { readonly path: string },
  random: Random,
  server: FuzzedServer,
): Headers {
  const callers = callersOf(server)
  const usual = usualCaller(path, server)
  const headers: Headers = {
    ...(random.chance(0.85) ? usual : random.pick(callers)),
    'Content-Type': random.chance(0.9) ? 'application/json' : random.pick(TYPES),
  }
  if (random.chance(0.1)) Object.assign(headers, random.pick(OTHERS))
  if (random.chance(0.06)) {
    const name = random.pick(Object.keys(headers))
    headers[name] = random.chance(0.5) ? random.pick(ODD_TEXTS) : mutateText(headers[name] ?? '', random, [])
  }
  return headers
}

/** By the form of the path, so that a new endpoint below one of these has a caller. */
function usualCaller(path: string, server: FuzzedServer): Headers {
  if (path.includes('/frontend/')) return { Authorization: '«frontend»' }
  if (path.includes('{clientToken}')) return appHeaders(server, '«app»')
  if (/\/prove\/|renewKeyshareAttribute/.test(path)) return ofUser(server)
  return { Authorization: SHOP_TOKEN }
}

function callersOf(server: FuzzedServer): readonly Headers[] {
  return [
    {},
    { Authorization: SHOP_TOKEN },
    { Authorization: '«frontend»' },
    appHeaders(server, '«app»'),
    appHeaders(server, 'x'),
    ofUser(server),
    { Authorization: '«requestorToken»' },
  ]
}

function ofUser({ profile }: FuzzedServer): Headers {
  return { [PROFILES[profile].keyshareUsernameHeader]: '«user»', Authorization: '«token»' }
}
