/** The programs of `examples/`, each as a process of its own on a port of its own; and a session server of the tests that answers results as it is told. @module */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort, type Running, startProgram } from '../cli/run-svc.ts'
import { PROJECT } from '../project.ts'

/** Each file below `examples/`, and what runs it. */
export const PROGRAMS = {
  'site-node.mjs': process.execPath,
  'site-express.mjs': process.execPath,
  'site-python.py': 'python3',
} as const
export type Program = keyof typeof PROGRAMS

export const TOKEN = 'token of the requestor'

export type Site = { readonly url: string; readonly running: Running }

/** @param server the address of the session server */
export async function startSite(program: Program, server: string): Promise<Site> {
  const port = await freePort()
  const env = { PORT: String(port), SVC_URL: server, SVC_TOKEN: TOKEN }
  const running = startProgram(PROGRAMS[program], [`examples/${program}`], env, PROJECT)
  await running.says(`Open http://127.0.0.1:${port}/`)
  return { url: `http://127.0.0.1:${port}`, running }
}

export type StandIn = {
  readonly url: string
  /** what the sites sent to start a session: the header Authorization, and the body */
  readonly asked: { readonly authorization: string | undefined; readonly body: string }[]
  /** The next result that is asked for is this. */
  willAnswer(status: number, result: unknown): void
  close(): Promise<void>
}

const PACKAGE = {
  sessionPtr: { u: 'http://127.0.0.1/', irmaqr: 'disclosing' },
  token: 'secret',
  frontendRequest: {},
}

/** Takes the place of the session server, which never gives such results on demand. */
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
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // listens on TCP
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
