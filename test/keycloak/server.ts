/** A real Keycloak in its development mode, on a free port, with a database in memory. @module */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { freePort } from '../cli/run-svc.ts'
import { endProcess } from '../end-process.ts'
import { pause, until } from '../patience.ts'
import { type Admin, adminOf } from './admin.ts'
import { keycloakFolder } from './distribution.ts'

export type Keycloak = {
  /** without a slash at the end */
  readonly address: string
  readonly admin: Admin
  readonly stop: () => Promise<void>
}

const LOOK_MS = 500
const LAST_CHARACTERS = 4_000

export async function startKeycloak(): Promise<Keycloak> {
  const folder = keycloakFolder()
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const password = randomBytes(12).toString('hex')
  const words = ['start-dev', '--db=dev-mem', '--http-host=127.0.0.1', `--http-port=${port}`]
  const child = spawn('bash', [join(folder, 'bin/kc.sh'), ...words], {
    detached: true, // the script starts further processes, which `end` signals as a group
    env: { ...process.env, KC_BOOTSTRAP_ADMIN_USERNAME: 'admin', KC_BOOTSTRAP_ADMIN_PASSWORD: password },
  })
  const end = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
  }
  process.once('exit', end).once('SIGINT', () => process.exit(130))
  let log = ''
  const note = (chunk: Buffer): void => {
    log = `${log}${chunk}`.slice(-LAST_CHARACTERS)
  }
  child.stdout.on('data', note)
  child.stderr.on('data', note)
  const isUp = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`Keycloak: expected a server, but it ended:\n${log}`)
    const answer = await fetch(`${address}/realms/master`).catch(() => null)
    return answer?.ok ?? false
  }
  const stop = async (): Promise<void> => {
    process.off('exit', end)
    end()
    await endProcess(child, 'SIGTERM')
  }
  try {
    await until(isUp, 'Keycloak', () => pause(LOOK_MS))
    return { address, admin: await adminOf(address, password), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
