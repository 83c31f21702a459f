/** Time until `svc server` answers, with 10 schemes of 40 issuers and 100 credential types each, compared with `svc --help` in the same rounds. Both are separate
 *  processes: CPU time of all their threads, and elapsed time. @module */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { freePort, MAIN } from '../../test/cli/run-svc.ts'
import { DEMO_SCHEMES } from '../../test/project.ts'
import { temporaryFolder } from '../../test/schemes/make-scheme.ts'
import { median, rounded } from './cpu.ts'
import { makeSchemes } from './schemes.ts'

const ROUNDS = 9
const POLL_MS = 2
const REPORT = new URL(`./startup/report-cpu${import.meta.url.slice(-3)}`, import.meta.url)

type Start = { readonly cpuMs: number; readonly wallMs: number }

function startSvc(words: readonly string[]) {
  return fork(MAIN, words, {
    execArgv: ['--import', REPORT.href],
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

/** From the start of the process until it has printed its help. */
async function help(): Promise<Start> {
  const startedAt = performance.now()
  const child = startSvc(['--help'])
  const [[cpuMs]] = await Promise.all([once(child, 'message'), once(child, 'exit')])
  return { cpuMs: Number(cpuMs), wallMs: performance.now() - startedAt }
}

/** From the start of the process until its first answer. */
async function server(schemes: string, store: string): Promise<Start> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = startSvc([
    'server',
    '--listen-addr',
    '127.0.0.1',
    '--port',
    String(port),
    '--store',
    store,
    '--schemes-path',
    schemes,
    '--url',
    `http://127.0.0.1:${port}`,
  ])
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`benchmark: svc server ended with ${child.exitCode}`)
    await setTimeout(POLL_MS)
  }
  const wallMs = performance.now() - startedAt
  child.send('cpu')
  const [cpuMs] = await once(child, 'message')
  child.kill()
  await once(child, 'exit')
  return { cpuMs: Number(cpuMs), wallMs }
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    get({ port, host: '127.0.0.1', path: '/health', agent: false }, answer => {
      answer.resume()
      resolve(answer.statusCode === 200)
    }).on('error', () => resolve(false))
  })
}

/** Prints medians, and the ratios per round (aim: `svc server` at most 3 times `svc --help`). */
export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const folder = await temporaryFolder()
  try {
    await makeSchemes(folder.path)
    const rounds: { help: Start; server: Start; small: Start }[] = []
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({
        help: await help(),
        server: await server(folder.path, 'memory'),
        small: await server(DEMO_SCHEMES, 'memory'),
      })
    const of = (part: (round: (typeof rounds)[number]) => number): number => rounded(median(rounds.map(part)))
    const result = {
      name: 'startup',
      node: process.version,
      schemes: 10,
      rounds: ROUNDS,
      helpCpuMs: of(round => round.help.cpuMs),
      serverCpuMs: of(round => round.server.cpuMs),
      demoSchemesCpuMs: of(round => round.small.cpuMs),
      cpuRatio: of(round => round.server.cpuMs / round.help.cpuMs),
      helpWallMs: of(round => round.help.wallMs),
      serverWallMs: of(round => round.server.wallMs),
      wallRatio: of(round => round.server.wallMs / round.help.wallMs),
    }
    if (json) console.log(JSON.stringify(result))
    else console.table(result)
  } finally {
    await folder.remove()
  }
}
