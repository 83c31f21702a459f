/** The endpoints of one server as a target. Its description lists them, so a new endpoint is tried without a change here. @module */
import type { Api } from '../../openapi/api.ts'
import { FORMS } from '../forms.ts'
import { mutateJson } from '../mutate-json.ts'
import { mutateText, wordsIn } from '../mutate-text.ts'
import type { Random } from '../random.ts'
import type { Input, Target } from '../target.ts'
import { isAllowed } from './allowed.ts'
import { bodiesByOperation } from './bodies.ts'
import { headersFor } from './headers.ts'
import { type RemoteErrorText, remoteErrorIn } from './remote-error.ts'
import type { Answer, Call, Caller } from './send.ts'
import type { FuzzedServer } from './servers.ts'
import { type State, signedBy, type Values } from './states.ts'

const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']
/** The number of calls for which a state is used again. */
const USES = 12
/** A longer body may be refused before it is read, and then its connection is closed. */
const READ_BYTES = 50_000

type Operation = { readonly id: string; readonly method: string; readonly path: string }
type Tried = Call & { readonly state: string; readonly raw: string }

export type HttpTarget = Target & { readonly server: FuzzedServer; readonly caller: Caller }

export function httpTarget(
  server: FuzzedServer,
  caller: Caller,
  api: Api,
  states: readonly State[],
): HttpTarget {
  const operations = Object.entries(api.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId }]): Operation => ({
        id: operationId.replace(/\d+$/, ''),
        method: method.toUpperCase(),
        path,
      }),
    ),
  )
  const bodies = bodiesByOperation(server, api, states)
  const words = wordsIn([...bodies.values()].flat().slice(0, 200))
  const reached = new Reached(states, server, caller)
  const name = `${server.kind}-server-${server.profile}`
  return {
    name,
    server,
    caller,
    generate: random => inputOf(random, { operations, bodies, words, states, server }),
    refresh: () => reached.forget(),
    prepare: async input => void (await reached.valuesOf(callIn(input).state)),
    partOf: input => operationOf(callIn(input), api),
    async tryInput(input) {
      const tried = callIn(input)
      const values = reached.knownOf(tried.state) ?? (await reached.valuesOf(tried.state))
      const call = filled(tried, values)
      const { raw } = tried
      const answer = await (raw === '' ? caller.send(call) : caller.sendRaw(fill(raw, values)))
      const [error] = server.errors.splice(0)
      if (error !== undefined) return `logged an error: ${error}`
      return faultOf(answer, { operation: operationOf(tried, api), tried })
    },
  }
}

/** Values of states, each used for a few calls. */
class Reached {
  readonly #states: readonly State[]
  readonly #server: FuzzedServer
  readonly #caller: Caller
  readonly #values = new Map<string, { readonly values: Values; uses: number }>()

  constructor(states: readonly State[], server: FuzzedServer, caller: Caller) {
    this.#states = states
    this.#server = server
    this.#caller = caller
  }

  forget(): void {
    this.#values.clear()
  }

  /** null: the state is not reached yet */
  knownOf(name: string): Values | null {
    return this.#values.get(name)?.values ?? null
  }

  async valuesOf(name: string): Promise<Values> {
    const known = this.#values.get(name)
    if (known && ++known.uses < USES) return known.values
    const state = this.#states.find(each => each.name === name)
    if (state === undefined) return {}
    const values = await state.reach(this.#server, this.#caller)
    this.#values.set(name, { values, uses: 0 })
    return values
  }
}

type Ground = {
  readonly operations: readonly Operation[]
  readonly bodies: ReadonlyMap<string, readonly string[]>
  readonly words: readonly string[]
  readonly states: readonly State[]
  readonly server: FuzzedServer
}

function inputOf(random: Random, ground: Ground): Input {
  const { operations, bodies, words, states, server } = ground
  const operation = random.pick(operations)
  const state = random.pick(states)
  const own = state.bodies.filter(([end]) => operation.path.endsWith(end)).map(([, body]) => body)
  const seeds = own.length > 0 && random.chance(0.8) ? own : (bodies.get(operation.id) ?? [])
  const method = random.chance(0.05) ? random.pick(METHODS) : operation.method
  const path = pathOf(operation.path, random, words)
  const headers = headersFor(operation, random, server)
  const body = seeds.length > 0 || random.chance(0.1) ? bodyOf(seeds, random, words) : ''
  const call = { method, path, headers, body, state: state.name }
  return random.chance(0.03) ? { state: state.name, raw: rawOf(call, random, words) } : { ...call }
}

function pathOf(path: string, random: Random, words: readonly string[]): string {
  const named = path.replace(/\{(\w+)\}/g, (_, name: string) => parameterOf(name, random, words))
  const query = random.chance(0.05) ? `?${mutateText('a=b&c', random, words)}` : ''
  return (random.chance(0.06) ? mutateText(named, random, words) : named) + query
}

const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  type: ['svc-demo.fast.badge', 'svc-demo.gov.permit', 'svc-demo.gov.idcard'],
  count: ['0', '1', '16', '64'],
  keyCounter: ['0', '1'],
  min: ['0', '16'],
  max: ['16', '32'],
}

function parameterOf(name: string, random: Random, words: readonly string[]): string {
  if (random.chance(0.04)) return encodeURIComponent(FORMS.text.write(random, words).toWellFormed())
  const values = PARAMETERS[name]
  return values === undefined ? `«${name}»` : random.pick(values)
}

function bodyOf(seeds: readonly string[], random: Random, words: readonly string[]): string {
  if (seeds.length === 0 || random.chance(0.08)) return FORMS.json.write(random, words)
  const seed = random.pick(seeds)
  return random.chance(0.06) ? seed : mutateJson(seed, random, words)
}

function rawOf({ method, path, headers, body }: Call, random: Random, words: readonly string[]): string {
  const lines = Object.entries({
    Host: '127.0.0.1',
    Connection: 'close',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  })
  const text = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${Buffer.from(body).toString('latin1')}`
  return mutateText(text, random, words)
}

function callIn(input: Input): Tried {
  const {
    method = 'GET',
    path = '/',
    headers = {},
    body = '',
    state = '',
    raw = '',
  } = typeof input === 'string' ? {} : input
  return {
    method: String(method),
    path: String(path),
    body: String(body),
    state: String(state),
    raw: String(raw),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  }
}

function operationOf({ method, path, raw }: Tried, api: Api): string {
  const [, rawMethod = '', rawPath = ''] = /^(\S+) (\S+)/.exec(raw) ?? []
  const found =
    raw === ''
      ? api.find(method === 'HEAD' ? 'GET' : method, path.replace(/\?.*$/s, ''))
      : api.find(rawMethod, rawPath)
  return found?.operation.operationId.replace(/\d+$/, '') ?? 'no endpoint'
}

function filled({ method, path, headers, body }: Tried, values: Values): Call {
  const set = Object.entries(headers).map(([name, value]) => [name, fill(value, values)])
  return {
    method,
    path: fill(path, values),
    headers: Object.fromEntries(set),
    body: signedIn(fill(body, values), values),
  }
}

function fill(text: string, values: Values): string {
  return text.replace(/«(\w+)»/g, (name, key: string) =>
    Object.hasOwn(values, key) ? (values[key]?.replaceAll('\n', '\\n') ?? name) : name,
  )
}

/** An object with the member `$jwt` becomes a JWT of the device over its value. */
function signedIn(body: string, { device = '' }: Values): string {
  if (!body.includes('"$jwt"')) return body
  try {
    return JSON.stringify(
      JSON.parse(body, (_, value) =>
        Object(value).$jwt instanceof Object ? signedBy(device, value.$jwt) : value,
      ),
    )
  } catch {
    return body // it is no JSON any more
  }
}

function faultOf(
  answer: Answer,
  { operation, tried }: { readonly operation: string; readonly tried: Tried },
): string | null {
  const { status } = answer
  const isLong = Buffer.byteLength(tried.body) > READ_BYTES
  if (status === 0) return tried.raw !== '' || isLong ? null : `no answer to ${operation}`
  if (tried.method === 'HEAD' && status >= 500 && !isAllowed(operation, status, null))
    return `${status} to HEAD of ${operation}`
  if (status < 400 || tried.method === 'HEAD') return null
  const told: RemoteErrorText | null = remoteErrorIn(answer)
  if (status >= 500 && !isAllowed(operation, status, told?.error ?? ''))
    return `${status} ${told?.error} of ${operation}`
  return told === null && tried.raw === '' ? `${status} of ${operation} without a remote error` : null
}
