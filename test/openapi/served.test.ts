/** The address of the description, and its coverage of all endpoints. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { operationsOf } from '../../http/openapi/operations.ts'
import { schemasOf } from '../../http/openapi/schemas.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { packageVersion } from '../../server/version.ts'
import { type ServerOfTest, withServer } from '../http/harness.ts'
import { withKeyshare } from '../http/keyshare/harness.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { apiOf } from './api.ts'

const Served = suite('the description of the endpoints, as it is served')

const textAt = async (server: Pick<ServerOfTest, 'call'>, path: string): Promise<string> =>
  (await server.call('GET', path)).text

/** Method and path of every line of a table, in the form of descriptions. */
function linesOf(file: string): string[] {
  const text = readFileSync(join(PROJECT, file), 'utf8')
  return [...text.matchAll(/\['(GET|POST|DELETE)',\s+[`']?([^`',]+)/g)].map(([, method]) => String(method))
}

Served('every endpoint of both servers is described once for each of its paths', async () => {
  const ids: string[] = []
  const count = async (server: Pick<ServerOfTest, 'call'>): Promise<number> => {
    const { paths } = apiOf(await textAt(server, '/openapi.json')).document
    const operations = Object.values(paths).flatMap(methods => Object.values(methods))
    ids.push(...operations.map(({ operationId }) => operationId.replace(/\d+$/, '')))
    return operations.length
  }
  await withServer({}, async server => {
    // the two endpoints of the description are in http/openapi/routes.ts, and readyRoute is one more line
    assert.is(await count(server), linesOf('http/routes.ts').length + 2)
  })
  await withKeyshare({}, async server => {
    const users = 6
    const first = 3
    const second = 4
    assert.is(await count(server), 2 * (first + 2 * users) + second + 2 + 17 + 2)
  })
  const named = Object.keys(operationsOf(PROFILES.svc, schemasOf(PROFILES.svc)))
  assert.equal([...new Set(ids)].sort(), named.sort())
})

Served('the description has the address of its server and the version, also below a prefix', async () => {
  for (const [apiPrefix, path] of [
    ['', '/openapi.json'],
    ['/api/v1', '/api/v1/openapi.json'],
  ] as const)
    await withServer({ settings: { apiPrefix } }, async server => {
      const { info, servers } = apiOf(await textAt(server, path)).document
      assert.is(info.version, packageVersion())
      const tops = servers.map(({ url }) => new URL(url, `https://id.example/below${path}`).href)
      assert.equal(tops, ['https://id.example/below/'], 'a proxy may put a path before both')
    })
})

Served(
  'each listener describes what it serves, below api_prefix and in the words of the profile',
  async () => {
    await withServer({ isApart: true, settings: { apiPrefix: '/api', profile: 'irma' } }, async server => {
      const ofRequestors = Object.keys(apiOf(await textAt(server, '/api/openapi.json')).document.paths)
      const ofClients = Object.keys(apiOf(await textAt(server.clients, '/api/openapi.json')).document.paths)
      assert.ok(
        ofRequestors.includes('/api/session') && ofClients.includes('/api/irma/session/{clientToken}'),
      )
      const both = ofRequestors.filter(path => ofClients.includes(path))
      assert.equal(both, ['/api/health/ready', '/api/openapi.json', '/api/openapi'])
    })
  },
)

Served('with no_auth a requestor needs no token, and without no_auth it needs one', async () => {
  for (const noAuth of [true, false])
    await withServer({ settings: { noAuth } }, async server => {
      const { paths } = apiOf(await textAt(server, '/openapi.json')).document
      assert.equal(paths['/session']?.post?.security, noAuth ? [] : [{ requestorToken: [] }])
    })
})

Served('in production there is no description, unless the option openapi is set', async () => {
  const optionOf = (values: object): boolean =>
    sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'test', values: { ...values } } }).options
      .openapi
  assert.equal(
    [optionOf({}), optionOf({ production: true }), optionOf({ production: true, openapi: true })],
    [true, false, true],
  )
  await withServer({ settings: { openapi: false } }, async server => {
    for (const path of ['/openapi.json', '/openapi']) assert.is((await server.call('GET', path)).status, 404)
  })
})

Served('a static file openapi.json is served in place of the description', async () => {
  const folder = join(temporaryFolder(), 'site')
  mkdirSync(folder)
  writeFileSync(join(folder, 'openapi.json'), '{"own":true}')
  await withServer({ settings: { staticFolder: { folder, prefix: '/' } } }, async server => {
    assert.is(await textAt(server, '/openapi.json'), '{"own":true}')
    assert.is((await server.call('GET', '/openapi')).status, 200)
    const { status, headers } = await server.call('POST', '/openapi')
    assert.equal([status, headers['content-type']], [405, 'application/json; charset=UTF-8'])
  })
})

Served('the page lists every endpoint and schema, loads nothing and runs nothing', async () => {
  await withServer({}, async server => {
    const { document } = apiOf(await textAt(server, '/openapi.json'))
    const { headers, text } = await server.call('GET', '/openapi')
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri/,
    )
    assert.is(headers['content-type'], 'text/html; charset=UTF-8')
    for (const path of Object.keys(document.paths)) assert.ok(text.includes(`<code>${path}</code>`), path)
    for (const name of Object.keys(document.components.schemas))
      assert.ok(text.includes(`<article id="${name}">`), name)
    assert.not.match(text, /<script|\ssrc=|<link|@import|url\(/)
    assert.not.match(text, /<pre(?! tabindex="0">)/, 'wide texts can be scrolled with the keyboard')
    for (const [, name = ''] of text.matchAll(/href="#([^"]+)"/g))
      assert.ok(text.includes(`id="${name}"`), name)
  })
})

Served.run()
