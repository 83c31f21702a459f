/** The description of a server (OpenAPI 3.1), made of its tables of routes and of the schemas of the wire (`protocol/wire`): no fact of a table is
 *  repeated. @module */
import { z } from 'zod'
import type { Profile } from '../../protocol/profiles.ts'
import { REMOTE_ERROR } from '../../protocol/wire/answers.ts'
import type { CallerTypes } from '../callers.ts'
import type { KeyshareCallerTypes } from '../keyshare/callers.ts'
import type { DescribedRoute, DescribedTable } from '../mount.ts'
import { factsOf, SECURITY } from './callers.ts'
import { exampleOf } from './examples.ts'
import type { Answer } from './operation.ts'
import { type OperationName, operationsOf, type TaggedOperation } from './operations.ts'
import { PARAMETERS } from './parameters.ts'
import { capital, SchemaNames } from './schema-names.ts'
import { schemasOf } from './schemas.ts'

type Anybody = { readonly anybody: null }
export type AnyTable =
  | DescribedTable<CallerTypes>
  | DescribedTable<KeyshareCallerTypes>
  | DescribedTable<Anybody>
type AnyRoute = DescribedRoute<CallerTypes> | DescribedRoute<KeyshareCallerTypes> | DescribedRoute<Anybody>

export type ApiFacts = {
  readonly title: string
  /** of the package */
  readonly version: string
  readonly profile: Profile
  /** true: every caller may start sessions */
  readonly noAuth: boolean
}

type Content = Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>
export type Response = {
  readonly description: string
  readonly content?: Content
  readonly headers?: object
}
export type OperationObject = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly description: string
    readonly required: boolean
  }[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
  readonly security: readonly object[]
}
export type ApiDocument = {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>
  }
}

const ABOUT =
  'Every answer that is no success is a remote error, also where a path or method is unknown (404, 405 with `Allow`), and where the headers are too long (431). A token in a path may be followed by one slash where nothing else follows it. Bodies are JSON in UTF-8, without a Content-Encoding; members that are unknown are ignored, and null is the same as a member that is left out.'
const HEAD: Readonly<Record<Profile['head'], string>> = {
  everywhere: 'HEAD is answered wherever GET is, without the body. It changes nothing, also where GET does.',
  'beside-sessions': 'HEAD is answered at /health, /health/ready, /publickey and pages.',
}
/** The newest version of the wallet app protocol. */
const PROTOCOL_VERSION = '2.8'
const JSON_TYPE = 'application/json'
const CBOR_TYPE = 'application/octet-stream'

/** @param root the root of the listener, relative to the address of the document, because a proxy may add a path before both */
export function describeApi(tables: readonly AnyTable[], facts: ApiFacts, root: string): ApiDocument {
  const schemas = schemasOf(facts.profile)
  const operations = operationsOf(facts.profile, schemas)
  const names = new SchemaNames(schemas)
  const paths: Record<string, Record<string, OperationObject>> = {}
  const seen = new Map<OperationName, number>()
  for (const { prefix, routes } of tables)
    for (const route of routes) {
      const [method, path, , , , , , operation] = route
      if (operation === '-') continue
      const count = (seen.get(operation) ?? 0) + 1
      seen.set(operation, count)
      const id = count === 1 ? operation : `${operation}${count}`
      const shown = shownPath(prefix + path)
      paths[shown] ??= {}
      paths[shown][method.toLowerCase()] = describe(
        { id, route, operation, ...operations[operation] },
        names,
        facts,
      )
    }
  return {
    openapi: '3.1.0',
    info: {
      title: facts.title,
      version: facts.version,
      description: `${ABOUT} ${HEAD[facts.profile.head]} The newest version of the wallet app protocol is ${PROTOCOL_VERSION}.`,
    },
    servers: [{ url: root, description: 'The server of this description' }],
    paths,
    components: { schemas: names.written(), securitySchemes: securitySchemes() },
  }
}

/** A path in the form of descriptions: optional parts are left out. */
function shownPath(path: string): string {
  return path.replace(/\{[^}]*\}+/g, '').replace(/:(\w+)/g, '{$1}')
}

function parameterNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}

type Described = TaggedOperation & {
  readonly id: string
  readonly route: AnyRoute
  readonly operation: OperationName
}

function describe(described: Described, names: SchemaNames, facts: ApiFacts): OperationObject {
  const { id, route, tag, summary, description } = described
  const { body } = described
  const parameters = parametersOf(described)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: contentOf(body, 'Body', described, names, facts) },
    }),
    responses: responsesOf(described, names, facts),
    security: securityOf(route, facts),
  }
}

function parametersOf({ route: [, path], headers = [] }: Described) {
  const inPath = parameterNames(path).map(name => {
    const { words, schema } = PARAMETERS[name] ?? missing(name)
    return { name, in: 'path', description: words, required: true, schema: inlineSchema(schema) }
  })
  const inHeaders = headers.map(({ name, words, isRequired }) => {
    const schema = { type: 'string', pattern: '^\\s*[0-9]{1,9}\\.[0-9]{1,9}\\s*$' }
    return { name, in: 'header', description: words, required: isRequired, schema }
  })
  return [...inPath, ...inHeaders]
}

function missing(name: string): never {
  throw new TypeError(`description of the endpoints: expected a parameter of http/openapi, got ${name}`)
}

function inlineSchema(schema: z.ZodType): object {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' })
  return json
}

function responsesOf(described: Described, names: SchemaNames, facts: ApiFacts): Record<string, Response> {
  const answers = Object.entries(described.answers).map(([status, answer]): [string, Response] => [
    status,
    successOf(answer, Number(status), described, names, facts),
  ])
  const [, , , , , form] = described.route
  const errors = errorStatuses(described, facts).map((status): [string, Response] => [
    String(status),
    errorOf(status, form, names),
  ])
  return { ...Object.fromEntries(errors), ...Object.fromEntries(answers) }
}

/** The statuses that the line of the table implies, and those that the operation adds. */
function errorStatuses({ route, errors = [] }: Described, { profile }: ApiFacts): number[] {
  const [, path, caller, body, limit] = route
  const statuses = [
    ...errors,
    ...factsOf(caller).errors,
    ...parameterNames(path).flatMap(name => PARAMETERS[name]?.errors ?? []),
    ...(body === '-' ? [] : profile.unreadBody === 'own-status' ? [400, 413, 415] : [400]),
    ...(limit === '-' ? [] : [503]),
  ]
  return [...new Set(statuses)].sort((a, b) => a - b)
}

function errorOf(status: number, form: unknown, names: SchemaNames): Response {
  const description =
    status === 503
      ? 'The server cannot answer now. Repeat the call after the number of seconds in Retry-After'
      : 'A remote error'
  const headers = status === 503 ? { headers: { 'Retry-After': { schema: { type: 'integer' } } } } : {}
  const content =
    form === 'cbor'
      ? { [CBOR_TYPE]: { schema: {} } }
      : { [JSON_TYPE]: { schema: names.of(REMOTE_ERROR, 'RemoteError') } }
  return { description, content, ...headers }
}

function successOf(
  answer: Answer,
  status: number,
  described: Described,
  names: SchemaNames,
  facts: ApiFacts,
): Response {
  switch (answer.form) {
    case 'json':
      return {
        description: 'Success',
        content: contentOf(
          answer.schema,
          status === 200 ? 'Answer' : `Answer${status}`,
          described,
          names,
          facts,
        ),
      }
    case 'text':
      return { description: answer.words, content: { 'text/plain': { schema: { type: 'string' } } } }
    case 'page':
      return { description: answer.words, content: { 'text/html': { schema: { type: 'string' } } } }
    case 'bytes':
      return { description: answer.words, content: { [CBOR_TYPE]: { schema: {} } } }
    case 'events': {
      const contentSchema = names.of(answer.schema, `${capital(described.operation)}Event`)
      const schema = { type: 'string', contentMediaType: JSON_TYPE, contentSchema }
      return {
        description: 'An event stream: "event: open", then events whose data is JSON of contentSchema',
        content: { 'text/event-stream': { schema } },
      }
    }
    case 'empty':
      return { description: 'Success, without a body' }
  }
}

function contentOf(
  schema: z.ZodType,
  what: 'Body' | 'Answer' | `Answer${number}`,
  { operation }: Described,
  names: SchemaNames,
  { profile }: ApiFacts,
): Content {
  const example = exampleOf(operation, what, profile)
  const described = names.of(schema, `${capital(operation)}${what}`)
  return { [JSON_TYPE]: { schema: described, ...(example !== undefined && { example }) } }
}

function securityOf([, , caller]: AnyRoute, { noAuth }: ApiFacts): object[] {
  const { security, isOptional } = factsOf(caller)
  if (security === undefined || (caller === 'requestor' && noAuth)) return []
  return [...(isOptional ? [{}] : []), { [security]: [] }]
}

function securitySchemes(): ApiDocument['components']['securitySchemes'] {
  const entries = Object.entries(SECURITY).map(([name, description]) => [
    name,
    { type: 'apiKey', in: 'header', name: 'Authorization', description },
  ])
  return Object.fromEntries(entries)
}
