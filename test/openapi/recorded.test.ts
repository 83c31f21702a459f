/** Recorded requests and answers, validated against the description of the server by an independent validator. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { withServer } from '../http/harness.ts'
import { withKeyshare } from '../http/keyshare/harness.ts'
import { PROJECT } from '../project.ts'
import { readDifferences } from '../replay/differences.ts'
import { readTranscript } from '../replay/transcript.ts'
import { suite } from '../suite.ts'
import { type Api, apiOf } from './api.ts'

type Message = { readonly body?: unknown; readonly raw?: string; readonly hex?: string }
type Exchange = {
  readonly n: number
  readonly to: string
  readonly request: Message & { readonly method: string; readonly path: string }
  readonly response: (Message & { readonly status: number; readonly headers?: Record<string, string> }) | null
  readonly events?: readonly { readonly frame: string }[]
}

const FOLDERS = ['transcripts', 'keyshare', 'keyshare-server', 'sd-jwt']
const DIFFERENT = new Set(readDifferences('irma').map(({ file, exchange }) => `${file} ${exchange}`))

const recorded = FOLDERS.flatMap(folder =>
  readdirSync(join(PROJECT, 'test/vectors', folder))
    .filter(file => file.endsWith('.json') && file !== 'stored-records.json')
    .flatMap(file => {
      const { exchanges }: { exchanges: readonly Exchange[] } = JSON.parse(
        readFileSync(join(PROJECT, 'test/vectors', folder, file), 'utf8'),
      )
      return exchanges.map(exchange => ({ ...exchange, file: `${folder}/${file}` }))
    }),
)

async function apiOfSession(): Promise<Api> {
  let text = ''
  await withServer({ settings: { profile: 'irma' } }, async server => {
    text = (await server.call('GET', '/openapi.json')).text
  })
  return apiOf(text)
}

async function apiOfKeyshare(): Promise<Api> {
  let text = ''
  await withKeyshare({ profile: 'irma' }, async server => {
    text = (await server.call('GET', '/openapi.json')).text
  })
  return apiOf(text)
}

const APIS: Readonly<Record<string, Api>> = { session: await apiOfSession(), keyshare: await apiOfKeyshare() }

type Judged = { readonly of: string; readonly operation: string; readonly problem: string | null }

/** The problems in the described parts of an exchange. */
function judge({ file, n, to, request, response, events = [] }: (typeof recorded)[number]): Judged[] {
  const api = APIS[to]
  const found = api?.find(request.method, request.path.split('?')[0] ?? '')
  // 405 is described for all paths together
  if (!api || !found || response === null || response.status === 405) return []
  const { operation, place } = found
  const of = `${file} ${n} ${request.method} ${request.path}`
  const answer = operation.responses[response.status]
  const media = (response.headers?.['content-type'] ?? '').split(';')[0] ?? ''
  const said = (problem: string | null): Judged => ({ of, operation: operation.operationId, problem })
  if (!answer) return [said(`status ${response.status} is not described`)]
  const judged = [said(null)]
  const described = answer.content?.[media]
  if (!described && (response.body !== undefined || response.raw))
    judged.push(said(`content type ${media} of ${response.status} is not described`))
  if (described && media === 'application/json') {
    const at = [...place, 'responses', String(response.status), 'content', media, 'schema']
    judged.push(said(api.refusal(at, response.body)))
  }
  for (const data of events.flatMap(({ frame }) => /^data: (.*)$/m.exec(frame)?.[1] ?? [])) {
    const at = [...place, 'responses', '200', 'content', 'text/event-stream', 'schema', 'contentSchema']
    judged.push(said(api.refusal(at, JSON.parse(data))))
  }
  if (operation.requestBody && response.status < 300 && typeof request.body === 'object') {
    const at = [...place, 'requestBody', 'content', 'application/json', 'schema']
    judged.push(said(api.refusal(at, request.body)))
  }
  return judged
}

const Recorded = suite('the description of the endpoints and recorded exchanges')

/** An exchange that is not replayed does not show this server's answer. */
const SKIPPED = new Set(
  [...new Set(recorded.map(({ file }) => file))].flatMap(file =>
    readTranscript(file, 'irma')
      .exchanges.filter(({ skipped }) => skipped !== null)
      .map(({ n }) => `${file} ${n}`),
  ),
)
const judged = recorded
  .filter(({ file, n }) => !DIFFERENT.has(`${file} ${n}`) && !SKIPPED.has(`${file} ${n}`))
  .flatMap(judge)

Recorded(
  'every recorded request that was accepted, and every answer and event, is valid by the description',
  () => {
    assert.ok(judged.length > 2_000, String(judged.length))
    assert.equal(
      judged.flatMap(({ of, problem }) => (problem === null ? [] : [`${of}: ${problem}`])),
      [],
    )
  },
)

Recorded('every example is part of a recorded exchange', () => {
  const known = new Set(
    recorded.flatMap(({ request, response }) => [
      JSON.stringify(request.body),
      JSON.stringify(response?.body),
    ]),
  )
  const examples = Object.values(APIS).flatMap(({ document }) =>
    Object.values(document.paths).flatMap(methods =>
      Object.values(methods).flatMap(({ requestBody, responses }) =>
        [requestBody, ...Object.values(responses)].flatMap(part =>
          Object.values(part?.content ?? {}).flatMap(({ example }) => example ?? []),
        ),
      ),
    ),
  )
  assert.ok(examples.length >= 8, String(examples.length))
  assert.equal(
    examples.filter(example => !known.has(JSON.stringify(example))),
    [],
  )
})

Recorded('a message that does not fit the description is invalid', () => {
  const api = APIS.session
  const exchange = recorded.find(({ request }) => request.path.endsWith('/result'))
  assert.ok(api && exchange?.response)
  const found = api.find('GET', exchange.request.path)
  const at = [...(found?.place ?? []), 'responses', '200', 'content', 'application/json', 'schema']
  const { body } = exchange.response
  assert.is(api.refusal(at, body), null)
  assert.match(api.refusal(at, { ...Object(body), more: 1 }) ?? '', /additional properties/)
})

Recorded.run()
