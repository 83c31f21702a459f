/** `--inspect` of both servers, each as its own process: the address of the inspector is printed once, opens it, and is in no log. */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { viewerOf } from '../http/inspector/harness.ts'
import { NEEDED } from '../server/keyshare/node.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { freePort, startSvc, withSvc } from './run-svc.ts'

const ADDRESS = /^Inspector: http:\/\/127\.0\.0\.1:(\d+)\/#([A-Za-z0-9]{20})\n$/
const SCHEMES = ['--schemes-path', 'demo/schemes', '--listen-addr', '127.0.0.1', '--log-json']

const Inspector = suite('svc server --inspect, svc keyshare --inspect')

const SERVERS: Readonly<Record<string, readonly [words: readonly string[], charts: readonly string[]]>> = {
  server: [
    ['--store', 'memory'],
    ['delivery', 'session'],
  ],
  keyshare: [
    [
      '--store',
      `sqlite:${join(temporaryFolder(), 'accounts.sqlite')}`,
      '--url',
      'http://127.0.0.1:1/',
      '--keyshare-attribute',
      NEEDED.keyshare_attribute,
      '--jwt-privkey-file',
      NEEDED.jwt_privkey_file,
      '--storage-primary-key-file',
      NEEDED.storage_primary_key_file,
    ],
    ['session', 'login'],
  ],
}

for (const [name, [words, charts]] of Object.entries(SERVERS))
  Inspector(`svc ${name} prints the address with the token on standard output alone`, async () => {
    const port = String(await freePort())
    const running = startSvc([name, ...SCHEMES, '--port', port, '--inspect', '-vv', ...words])
    const ended = await withSvc(running, async ({ says, process, finished }) => {
      const said = await says('Inspector: ')
      const [, inspectorPort, token = ''] =
        /Inspector: http:\/\/127\.0\.0\.1:(\d+)\/#(\w+)\n/.exec(said) ?? []
      const viewer = await viewerOf(Number(inspectorPort), { token })
      assert.equal(viewer.all('svc.hello')[0]?.charts, charts)
      process.kill('SIGTERM')
      assert.equal(await viewer.ended, { code: 1001, reason: 'this server is stopping' })
      return finished
    })
    assert.is(ended.code, 0)
    assert.match(ended.stdout, ADDRESS)
    const [, , token = ''] = ADDRESS.exec(ended.stdout) ?? []
    assert.match(ended.stderr, 'the inspector has a viewer')
    assert.not(ended.stderr.includes(token))
  })

Inspector('without the option nothing is printed and nothing listens', async () => {
  const running = startSvc(['server', ...SCHEMES, '--port', String(await freePort()), '--store', 'memory'])
  const ended = await withSvc(running, async ({ says, process, finished }) => {
    await says('svc server running')
    process.kill('SIGTERM')
    return finished
  })
  assert.equal([ended.code, ended.stdout], [0, ''])
})

Inspector('a port of the inspector that is taken is a wrong option', async () => {
  const port = String(await freePort())
  const running = startSvc([
    'server',
    ...SCHEMES,
    '--port',
    port,
    '--store',
    'memory',
    '--inspect',
    '--inspect-port',
    port,
  ])
  const ended = await withSvc(running, ({ finished }) => finished)
  assert.is.not(ended.code, 0)
  assert.match(ended.stderr, /port: expected a free port, but another process listens on/)
})
Inspector.run()
