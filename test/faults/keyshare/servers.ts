/** Keyshare servers on one store, each its own process, that are killed and restarted with the same command. @module */
import { randomInt } from 'node:crypto'
import { freePort } from '../../cli/run-svc.ts'
import { DEMO_SCHEMES } from '../../project.ts'
import { keyFile } from '../../server/keyshare/node.ts'
import { serverProcess } from '../server-process.ts'

export type Servers = {
  /** addresses, without a slash at the end */
  readonly urls: readonly string[]
  /** Sends SIGKILL to any one of them, then runs the same command on the same port; resolves when it answers again. */
  readonly killAndRestart: () => Promise<void>
  readonly end: () => Promise<void>
}

const SAME = [
  'keyshare',
  '--profile',
  'irma',
  '--workers',
  '1',
  '--registrations-per-caller',
  '0',
  '--listen-addr',
  '127.0.0.1',
  '--schemes-path',
  DEMO_SCHEMES,
  '--keyshare-attribute',
  'svc-keyshare.keyshare.keyshare.username',
  '--storage-primary-key-file',
  keyFile('storage-key.aes'),
  '--jwt-privkey-file',
  keyFile('kss-0.private.pem'),
]

/** @param store value of the option; all servers share it */
export async function startServers(store: string, count: number): Promise<Servers> {
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const urls = ports.map(port => `http://127.0.0.1:${port}`)
  const servers = ports.map((port, i) => {
    const words = [...SAME, '--store', store, '--port', `${port}`, '--url', `${urls[i]}/`]
    return serverProcess(words, 'svc keyshare running')
  })
  await Promise.all(servers.map(({ start }) => start()))
  return {
    urls,
    async killAndRestart() {
      const server = servers[randomInt(count)]
      await server?.kill()
      await server?.start()
    },
    end: async () => void (await Promise.all(servers.map(({ kill }) => kill()))),
  }
}
