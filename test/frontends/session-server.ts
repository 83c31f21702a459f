/** `svc server` as its own process in profile `irma`, with a requestor of each kind, and doors to it. A door is an address for frontends and
 *  phones. It forwards and records everything, or refuses event streams, like a server or a proxy without them. @module */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { placed, type Seat } from '../behind-proxy.ts'
import { type Running, startSvc } from '../cli/run-svc.ts'
import { until } from '../patience.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const keyFile = (name: string): string => join(PROJECT, 'test/vectors/keys', name)

export const TOKEN = 'token-of-the-front-end-tests'
export const HMAC_KEY = Buffer.from('secret of the front-end tests, 42 bytes...')
export const PRIVATE_KEY = readFileSync(keyFile('requestor-rs256.private.pem'), 'utf8')

/** The requestors of sites; the keys are above. */
const REQUESTORS = {
  tokens: { auth_method: 'token', key: TOKEN },
  hmacs: { auth_method: 'hmac', key: HMAC_KEY.toString('base64') },
  keys: { auth_method: 'publickey', key_file: keyFile('requestor-rs256.public.pem') },
}
const SETTINGS = {
  profile: 'irma',
  schemes_path: DEMO_SCHEMES,
  workers: 1,
  listen_addr: '127.0.0.1',
  no_auth: false,
  requestors: REQUESTORS,
  host_perms: ['*'],
  jwt_issuer: 'tests',
  jwt_privkey_file: keyFile('session-jwt.private.pem'),
}

export type SessionServer = { readonly url: string; close(): Promise<void> }

export async function startSessionServer(): Promise<SessionServer> {
  const place = await placed(startNode)
  return {
    url: `http://127.0.0.1:${place.port}`,
    async close() {
      for (const { process } of place.nodes) process.kill('SIGTERM')
      await Promise.all(place.nodes.map(({ finished }) => finished))
      await place.close()
    },
  }
}

async function startNode({ store, port, servicePort }: Seat): Promise<Running> {
  const config = join(temporaryFolder(), 'svcserver.json')
  const url = `http://127.0.0.1:${servicePort}`
  writeFileSync(config, JSON.stringify({ ...SETTINGS, store, port, url }))
  const running = startSvc(['server', '--config', config])
  await running.says('svc server running')
  return running
}

export type Transport = 'stream' | 'polling'

type Answered = { readonly method: string; readonly path: string; readonly status: number }

export type Door = {
  readonly url: string
  /** the value of `host` in a session request, so that pointers lead through this door */
  readonly host: string
  /** answers below an address of this door, oldest first; a stream counts from its head on */
  answered(address: string): readonly Answered[]
  /** Resolves after the wanted answer below that address. */
  until(address: string, isWanted: (answer: Answered) => boolean): Promise<void>
  close(): Promise<void>
}

/** An extended request whose app and frontend use a door.
 *  @param request extended or not
 *  @param next address that gives the next session */
export function atDoor(request: object, { host }: Door, next?: string): object {
  const extended = 'request' in request ? request : { request }
  return {
    ...extended,
    request: { ...Object(extended.request), host },
    ...(next && { nextSession: { url: next } }),
  }
}

/** The answer of a server with event streams turned off. */
const DISABLED = { status: 500, error: 'SSE_DISABLED', description: 'Server sent events disabled' }

export async function openDoor(server: string, transport: Transport): Promise<Door> {
  const all: Answered[] = []
  const door = createServer((asked, response) => {
    const tell = (status: number): void => {
      all.push({ method: asked.method ?? '', path: asked.url ?? '', status })
    }
    const isStream = asked.method === 'GET' && asked.url?.endsWith('/statusevents')
    if (isStream && transport === 'polling') refuseStream(response, tell)
    else passOn(server, asked, response, tell)
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  const { port } = door.address() as AddressInfo // the server listens on TCP
  const host = `127.0.0.1:${port}`
  const answered = (address: string) => all.filter(({ path }) => path.startsWith(new URL(address).pathname))
  return {
    url: `http://${host}`,
    host,
    answered,
    until: (address, isWanted) =>
      until(() => answered(address).some(isWanted), 'another answer of the server').catch(error => {
        const got = answered(address).map(
          ({ method, path, status }) => `${method} …${path.slice(-20)} ${status}`,
        )
        throw new Error(`${error.message}, but ${got.join(', ')}`)
      }),
    async close() {
      door.close()
      door.closeAllConnections()
      await once(door, 'close')
    },
  }
}

function refuseStream(response: ServerResponse, tell: (status: number) => void): void {
  tell(DISABLED.status)
  response.writeHead(DISABLED.status, {
    'Content-Type': 'application/json; charset=UTF-8',
    'Access-Control-Allow-Origin': '*',
  })
  response.end(JSON.stringify(DISABLED))
}

function passOn(
  server: string,
  asked: IncomingMessage,
  response: ServerResponse,
  tell: (status: number) => void,
): void {
  const { method, url, headers } = asked
  const onward = request(new URL(url ?? '/', server), { method, headers }, answer => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    tell(response.statusCode)
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  response.on('close', () => onward.destroy())
  asked.pipe(onward)
}
