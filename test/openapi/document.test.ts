/** The whole description of some endpoints, and its page. */
import * as assert from 'uvu/assert'
import { z } from 'zod'
import type { ApiDocument } from '../../http/openapi/document.ts'
import { describedApi } from '../../http/openapi/page.ts'
import { SchemaNames } from '../../http/openapi/schema-names.ts'
import { withServer } from '../http/harness.ts'
import { withKeyshare } from '../http/keyshare/harness.ts'
import { suite } from '../suite.ts'
import { apiOf } from './api.ts'

const Described = suite('the whole description of some endpoints')

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const inPath = (name: string, description: string) => ({
  name,
  in: 'path',
  description,
  required: true,
  schema: { type: 'string', minLength: 1 },
})
const REFUSED = {
  description: 'A remote error',
  content: { 'application/json': { schema: refTo('RemoteError') } },
}
const NOT_NOW = {
  ...REFUSED,
  description: 'The server cannot answer now. Repeat the call after the number of seconds in Retry-After',
  headers: { 'Retry-After': { schema: { type: 'integer' } } },
}

async function withDocument(use: (paths: ApiDocument['paths']) => void): Promise<void> {
  await withServer({}, async server =>
    use(apiOf((await server.call('GET', '/openapi.json')).text).document.paths),
  )
}

Described('an endpoint with a body, an authorization, and examples of body and answer', () =>
  withDocument(paths => {
    assert.equal(paths['/svc/session/{clientToken}/frontend/options']?.post, {
      operationId: 'frontendOptions',
      tags: ['For frontends'],
      summary: 'Turns pairing on or off, until the wallet app connects',
      parameters: [inPath('clientToken', 'The last part of u in a session pointer')],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: refTo('FrontendOptions'),
            example: {
              '@context': 'https://svc.example/ld/request/frontendoptions/v1',
              pairingMethod: 'none',
            },
          },
        },
      },
      responses: {
        200: {
          description: 'Success',
          content: {
            'application/json': {
              schema: refTo('SessionOptions'),
              example: { '@context': 'https://svc.example/ld/options/v1', pairingMethod: 'none' },
            },
          },
        },
        400: REFUSED,
        403: REFUSED,
        413: REFUSED,
        415: REFUSED,
        503: NOT_NOW,
      },
      security: [{ frontendToken: [] }],
    })
  }),
)

Described('an endpoint without a body, parameters, limits or authorization', () =>
  withDocument(paths => {
    assert.equal(paths['/health']?.get, {
      operationId: 'health',
      tags: ['The node'],
      summary: 'Answers OK while the process runs',
      responses: {
        200: { description: 'OK', content: { 'text/plain': { schema: { type: 'string' } } } },
      },
      security: [],
    })
  }),
)

Described('only endpoints that need more than a summary have a description', () =>
  withDocument(paths => {
    assert.match(paths['/session']?.post?.description ?? '', /^Attributes of one credential type/)
    assert.not('description' in (paths['/session/{requestorToken}']?.delete ?? {}))
    assert.not('example' in Object(paths['/session/{requestorToken}/status']?.get?.requestBody))
  }),
)

Described(
  'an app may omit the authorization that it did not set at its first call; errors about revocation are CBOR',
  () =>
    withDocument(paths => {
      const request = paths['/svc/session/{clientToken}/request']?.get
      assert.equal(request?.security, [{}, { appAuthorization: [] }])
      const update = paths['/svc/revocation/{type}/update/{count}']?.get
      assert.equal(update?.responses[400]?.content, { 'application/octet-stream': { schema: {} } })
    }),
)

Described(
  'answers with different statuses have different schemas, and a body without an example has only a schema',
  () =>
    withDocument(paths => {
      const ready = paths['/health/ready']?.get?.responses
      assert.equal(Object.keys(ready?.[200]?.content?.['application/json'] ?? {}), ['schema'])
      assert.not.equal(ready?.[503]?.content, ready?.[200]?.content)
    }),
)

Described('an endpoint at several paths has its plain name at one, and numbered names at the others', () =>
  withKeyshare({}, async server => {
    const { paths } = apiOf((await server.call('GET', '/openapi.json')).text).document
    const idAt = (path: string) => paths[path]?.post?.operationId
    assert.equal([idAt('/client/register'), idAt('/api/v1/client/register')], ['register', 'register2'])
  }),
)

Described('a schema has one name, and a name one schema', () => {
  const schema = z.string()
  const names = new SchemaNames({ first: schema })
  assert.equal(names.of(schema, 'Other'), refTo('First'))
  assert.throws(() => names.of(z.number(), 'First'), /^schemas: expected one of the name First, got another$/)
})

const ENDPOINT = { tags: ['All'], summary: 'It asks', responses: {}, security: [] }
const FULL = {
  ...ENDPOINT,
  operationId: 'full',
  description: 'More of it',
  requestBody: {
    required: true,
    content: { 'application/json': { schema: refTo('Question'), example: { a: 1 } } },
  },
  responses: {
    200: {
      description: 'Events',
      content: { 'text/event-stream': { schema: { type: 'string', contentSchema: refTo('Event') } } },
    },
    204: { description: 'Nothing', content: { 'text/plain': { schema: { type: 'string' } } } },
  },
  security: [{}, { token: [] }],
}
const DOCUMENT: ApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1', description: '' },
  servers: [{ url: './', description: '' }],
  paths: { '/full': { post: FULL }, '/bare': { get: { ...ENDPOINT, operationId: 'bare' } } },
  components: { schemas: {}, securitySchemes: { token: { description: 'a token' } } },
}

Described('the page shows all that the description contains about an endpoint, and nothing else', () => {
  const [full = '', bare = ''] = describedApi(DOCUMENT).text.match(/<details.*?<\/details>/gs) ?? []
  assert.is(
    full,
    `<details id="full"><summary><b>POST</b> <code>/full</code><span>It asks</span></summary>
<p>More of it</p>
<p>Authentication: <a href="#way-token">token</a> </p>
<dl></dl>
<h3>Body</h3><p><code>application/json</code> <a href="#Question">Question</a></p><pre tabindex="0">{
  &#34;a&#34;: 1
}</pre>
<h3>Answers</h3><dl><dt>200</dt><dd>Events<p><code>text/event-stream</code> <a href="#Event">Event</a></p></dd><dt>204</dt><dd>Nothing<p><code>text/plain</code> </p></dd></dl>
</details>`,
  )
  assert.is(
    bare,
    `<details id="bare"><summary><b>GET</b> <code>/bare</code><span>It asks</span></summary>


<dl></dl>

<h3>Answers</h3><dl></dl>
</details>`,
  )
})

Described.run()
