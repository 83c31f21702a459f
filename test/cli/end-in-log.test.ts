/** The reason for a failed start is in the log if the log is JSON, else in the last line of the terminal. @module */
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { runSvc } from './run-svc.ts'

const SCHEMES = ['--schemes-path', 'demo/schemes']
const SERVER = ['server', ...SCHEMES, '--listen-addr', '127.0.0.1', '--workers', '1']
const FATAL = 60

type Line = { readonly level: number; readonly msg: string }

/** All lines of a failing start, each of which is JSON. */
async function linesOf(words: readonly string[]): Promise<readonly Line[]> {
  const { code, stdout, stderr } = await runSvc(words)
  assert.equal([code, stdout], [1, ''], stderr)
  return stderr
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}

const End = suite('svc server and svc keyshare: the reason for a failed start')

End('log_json: a port in use is a line of level 60, unless the log is quiet', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => taken.once('listening', resolve))
  const { port } = taken.address() as AddressInfo // the server listens on TCP
  const words = [...SERVER, '--store', 'memory', '--port', String(port), '--log-json']
  const expected = `port: expected a free port, but another process listens on ${port}; stop it, or choose another`
  const last = (await linesOf(words)).at(-1)
  assert.equal([last?.level, last?.msg], [FATAL, expected])
  const { code, stderr } = await runSvc([...words, '--quiet'])
  assert.equal([code, stderr], [1, `svc: ${expected}\n`])
  taken.close()
})

End('log_json: a keyshare server has a line for each reason', async () => {
  const lines = await linesOf(['keyshare', ...SCHEMES, '--log-json'])
  const reasons = ['jwt_privkey: ', 'storage_primary_key_file: ', 'keyshare_attribute: ']
  assert.equal(
    lines.map(({ level, msg }) => [level, reasons.some(option => msg.startsWith(option))]),
    reasons.map(() => [FATAL, true]),
  )
})

End('log_json: all lines of a check are text, because a person reads them', async () => {
  const store = ['--store', 'sqlite:/nowhere/s.sqlite', '--log-json']
  const checked = await runSvc(['server', 'check', ...SCHEMES, ...store])
  assert.is(checked.code, 1)
  assert.match(checked.stderr, /^svc: store \/nowhere\/s\.sqlite: [^\n]+\n$/)
  const keyshare = await runSvc(['keyshare', 'check', ...SCHEMES, '--store', 'memory', '--log-json'])
  assert.is(keyshare.code, 1)
  assert.match(keyshare.stderr, /^(svc: (jwt_privkey|storage_primary_key_file|keyshare_attribute): .*\n){3}$/)
  const whole = await runSvc(['server', 'check', ...SCHEMES, '--store', 'memory', '--log-json'])
  assert.is(whole.code, 0, whole.stderr)
  assert.match(whole.stderr, / INFO the settings are in order\n$/)
})

End('a store that refuses connections is reported once, in both forms of the log', async () => {
  const refusing = createTcpServer(socket =>
    socket.on('error', () => {}).once('data', () => socket.end('-WRONGPASS no\r\n')),
  ).listen(0, '127.0.0.1')
  await new Promise(resolve => refusing.once('listening', resolve))
  const store = `redis://127.0.0.1:${(refusing.address() as AddressInfo).port}` // the server listens on TCP
  const lines = await linesOf([...SERVER, '--store', store, '--log-json'])
  assert.equal(
    lines.filter(({ msg }) => msg.includes('WRONGPASS')).map(({ level }) => level),
    [FATAL],
  )
  const { stderr } = await runSvc([...SERVER, '--store', store])
  assert.is(stderr.split('WRONGPASS').length, 2, stderr)
  refusing.close()
})

End(
  'a failure before the settings are read is text, because the form of the log is not known yet',
  async () => {
    const { code, stderr } = await runSvc(['server', '--log-json', '--config', '/nowhere/server.yml'])
    assert.is(code, 1)
    assert.match(stderr, /^svc: /)
  },
)

End.run()
