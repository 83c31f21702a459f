/** Calls of commands, of a running server and of the client through the proxies in the environment. @module */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { listen } from '../../demo/listen.ts'
import { closeListener } from '../../http/listen.ts'
import { type ProxyOfTest, startProxy } from '../ports/proxy.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { freePort, runSvc, startProgram, startSvc } from './run-svc.ts'

/** A host that no name server knows, so that only a proxy can reach it. */
const HOST = 'receiver.test.invalid'

const TLS = join(PROJECT, 'test/vectors/tls')

const Proxied = suite('calls through a proxy')
let proxy: ProxyOfTest
Proxied.before(async () => {
  proxy = await startProxy()
})
Proxied.before.each(() => void proxy.asked.splice(0))
Proxied.after(() => proxy.close())

Proxied('svc scheme download asks the proxy, for https by a tunnel', async () => {
  for (const [url, target] of [
    [`http://${HOST}/scheme`, `http://${HOST}/scheme/description.xml`],
    [`https://${HOST}/scheme`, `${HOST}:443`],
  ] as const) {
    const environment = { HTTP_PROXY: proxy.address, HTTPS_PROXY: proxy.address }
    const { code } = await runSvc(['scheme', 'download', temporaryFolder(), url], environment)
    assert.is(code, 1, 'the answer of the proxy is no scheme')
    assert.is(proxy.asked.at(-1)?.target, target)
  }
})

Proxied(
  'an https call arrives through the tunnel of HTTPS_PROXY, and calls to a host of NO_PROXY use no proxy',
  async () => {
    const [cert, key] = ['cert', 'key'].map(name => readFileSync(join(TLS, `${name}.pem`)))
    const asked: string[] = []
    const far = createServer({ cert, key }, ({ url = '' }, response) => {
      asked.push(url)
      response.writeHead(404).end()
    })
    const { port } = new URL(await listen(far, 0, '127.0.0.1'))
    const tunnel = await startProxy(Number(port))
    const environment = { HTTPS_PROXY: tunnel.address, NODE_EXTRA_CA_CERTS: join(TLS, 'cert.pem') }
    const program = `
    import { environmentFetch } from ${JSON.stringify(new URL(`../../ports/environment-fetch${import.meta.url.slice(-3)}`, import.meta.url).href)}
    const answer = await environmentFetch(process.env)('https://${HOST}/far').catch(error => error.cause ?? error)
    process.stdout.write(String(answer.status ?? answer.code))`
    const said = async (variables: Readonly<Record<string, string>>) => {
      const words = ['--input-type=module', '-e', program]
      return (await startProgram(process.execPath, words, { ...environment, ...variables }).finished).stdout
    }
    try {
      // the certificate is of another name: the TLS of the far server was reached through the tunnel
      assert.is(await said({}), 'ERR_TLS_CERT_ALTNAME_INVALID')
      assert.equal(
        tunnel.asked.map(({ method, target }) => `${method} ${target}`),
        [`CONNECT ${HOST}:443`],
      )
      assert.is(await said({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }), '404')
      assert.equal([asked, tunnel.asked.length], [['/far'], 2])
      assert.not.match(JSON.stringify(tunnel.asked), '/far')
      assert.match(await said({ NO_PROXY: HOST }), /^(?:ENOTFOUND|EAI_AGAIN)$/)
      assert.equal([asked.length, tunnel.asked.length], [1, 2])
    } finally {
      await tunnel.close()
      await closeListener(far)
    }
  },
)

Proxied('svc session and svc wallet answer use the proxy', async () => {
  const words = ['--disclose', 'svc-demo.gov.idcard.over18', '--schemes-path', DEMO_SCHEMES]
  await runSvc(['session', '--server', `http://${HOST}`, ...words], { http_proxy: proxy.address })
  assert.is(proxy.asked.at(-1)?.target, `http://${HOST}/session`)
})

Proxied(
  'a running server posts its callback through the proxy, and calls this machine directly',
  async () => {
    const port = await freePort()
    const server = startSvc(
      ['server', '--schemes-path', DEMO_SCHEMES, '--listen-addr', '127.0.0.1', '--port', String(port)],
      { HTTP_PROXY: proxy.address },
    )
    try {
      await server.says('svc server running')
      const request = {
        '@context': 'https://svc.example/ld/request/disclosure/v2',
        disclose: [[['svc-demo.gov.idcard.over18']]],
      }
      const body = JSON.stringify({ callbackUrl: `http://${HOST}/done`, request })
      const headers = { 'Content-Type': 'application/json' }
      const created = await fetch(`http://127.0.0.1:${port}/session`, { method: 'POST', headers, body })
      const { token } = Object(await created.json())
      const posted = proxy.nextAsked()
      await fetch(`http://127.0.0.1:${port}/session/${token}`, { method: 'DELETE' })
      await posted
      const [asked] = proxy.asked
      assert.equal([asked?.method, asked?.target], ['POST', `http://${HOST}/done`])
      assert.match(asked?.body ?? '', /CANCELLED/)
    } finally {
      server.process.kill('SIGKILL')
    }
  },
)

Proxied('an invalid address of a proxy stops the start, and the message names the variable', async () => {
  const { code, stderr } = await runSvc(['server', 'check', '--schemes-path', DEMO_SCHEMES], {
    HTTPS_PROXY: 'socks5://user:secret@proxy.example',
  })
  assert.is(code, 1)
  assert.match(stderr, /HTTPS_PROXY: expected the address of a proxy/)
  assert.not.match(stderr, /secret/)
})

Proxied('the client on Node uses the proxy', async () => {
  const program = join(temporaryFolder(), 'site.mjs')
  const client = join(PROJECT, 'dist/libraries/client-on-node.js')
  writeFileSync(
    program,
    `import { createRequestor } from ${JSON.stringify(client)}
     await createRequestor({ url: 'http://${HOST}' }).status('token').catch(() => {})`,
  )
  const { code, stderr } = await startProgram(process.execPath, [program], {
    HTTP_PROXY: proxy.address,
  }).finished
  assert.is(code, 0, stderr)
  assert.is(proxy.asked.at(-1)?.target, `http://${HOST}/session/token/status`)
})

Proxied.run()
