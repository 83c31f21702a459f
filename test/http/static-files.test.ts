/** Files of the option static_path (spec/session-server#2.6) are served, and no other file. @module */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readlinkSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { settle } from '../actors/node.ts'
import { until } from '../patience.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { clientOver } from './client.ts'
import { type ServerOfTest, withServer } from './harness.ts'
import { asking, sent } from './raw-connection.ts'

const Files = suite('static files')
const NOT_FOUND = { status: 404, error: 'INVALID_REQUEST', description: 'Not found' }

const outside = temporaryFolder()
const folder = join(outside, 'site')
const write = (name: string, text = name): void => writeFileSync(join(folder, name), text)
const WELL_KNOWN = '.well-known'
for (const name of ['', 'sub', 'bare', '.git', 'session', 'svc', WELL_KNOWN, `sub/${WELL_KNOWN}`])
  mkdirSync(join(folder, name))
writeFileSync(join(outside, 'secret.txt'), 'secret')
mkdirSync(join(outside, 'site-of-another'))
writeFileSync(join(outside, 'site-of-another', 'a.txt'), 'secret')
for (const name of [
  'index.html',
  'sub/index.html',
  'svc/a.txt',
  'sub/a b.txt',
  'bare/x.svg',
  '.env',
  '.git/config',
  `${WELL_KNOWN}/security.txt`,
  ...['acme-token', 'apple-app-site-association', 'webauthn'].map(name => `${WELL_KNOWN}/${name}`),
  'apple-app-site-association',
  `${WELL_KNOWN}/.htaccess`,
  `sub/${WELL_KNOWN}/a.txt`,
])
  write(name)
for (const name of ['app.js', 'style.css', 'data.json', 'plain', 'odd.zzz', 'session/x.txt', 'health'])
  write(name)
write('empty.txt', '')
const LONG = 5 * 2 ** 20
write('long.bin', 'a'.repeat(LONG))
symlinkSync('style.css', join(folder, 'link.css'))
symlinkSync('../secret.txt', join(folder, 'out.txt'))
symlinkSync('..', join(folder, 'up'))
symlinkSync('../site-of-another', join(folder, 'beside'))
symlinkSync('.env', join(folder, 'env.txt'))
symlinkSync('loop', join(folder, 'loop'))
execFileSync('mkfifo', [join(folder, 'pipe')])

/** How many files of the folder this process has open. */
function openFiles(): number {
  const targets = readdirSync('/proc/self/fd').map(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return '' // closed meanwhile
    }
  })
  return targets.filter(target => target.startsWith(folder)).length
}

function withFiles(use: (server: ServerOfTest) => Promise<void>, prefix = '/'): Promise<void> {
  return withServer({ settings: { staticFolder: { folder, prefix } } }, use)
}

Files('a file is answered with its type, length and time, and HEAD without its bytes', () =>
  withFiles(async server => {
    for (const [path, type] of [
      ['/index.html', 'text/html; charset=utf-8'],
      ['/app.js', 'text/javascript; charset=utf-8'],
      ['/style.css', 'text/css; charset=utf-8'],
      ['/data.json', 'application/json; charset=utf-8'],
      ['/bare/x.svg', 'image/svg+xml'],
      ['/plain', 'application/octet-stream'],
      ['/odd.zzz', 'application/octet-stream'],
      ['/apple-app-site-association', 'application/json; charset=utf-8'],
      ['/.well-known/apple-app-site-association', 'application/json; charset=utf-8'],
      ['/.well-known/webauthn', 'application/json; charset=utf-8'],
      ['/.well-known/acme-token', 'application/octet-stream'],
    ] as const) {
      for (const method of ['GET', 'HEAD']) {
        const { status, text, headers } = await server.call(method, path)
        assert.is(status, 200, path)
        assert.is(text, method === 'GET' ? path.slice(1) : '', path)
        assert.is(headers['content-type'], type, path)
        assert.is(headers['content-length'], String(path.length - 1), path)
        assert.is(headers['x-content-type-options'], 'nosniff')
        assert.ok(Date.parse(headers['last-modified'] ?? ''))
      }
    }
    const empty = await server.call('GET', '/empty.txt')
    assert.equal([empty.status, empty.text, empty.headers['content-length']], [200, '', '0'])
  }),
)

Files('a file that has not changed since the time in the request is not sent again', () =>
  withFiles(async server => {
    const first = await server.call('GET', '/app.js')
    const headers = { 'If-Modified-Since': first.headers['last-modified'] ?? '' }
    const again = await server.call('GET', '/app.js', { headers })
    assert.equal([again.status, again.text], [304, ''])
    const older = await server.call('GET', '/app.js', {
      headers: { 'If-Modified-Since': new Date(0).toUTCString() },
    })
    assert.equal([older.status, older.text], [200, 'app.js'])
  }),
)

Files(
  'a long file arrives whole; no file stays open after it was sent, after HEAD, or after its client left',
  () =>
    withFiles(async server => {
      const long = await server.call('GET', '/long.bin')
      assert.equal([long.status, Buffer.byteLength(long.text)], [200, LONG])
      await server.call('HEAD', '/long.bin')
      const { request, answer } = server.begin('GET', '/long.bin')
      const left = answer.then(
        () => assert.unreachable('expected no complete answer'),
        () => {},
      )
      request.on('response', () => request.destroy()).end()
      await left
      await until(() => openFiles() === 0, 'no open file')
    }),
)

Files('a file that waits behind an open stream on a connection is closed when its client leaves', () =>
  withFiles(async server => {
    const file = 'GET /long.bin HTTP/1.1\r\nHost: x\r\n\r\n'
    const { socket } = await sent(server.port, asking(await server.create()) + file)
    await until(() => openFiles() === 1, 'an open file')
    socket.resetAndDestroy()
    await until(() => openFiles() === 0, 'no open file')
  }),
)

Files('a connection serves one file after the other', () =>
  withFiles(async ({ port }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const { begin } = clientOver(() => ({ host: '127.0.0.1', port, agent }))
    const areReused: boolean[] = []
    for (const path of ['/app.js', '/style.css', '/app.js']) {
      const { request, answer } = begin('GET', path)
      request.end()
      assert.is((await answer).status, 200)
      await settle()
      areReused.push(request.reusedSocket)
    }
    assert.equal(areReused, [false, true, true])
    agent.destroy()
  }),
)

Files('if a file becomes shorter while it is sent, its connection ends, without another answer', () =>
  withFiles(async ({ port }) => {
    const path = join(folder, 'shrinks.bin')
    write('shrinks.bin', '')
    truncateSync(path, 2 ** 26)
    const socket = connect(port, '127.0.0.1')
    const get = 'GET /shrinks.bin HTTP/1.1\r\nHost: a\r\n\r\n'
    socket.write(get + get)
    let heads = 0
    socket.once('data', () => truncateSync(path))
    for await (const chunk of socket) heads += String(chunk).split('HTTP/1.1').length - 1
    assert.is(heads, 1)
  }),
)

Files('a folder is answered with its index.html, at an address that ends in a slash, or with 404', () =>
  withFiles(async server => {
    assert.is((await server.call('GET', '/')).text, 'index.html')
    assert.is((await server.call('GET', '/sub/')).text, 'sub/index.html')
    assert.is((await server.call('GET', '/sub/a%20b.txt')).text, 'sub/a b.txt')
    const moved = await server.call('GET', '/sub?a=b')
    assert.equal([moved.status, moved.headers.location], [301, './sub/?a=b'])
    for (const path of ['/bare', '/bare/', '/app.js/', '/sub//', '//sub/'])
      assert.equal((await server.call('GET', path)).json, NOT_FOUND, path)
  }),
)

Files('an index.html that cannot be opened is 404', () =>
  withFiles(async server => {
    mkdirSync(join(folder, 'door'))
    const door = createServer()
    await new Promise<void>(resolve => door.listen(join(folder, 'door', 'index.html'), resolve))
    try {
      assert.equal((await server.call('GET', '/door/')).json, NOT_FOUND)
    } finally {
      door.close()
    }
  }),
)

Files('a link to a file of the folder is followed', () =>
  withFiles(async server => assert.is((await server.call('GET', '/link.css')).text, 'style.css')),
)

Files('no file outside of the folder is reached, by any spelling or link', () =>
  withFiles(async server => {
    for (const path of [
      '/../secret.txt',
      '/sub/../../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/sub/%2E%2E/%2e%2e/secret.txt',
      '/..%5csecret.txt',
      '/sub\\..\\..\\secret.txt',
      '/%2fetc/passwd',
      '//etc/passwd',
      '/out.txt',
      '/up/secret.txt',
      '/beside/a.txt',
      '/../site-of-another/a.txt',
      '/loop',
      '/app.js%00',
      '/app.js%00.txt',
      '/%E0%A4%A',
      '/pipe',
    ])
      for (const method of ['GET', 'HEAD', 'POST']) {
        const { status, json, text } = await server.call(method, path)
        assert.is(status, 404, `${method} ${path} ${text}`)
        if (method !== 'HEAD') assert.equal(json, NOT_FOUND, path)
      }
  }),
)

Files('a name that begins with a dot is 404, also by a link', () =>
  withFiles(async server => {
    for (const path of ['/.env', '/.git/config', '/.git/', '/env.txt', '/%2eenv', '/./app.js'])
      assert.equal((await server.call('GET', path)).json, NOT_FOUND, path)
  }),
)

Files('the folder .well-known is served, only at the top of the folder, without hidden files', () =>
  withFiles(async server => {
    const { status, text } = await server.call('GET', '/.well-known/security.txt')
    assert.equal([status, text], [200, '.well-known/security.txt'])
    for (const path of ['/.well-known/', '/.well-known/.htaccess', '/sub/.well-known/a.txt'])
      assert.equal((await server.call('GET', path)).json, NOT_FOUND, path)
  }),
)

Files('files have only GET and HEAD; a missing file is 404 with every method', () =>
  withFiles(async server => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await server.call(method, '/app.js')
      assert.equal([status, headers.allow], [405, 'GET, HEAD'])
      assert.equal((await server.call(method, '/nothing.js')).json, NOT_FOUND)
    }
    assert.is((await server.call('POST', '/sub')).status, 405)
  }),
)

Files('endpoints come first, and below the path of wallet apps there are no files', () =>
  withFiles(async server => {
    assert.is((await server.call('GET', '/health')).text, 'OK')
    assert.is((await server.call('GET', '/session/x.txt')).headers.allow, 'DELETE')
    assert.equal((await server.call('GET', '/svc/a.txt')).json, NOT_FOUND)
    const { requestor } = await server.create()
    assert.is((await server.call('GET', `${requestor}/status`)).text, '"INITIALIZED"')
  }),
)

Files('static_prefix: files are only below it', () =>
  withFiles(async server => {
    assert.is((await server.call('GET', '/pages/app.js')).text, 'app.js')
    assert.is((await server.call('GET', '/pages/')).text, 'index.html')
    assert.is((await server.call('GET', '/pages')).headers.location, './pages/')
    for (const path of ['/app.js', '/pagesapp.js', '/pages2/app.js', '/'])
      assert.equal((await server.call('GET', path)).json, NOT_FOUND, path)
  }, '/pages/'),
)

Files('pages of other origins may read the files, and the log contains no path', () =>
  withFiles(async server => {
    const { headers } = await server.call('GET', '/app.js', { headers: { Origin: 'https://a.example' } })
    assert.is(headers['access-control-allow-origin'], '*')
    assert.not.match(server.log.join(''), 'app.js')
  }),
)

Files('without the option there are no files', () =>
  withServer({}, async server => assert.equal((await server.call('GET', '/app.js')).json, NOT_FOUND)),
)

Files.run()
