/** Server processes of this project for attacks, with the demo schemes and stores in files. @module */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, type Running, startSvc } from '../cli/run-svc.ts'
import { endProcess } from '../end-process.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { temporaryFolder } from '../temporary-folder.ts'

export type OwnServer = Running & {
  /** without a slash at the end */
  readonly url: string
  readonly port: number
  /** of its store */
  readonly storeFile: string
}

export type OwnServers = {
  /** @param settings options that replace those of every server; a port of 0 is a free one
   *  @returns the server when it is ready */
  start(kind: keyof typeof EVERY, settings?: Readonly<Record<string, unknown>>): Promise<OwnServer>
}

const KEYS = join(PROJECT, 'test/vectors/keys')
const COMMON = { schemes_path: DEMO_SCHEMES, listen_addr: '127.0.0.1', workers: 1, stop_idle: '0s' }
/** Options that every server gets. */
const EVERY = {
  server: COMMON,
  keyshare: {
    ...COMMON,
    keyshare_attribute: 'svc-keyshare.keyshare.keyshare.username',
    jwt_privkey_file: join(KEYS, 'kss-0.private.pem'),
    storage_primary_key_file: join(KEYS, 'storage-key.aes'),
  },
} as const

/** Stops the servers when `use` has ended. */
export async function withOwnServers<Result>(use: (own: OwnServers) => Promise<Result>): Promise<Result> {
  const started: OwnServer[] = []
  const start: OwnServers['start'] = async (kind, settings = {}) => {
    const folder = temporaryFolder()
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const storeFile = join(folder, 'store.sqlite')
    const config = join(folder, 'settings.json')
    const options = { ...EVERY[kind], port, url, store: `sqlite:${storeFile}`, ...settings }
    writeFileSync(config, JSON.stringify(options))
    const running = startSvc([kind, '--config', config])
    const server = { ...running, url, port, storeFile }
    started.push(server)
    await running.says(`svc ${kind} running`)
    return server
  }
  try {
    return await use({ start })
  } finally {
    await Promise.all(started.map(({ process }) => endProcess(process, 'SIGKILL')))
  }
}
