/** `irmajs` in Node as a frontend: its terminal shows the QR code and the status. It has no buttons. @module */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import type { Backend, Package, Result } from './back-end.ts'
import type { Frontend, Screen } from './flows.ts'
import type { Door } from './session-server.ts'

const PROGRAM = fileURLToPath(new URL(`irmajs-terminal${import.meta.url.slice(-3)}`, import.meta.url))
const requireHere = createRequire(import.meta.url)
/** The module with which irmajs draws codes, to recognise its drawing. */
const drawing: { generate(text: string, tell: (drawn: string) => void): void } = createRequire(
  requireHere.resolve('@privacybydesign/irma-console'),
)('qrcode-terminal')

const SAYS: Readonly<Partial<Record<Screen, string>>> = {
  connected: 'Please follow the instructions in the IRMA app.',
  success: 'ended {',
  cancelled: 'ended "CANCELLED"',
  'timed out': 'ended "TIMEOUT"',
}

/** Runs the program until it ends, and asserts that it connects only to this machine.
 *  @param authentication method, key and name of the requestor */
export async function inTerminal(
  door: Door,
  backend: Backend,
  request: object,
  authentication: readonly string[],
  use: (front: Frontend) => Promise<void>,
): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, door.url, JSON.stringify(request), ...authentication])
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  child.stderr.on('data', chunk => {
    output += chunk
  })
  const closed = once(child, 'close')
  const says = async (text: string): Promise<void> => {
    while (!output.includes(text)) {
      const [end] = await Promise.race([once(child.stdout, 'data'), closed.then(() => ['ended'])])
      if (end === 'ended' && !output.includes(text)) throw new Error(`expected ${text}, got ${output}`)
    }
  }
  const line = async <Value>(what: string): Promise<Value> => {
    await says(`${what} `)
    await says('\n')
    return JSON.parse(new RegExp(`^${what} (.*)$`, 'm').exec(output)?.[1] ?? '')
  }
  try {
    await use(frontendOf(door, backend, says, line))
    await closed
    assert.equal(await line('connected'), ['127.0.0.1'])
  } finally {
    child.kill()
  }
}

function frontendOf(
  door: Door,
  backend: Backend,
  says: (text: string) => Promise<void>,
  line: <Value>(what: string) => Promise<Value>,
): Frontend {
  const started = (): Promise<Package> => line('started')
  const nothing = () => Promise.reject(new Error('expected something to press or to see, got a terminal'))
  return {
    begin: async () => undefined,
    async code() {
      const { sessionPtr } = await started()
      const text = JSON.stringify(sessionPtr)
      await says(await new Promise<string>(resolve => drawing.generate(text, resolve)))
      await door.until(sessionPtr.u, ({ path, status }) => status === 200 && /\/status(events)?$/.test(path))
      return text
    },
    shows: screen => says(SAYS[screen] ?? screen),
    result: () => line<Result>('ended'),
    statusForRequestor: async () => backend.getSessionStatus((await started()).token),
    resultForRequestor: token => backend.getSessionResult(token),
    link: nothing,
    type: nothing,
    leave: nothing,
    cancel: nothing,
    tryAgain: nothing,
    codeInsteadOfLink: nothing,
  }
}
