/** GET / of both servers: the text for newcomers in development. Production has no such path. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { packageVersion } from '../../server/version.ts'
import { AUTHENTICATED, URL_OF_SERVER, withServer } from '../http/harness.ts'
import { withKeyshare } from '../http/keyshare/harness.ts'
import { settingsOfTest } from '../server/node-of-test.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const Welcome = suite('GET /')

const HTML = { headers: { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' } }

/** The visible text of the page. */
function wordsOf(text: string): string {
  return text
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
}

Welcome('a browser gets a page with version, profile and links, which loads nothing', async () => {
  await withServer({ settings: { profile: 'irma' } }, async server => {
    const { status, headers, text } = await server.call('GET', '/', HTML)
    assert.equal([status, headers['content-type']], [200, 'text/html; charset=UTF-8'])
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/)
    assert.match(text, `<a href="${URL_OF_SERVER}openapi">`)
    assert.match(wordsOf(text), `${packageVersion()}, in development, with the wire profile irma\n`)
    for (const line of [
      'npx attribute-session-service --help',
      'npx attribute-session-service server --help',
    ])
      assert.match(wordsOf(text), `${line}\n`)
  })
})

Welcome('the two calls on the page work unchanged: they start a session and read the result', async () => {
  await withServer({}, async server => {
    const text = wordsOf((await server.call('GET', '/', HTML)).text)
    const [, path = '', body = ''] = /curl \S+?:8088(\S+) .*-d '(.*)'/.exec(text) ?? []
    const headers = { 'Content-Type': 'application/json' }
    const created = await server.call('POST', path, { headers, body })
    assert.is(created.status, 200, created.text)
    const { token } = JSON.parse(created.text)
    const [, resultPath = ''] = /curl \S+?:8088(\S+result)\n/.exec(text) ?? []
    assert.is((await server.call('GET', resultPath.replace('TOKEN', token))).status, 200)
    assert.not.match(text, 'Authorization')
  })
  await withServer({ settings: AUTHENTICATED }, async server =>
    assert.match(
      wordsOf((await server.call('GET', '/', HTML)).text),
      "-H 'Authorization: TOKEN_OF_A_REQUESTOR'",
    ),
  )
})

Welcome('the example asks for the first attribute that is not for revocation', async () => {
  await withServer({}, async server => {
    const text = wordsOf((await server.call('GET', '/', HTML)).text)
    assert.match(text, '"disclose":[[["svc-demo.fast.badge.level"]]]') // its first credential is for revocation
  })
})

Welcome('without an attribute in the schemes, the page has no example calls', async () => {
  const { schemes } = settingsOfTest({})
  await withServer({ schemes: { ...schemes, schemes: new Map() } }, async server =>
    assert.not.match((await server.call('GET', '/', HTML)).text, 'curl'),
  )
})

Welcome('a program gets the same error as at any unknown path', async () => {
  await withServer({}, async server => {
    const { json } = await server.call('GET', '/nothing')
    for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
      const answer = await server.call('GET', '/', { headers })
      assert.equal([answer.status, answer.json], [404, json])
    }
  })
})

Welcome('in production the path is unknown', async () => {
  const settings = { production: true, url: 'https://id.example' }
  await withServer({ settings }, async server => {
    const { status, json } = await server.call('GET', '/', HTML)
    assert.equal([status, json], [404, (await server.call('GET', '/nothing')).json])
  })
})

Welcome('the page is below api_prefix, and nowhere else', async () => {
  await withServer({ settings: { apiPrefix: '/api' } }, async server => {
    const statuses = ['/api', '/api/', '/', '/api//', '/apix'].map(
      async path => (await server.call('GET', path, HTML)).status,
    )
    assert.equal(await Promise.all(statuses), [200, 200, 404, 404, 404])
    for (const method of ['POST', 'DELETE'])
      assert.is((await server.call(method, '/api/', HTML)).headers.allow, 'GET, HEAD', method)
    assert.is((await server.call('HEAD', '/api/', HTML)).status, 200)
  })
})

Welcome('a server with static files has no such page', async () => {
  const folder = join(temporaryFolder(), 'site')
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.html'), 'the site')
  await withServer({ settings: { staticFolder: { folder, prefix: '/' } } }, async server =>
    assert.is((await server.call('GET', '/', HTML)).text, 'the site'),
  )
  await withServer({ settings: { staticFolder: { folder, prefix: '/pages/' } } }, async server =>
    assert.is((await server.call('GET', '/', HTML)).status, 404),
  )
})

Welcome('a page for clients or keyshare apps shows no calls of requestors', async () => {
  await withServer({ isApart: true }, async server => {
    assert.match((await server.call('GET', '/', HTML)).text, 'curl')
    assert.not.match((await server.clients.call('GET', '/', HTML)).text, 'curl')
  })
  await withServer({ settings: { openapi: false } }, async server =>
    assert.not.match((await server.call('GET', '/', HTML)).text, 'openapi'),
  )
  await withKeyshare({}, async server => {
    const { text } = await server.call('GET', '/', HTML)
    assert.match(text, '<h1>Keyshare server</h1>')
    assert.match(wordsOf(text), 'npx attribute-session-service keyshare --help\n')
    assert.not.match(text, 'curl')
  })
})
Welcome.run()
