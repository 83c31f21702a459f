/** The programs of `examples/`, each as a separate process on its own port, and a session server of the tests that gives prepared results. @module */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, type Running, startProgram } from '../cli/run-svc.ts'
import { PROJECT } from '../project.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { askingFolder } from './asking-folder.ts'
import { builtSite, hasNext, startNext } from './real-next.ts'

const file = (name: string): string => `examples/${name}`
const testFile = (name: string): string =>
  fileURLToPath(new URL(`${name}${import.meta.url.slice(-3)}`, import.meta.url))

/** Each program below `examples/`, and the command that runs it on a port. */
const COMMANDS = {
  'site-node.mjs': () => [process.execPath, file('site-node.mjs')],
  'site-express.mjs': () => [process.execPath, file('site-express.mjs')],
  'site-python.py': () => ['python3', join(PROJECT, file('site-python.py'))],
  'site-php.php': port => ['php', '-S', `127.0.0.1:${port}`, file('site-php.php')],
  next: port => (hasNext ? startNext(port) : [process.execPath, testFile('next-site')]),
  'ask/express.mjs': () => [process.execPath, 'express.mjs'],
  'ask/fastify.mjs': () => [process.execPath, 'fastify.mjs'],
  'ask/hono.mjs': () => [process.execPath, 'hono.mjs'],
  'ask/koa.mjs': () => [process.execPath, 'koa.mjs'],
  'ask/next': port => (hasNext ? startNext(port) : [process.execPath, testFile('ask-next-site')]),
} as const satisfies Readonly<Record<string, (port: number) => readonly [string, ...string[]]>>
export type Program = keyof typeof COMMANDS
export const PROGRAMS: readonly Program[] = [
  ...(['site-node.mjs', 'site-express.mjs', 'site-python.py', 'site-php.php', 'next'] as const),
]
/** The programs with `askFor`, of the package attribute-session-client. */
export const ASKING: readonly Program[] = [
  ...(['ask/express.mjs', 'ask/fastify.mjs', 'ask/hono.mjs', 'ask/koa.mjs', 'ask/next'] as const),
]

/** The path prefix of a program's calls, and the tools that it needs besides Node. */
export const apiOf = (program: Program): string => (program.endsWith('next') ? '/api' : '')
export const NEEDS: Readonly<Partial<Record<Program, string>>> = {
  'site-python.py': 'python3',
  'site-php.php': 'php',
}

export const TOKEN = 'token of the requestor'

export type Site = {
  readonly url: string
  readonly running: Running
  /** the cookie of a visitor's browser */
  cookie: string
}

/** @param server the address of the session server */
export async function startSite(program: Program, server: string): Promise<Site> {
  const port = await freePort()
  const env = { PORT: String(port), SVC_URL: server, SVC_TOKEN: TOKEN, SESSION_SECRET: 's'.repeat(32) }
  const [command, ...words] = COMMANDS[program](port)
  const running = startProgram(command, words, env, await folderOf(program))
  const url = `http://127.0.0.1:${port}`
  await running.says(sayingOf(program, url))
  return { url, running, cookie: '' }
}

/** The text of a program that listens. */
function sayingOf(program: Program, url: string): string {
  if (hasNext && program.endsWith('next')) return 'Ready in'
  return program === 'site-php.php' ? `(${url}) started` : `Open ${url}/`
}

async function folderOf(program: Program): Promise<string> {
  if (hasNext && (program === 'next' || program === 'ask/next')) return builtSite(program)
  if (ASKING.includes(program)) return askingFolder()
  return program === 'site-python.py' ? temporaryFolder() : PROJECT // Python needs no package of npm
}

/** A call of the page, from a browser that keeps cookies. */
export async function callSite(site: Site, path: string, method = 'GET'): Promise<Response> {
  const answer = await fetch(site.url + path, { method, headers: site.cookie ? { Cookie: site.cookie } : {} })
  const set = answer.headers.getSetCookie().map(text => text.split(';', 1)[0])
  if (set.length > 0) site.cookie = set.join('; ')
  return answer
}

export type StandIn = {
  readonly url: string
  /** the calls of the sites that start a session: the header Authorization, and the body */
  readonly asked: { readonly authorization: string | undefined; readonly body: string }[]
  /** Sets the next result. */
  willAnswer(status: number, result: unknown): void
  close(): Promise<void>
}

const PACKAGE = {
  sessionPtr: { u: 'http://127.0.0.1/', irmaqr: 'disclosing' },
  token: 'secret',
  frontendRequest: {},
}

/** Replaces the session server, which cannot give such results on demand. */
export async function startStandIn(): Promise<StandIn> {
  let next: readonly [status: number, result: unknown] = [500, null]
  const asked: { authorization: string | undefined; body: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const isStart = request.method === 'POST' && request.url === '/session'
    if (isStart) asked.push({ authorization: request.headers.authorization, body })
    const [status, answer] = isStart
      ? [200, PACKAGE]
      : request.url === '/session/secret/result'
        ? next
        : [404, null]
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // the server listens on TCP
    asked,
    willAnswer: (status, result) => {
      next = [status, result]
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
