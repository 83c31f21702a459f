/** Keyshare servers as processes of their own on one store, that are killed and started again by the same command. @module */
import { randomInt } from 'node:crypto'
import { freePort, type Running, startSvc } from '../../cli/run-svc.ts'
import { DEMO_SCHEMES } from '../../project.ts'
import { keyFile } from '../../server/keyshare/node.ts'

export type Servers = {
  /** addresses, without a slash at the end */
  readonly urls: readonly string[]
  /** SIGKILL of one of them, whichever it is, then the same command on the same port; resolves when it answers again. */
  readonly killAndRestart: () => Promise<void>
  readonly end: () => Promise<void>
}

const SAME = [
  ...['keyshare', '--profile', 'irma', '--workers', '1', '--listen-addr', '127.0.0.1'],
  ...['--schemes-path', DEMO_SCHEMES, '--keyshare-attribute', 'svc-keyshare.keyshare.keyshare.username'],
  ...['--storage-primary-key-file', keyFile('storage-key.aes')],
  ...['--jwt-privkey-file', keyFile('kss-0.private.pem')],
]

async function start(words: readonly string[]): Promise<Running> {
  const running = startSvc(words)
  await running.says('svc keyshare running')
  return running
}

/** @param store as of the option: all of them share it */
export async function startServers(store: string, count: number): Promise<Servers> {
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const urls = ports.map(port => `http://127.0.0.1:${port}`)
  const commands = ports.map((port, i) => [
    ...SAME,
    '--store',
    store,
    '--port',
    `${port}`,
    '--url',
    `${urls[i]}/`,
  ])
  const running = await Promise.all(commands.map(start))
  const kill = async ({ process, finished }: Running): Promise<void> => {
    process.kill('SIGKILL')
    const { code, stdout, stderr } = await finished
    if (code !== null) throw new Error(`a server ended by itself with ${code}:\n${stdout}${stderr}`)
  }
  return {
    urls,
    async killAndRestart() {
      const chosen = randomInt(count)
      const [one, command] = [running[chosen], commands[chosen]]
      if (!one || !command) throw new Error('expected a server to kill, got none')
      await kill(one)
      running[chosen] = await start(command)
    },
    end: async () => void (await Promise.all(running.map(kill))),
  }
}
