/** `svc conformance` as users run it: its output, its exit codes, and its messages if a server cannot be tested. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { listenForOthers } from '../../libraries/conformance/other-servers.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { freePort, runSvc, startSvc, withSvc } from './run-svc.ts'

const TOKEN = 'a token of the shop that nobody reads'
const SCHEMES = ['--schemes-path', DEMO_SCHEMES]
const Conformance = suite('svc conformance')

const port = await freePort()
const server = `http://127.0.0.1:${port}`
const SECRET = Buffer.from('the shared secret of a requestor').toString('base64')
const requestors = JSON.stringify({
  shop: { auth_method: 'token', key: TOKEN, disclose_perms: ['*'] },
  signing: { auth_method: 'hmac', key: SECRET, disclose_perms: ['*'] },
})
const running = startSvc([
  'server',
  '--port',
  String(port),
  '--url',
  server,
  '--store',
  'memory',
  ...SCHEMES,
  '--no-auth',
  'false',
  '--requestors',
  requestors,
])
await running.says('svc server running')
const AUTH = ['--auth-method', 'token', '--key', TOKEN]
const WALLET = join(temporaryFolder(), 'wallet')
assert.is((await runSvc(['wallet', 'init', '--demo', '--dir', WALLET, ...SCHEMES])).code, 0)
const tried = (...words: string[]) => runSvc(['conformance', ...SCHEMES, '--wallet', WALLET, ...words])

Conformance(
  'each row has a line, a row that was not tried has the reason, and the last line has the counts',
  async () => {
    const { code, stdout, stderr } = await tried(
      '--server',
      server,
      ...AUTH,
      '--row',
      '8',
      '--row',
      '7 error',
    )
    assert.is(stderr, '')
    assert.is(code, 0)
    const lines = stdout.trimEnd().split('\n')
    assert.ok(lines.includes('ok         7 error: type'))
    assert.ok(lines.includes('not tried  8 retention: 5 minutes'))
    assert.ok(lines.includes('           it takes some minutes: --long'))
    assert.is(lines.at(-1), '8 rows: 5 ok, 0 failed, 3 not tried')
    assert.not.match(stdout, new RegExp(TOKEN))
  },
)

Conformance('a requestor that signs is tried too, and its secret is not shown', async () => {
  const auth = ['--auth-method', 'hmac', '--name', 'signing', '--key', SECRET]
  const { code, stdout, stderr } = await tried('--server', server, ...auth, '--row', '5.1 sub disclosure')
  assert.equal([code, stderr], [0, ''])
  assert.match(stdout, /^ok {9}5\.1 sub disclosure/)
  assert.not.match(stdout, new RegExp(SECRET))
})

Conformance('--json: a line of JSON for each row, and nothing else', async () => {
  const { stdout } = await tried('--server', server, ...AUTH, '--row', '4.1 GET status', '--json')
  assert.equal(
    stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line)),
    [{ row: '4.1 GET status', rule: 'JSON string', outcome: 'ok' }],
  )
})

Conformance(
  'a wrong token, another profile, and a server of another kind are reported before any row',
  async () => {
    const page = createServer((_, response) => response.end('<html>Welcome to nginx!</html>')).listen(
      0,
      '127.0.0.1',
    )
    await once(page, 'listening')
    const { port: pagePort } = page.address() as AddressInfo
    for (const [words, message] of [
      [
        ['--server', server, '--auth-method', 'token', '--key', 'wrong'],
        /403 UNAUTHORIZED: .*--auth-method, --key/,
      ],
      [['--server', server, ...AUTH, '--profile', 'irma'], /400 INVALID_REQUEST: .*--profile/],
      [
        ['--server', `http://127.0.0.1:${pagePort}`],
        /expected a session server of the profile svc .*got 200 and/,
      ],
      [['--server', `http://127.0.0.1:${await freePort()}`], /got none \(ECONNREFUSED\)/],
      [['--server', server, ...AUTH, '--row', '99'], /--row: expected a row .*got "99"/],
      [
        ['--server', server, ...AUTH, '--disclose', 'svc-demo.a.b.c'],
        /--wallet: expected a credential with svc-demo\.a\.b\.c/,
      ],
      [
        ['--server', server, ...AUTH, '--disclose', 'bad.id'],
        /: --disclose: attribute type id: expected .*"bad\.id"/,
      ],
      [
        ['--server', server, ...AUTH, '--issue', 'bad.id=1'],
        /: --issue: credential type id: expected .*"bad\.id"/,
      ],
    ] as const) {
      const { code, stdout, stderr } = await tried(...words)
      assert.match(stderr, message)
      assert.is(stderr.split('\n').length, 2)
      assert.equal([code, stdout], [1, ''])
      assert.not.match(stderr, new RegExp(TOKEN))
    }
    page.close()
  },
)

Conformance('a row that fails: the expected and the received value, and code 1', async () => {
  const { code, stdout, stderr } = await withProxy(
    server,
    answer => answer.replace('SESSION_UNKNOWN', 'NOTHING'),
    at => tried('--server', at, ...AUTH, '--row', '7 error', '--row', '7 message'),
  )
  assert.is(code, 1)
  const lines = stdout.split('\n')
  assert.equal(lines.slice(0, 3), [
    'failed     7 error: type',
    '           expected error: "SESSION_UNKNOWN"; got "NOTHING"',
    'ok         7 message: optional',
  ])
  assert.match(stderr, /^svc: conformance: expected every row to be ok or not tried, got 1 that failed\n$/)
})

Conformance('Ctrl-C: the results so far stay, and one line has the number of tried rows', async () => {
  const words = [
    'conformance',
    ...SCHEMES,
    '--wallet',
    WALLET,
    '--server',
    server,
    ...AUTH,
    '--row',
    '7',
    '--row',
    '8',
    '--long',
  ]
  await withSvc(startSvc(words), async ({ process, says, finished }) => {
    await says('ok         7 the app aborts')
    process.kill('SIGINT')
    const { code, stderr } = await finished
    assert.is(code, 1)
    assert.match(stderr, /^svc: conformance: interrupted after 10 of 17 rows/)
  })
})

Conformance('wrong usage', async () => {
  for (const [words, message] of [
    [[], /required option '--server <URL>' not specified/],
    [['--server', 'nowhere'], /--server: expected an http or https address, got "nowhere"/],
    [
      ['--server', server, '--auth-method', 'token'],
      /expected --auth-method .* and --key together, got only --auth-method/,
    ],
    [['--server', server, '--listen-url', 'here'], /--listen-url: expected an address like/],
  ] as const) {
    const { code, stderr } = await tried(...words)
    assert.match(stderr, message)
    assert.is(code, 255)
  }
})

/** A proxy in front of the server that alters its answers. */
async function withProxy<Result>(
  to: string,
  alter: (answer: string) => string,
  use: (address: string) => Promise<Result>,
): Promise<Result> {
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = 'GET', url = '/', headers } = request
    const sent = {
      ...(headers.authorization && { Authorization: headers.authorization }),
      'Content-Type': headers['content-type'] ?? 'text/plain',
    }
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
    const answer = await fetch(to + url, { method, headers: sent, ...body })
    response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? 'text/plain' })
    response.end(alter(await answer.text()))
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port: proxyPort } = proxy.address() as AddressInfo
  try {
    return await use(`http://127.0.0.1:${proxyPort}`)
  } finally {
    proxy.closeAllConnections()
    proxy.close()
  }
}

Conformance(
  'the listener for calls of the server delivers each call to its row, and cuts off a body that is too long',
  async () => {
    const others = await listenForOthers(null)
    const { url, posted } = others.expect({ next: true })
    const answer = await fetch(url, { method: 'POST', body: '{"status":"DONE"}' })
    assert.equal([answer.status, await answer.json()], [200, { next: true }])
    assert.is((await posted).body, '{"status":"DONE"}')
    assert.is((await fetch(new URL('/other', url), { method: 'POST', body: 'x' })).status, 404)
    const tooLong = fetch(url, { method: 'POST', body: 'x'.repeat(2 ** 20 + 1) })
    assert.is(
      await tooLong.then(
        () => 'answered',
        () => 'cut off',
      ),
      'cut off',
    )
    await others.close()
  },
)

Conformance.after(async () => {
  running.process.kill('SIGTERM')
  await running.finished
})
Conformance.run()
