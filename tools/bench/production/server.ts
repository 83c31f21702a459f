/** The server of the production benchmark: `svc server` with a settings file, as an operator runs it. @module */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort, MAIN } from '../../../test/cli/run-svc.ts'
import { endProcess } from '../../../test/end-process.ts'
import { DEMO_SCHEMES } from '../../../test/project.ts'
import { DEPLOYED_WITH } from '../server-process.ts'
import { ON_ONE_CORE } from '../sessions/measure.ts'
import type { Usage } from './report.ts'
import { requestorSettings } from './requestors.ts'

const REPORT = new URL(`./report${import.meta.url.slice(-3)}`, import.meta.url)
const POLL_MS = 20
/** The public address: a proxy with TLS, which the benchmark leaves out. */
export const PUBLIC_URL = 'https://id.example'

export type ProductionServer = { readonly address: string; usage(): Promise<Usage> }

async function isReady(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/health/ready`)).ok
  } catch {
    return false // it does not listen yet; `withProduction` notices the end of the process
  }
}

/** Runs the server while `work` runs.
 *  @param folder for its settings, store and log
 *  @param more additional settings */
export async function withProduction<Result>(
  folder: string,
  more: Readonly<Record<string, unknown>>,
  work: (server: ProductionServer) => Promise<Result>,
): Promise<Result> {
  const port = await freePort()
  const [config, log] = [join(folder, 'svcserver.yml'), join(folder, 'log')]
  const paths = { store: `sqlite:${join(folder, 'sessions.sqlite')}`, schemes_path: DEMO_SCHEMES }
  const where = { url: PUBLIC_URL, listen_addr: '127.0.0.1', port, ...paths }
  const settings = { production: true, profile: 'irma', schemes_update: 0, ...where, ...requestorSettings }
  writeFileSync(config, JSON.stringify({ ...settings, ...ON_ONE_CORE, ...more })) // JSON is YAML too
  const output = openSync(log, 'w')
  const child = fork(MAIN, ['server', '--config', config], {
    execArgv: [DEPLOYED_WITH, '--import', REPORT.href],
    env: { PATH: process.env.PATH },
    stdio: ['ignore', output, output, 'ipc'],
  })
  closeSync(output)
  const address = `http://127.0.0.1:${port}`
  try {
    while (!(await isReady(address))) {
      if (child.exitCode !== null)
        throw new Error(`benchmark: svc server ended: ${readFileSync(log, 'utf8').slice(-2_000)}`)
      await setTimeout(POLL_MS)
    }
    const usage = async (): Promise<Usage> => {
      child.send('usage')
      const [answer]: Usage[] = await once(child, 'message')
      if (answer === undefined) throw new Error('benchmark: expected the usage of the server')
      return answer
    }
    return await work({ address, usage })
  } finally {
    await endProcess(child, 'SIGTERM')
  }
}
