/** Compares the tables and drawings of the guide for requestors with the messages on the wire. */
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { PROFILES } from '../../protocol/profiles.ts'
import { parseSessionRequest } from '../../protocol/request.ts'
import { SESSION_RESULT } from '../../protocol/wire/answers.ts'
import { sessionRequestSchemas } from '../../protocol/wire/session-request.ts'
import { readSource } from '../architecture/imports.ts'
import { suite } from '../suite.ts'
import { readPage } from './markdown.ts'
import { textOf } from './pages.ts'

const GUIDE = 'docs/requestor-guide.md'
const profile = PROFILES.svc

/** Names in code type in the first column of a table. */
const named = new Set(
  textOf(GUIDE)
    .split('\n')
    .map(line => /^\| ([^|]*`[^|]*) \|/.exec(line)?.[1] ?? '')
    .flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)),
)

/** Members that a current program neither sends nor reads: ignored ones, or those of the form before conjunctions. */
const UNTOLD = ['context', 'nonce', 'protocolVersion', 'devMode', 'keyCounter', 'randomblindIDs', 'request']
/** Members that the guide describes as a whole. */
const WHOLE = ['signature', 'error', 'labels', 'value', 'revocation', 'nextSession']

/** The parts of a JSON Schema that are visited. */
const NODE = z.record(z.string(), z.unknown())

/** The names of members at any depth, and the values of members with few values. */
function namesIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(namesIn)
  const node = NODE.safeParse(schema)
  if (!node.success) return []
  const { properties, enum: values, ...rest } = node.data
  const members = Object.entries(NODE.parse(properties ?? {})).flatMap(([name, member]) =>
    WHOLE.includes(name) ? [name] : [name, ...namesIn(member)],
  )
  const words = z.array(z.string()).catch([]).parse(values)
  return [...members, ...words, ...Object.values(rest).flatMap(namesIn)]
}

function untold(schemas: readonly z.ZodType[], others: readonly string[] = []): string[] {
  const names = schemas.flatMap(schema => namesIn(z.toJSONSchema(schema, { io: 'input' })))
  return [...new Set(names)].filter(name => ![...named, ...UNTOLD, ...others].includes(name))
}

const Guide = suite('the guide for requestors')

Guide('its tables name every member of a request and of its options', () => {
  const { disclosure, signature, issuance } = sessionRequestSchemas(profile)
  assert.equal(untold([disclosure, signature, issuance]), [])
  const { callbackUrl, nextSession, timeout, validity } = sessionRequestSchemas(profile).extended.shape
  assert.equal(untold([z.object({ callbackUrl, nextSession, timeout, validity })]), [])
})

Guide('its tables name every member of a result, every status and every proofStatus', () => {
  const inProse = ['disclosing', 'signing', 'issuing', 'PRESENT', 'NULL', 'EXTRA']
  assert.equal(untold([SESSION_RESULT], inProse), [])
  assert.equal(
    inProse.filter(word => !textOf(GUIDE).includes(`\`${word}\``)),
    [],
  )
})

Guide('its tables name every endpoint of requestors and of frontends', () => {
  const line = /^ {4}\['([A-Z]+)', +['`](?:\$\{(frontend|session)\})?([^'`]*)/gm
  const rows = [...readSource('http/routes.ts').matchAll(line)].map(([, method, base, path = '']) => ({
    isFrontend: base === 'frontend',
    method,
    path: path.replace('{/}', ''),
  }))
  const told = [...named].join('\n')
  const endpoints = rows
    .filter(
      ({ isFrontend, path }) =>
        isFrontend || ['/session', '/publickey', '/revocation', '/health'].includes(path),
    )
    .map(({ isFrontend, method, path }) => `${method} ${isFrontend ? '…/frontend' : ''}${path}`)
  assert.is(endpoints.length, 8)
  assert.equal(
    endpoints.filter(endpoint => !told.includes(endpoint)),
    [],
  )
  for (const path of ['/status', '/statusevents', '/result', '/result-jwt', '/getproof'])
    assert.ok(named.has(`GET /session/TOKEN${path}`), path)
})

/** A drawing has the request on the left of this column, and its meaning on the right. */
const WIDTH = 46

Guide('its drawings show requests that the server accepts', () => {
  const drawings = readPage(GUIDE, textOf(GUIDE)).fences.filter(({ language }) => language === 'diagram')
  for (const { at, content } of drawings) {
    const json = content
      .split('\n')
      .map(line => line.slice(0, WIDTH))
      .join('\n')
    const disclose = JSON.parse(json)
    const request = { '@context': `${profile.contextBase}/ld/request/disclosure/v2`, disclose }
    assert.not.throws(() => parseSessionRequest(request, profile), at)
  }
  assert.is(drawings.length, 4)
})
Guide.run()
