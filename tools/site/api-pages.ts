/** Pages for the endpoints of both servers, generated from the descriptions that running servers return. @module */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyshareKeys } from '../../demo/keyshare/keys.ts'
import { ownSchemes } from '../../demo/own-schemes.ts'
import { USER_NAME } from '../../demo/steps.ts'
import { html } from '../../http/html.ts'
import type { HttpServer } from '../../http/http-server.ts'
import type { ApiDocument } from '../../http/openapi/document.ts'
import { describedApi } from '../../http/openapi/page.ts'
import { createNode } from '../../server/create-node.ts'
import { createKeyshareNode } from '../../server/keyshare/create-keyshare-node.ts'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { readKeyshareSettings } from '../../server/settings/keyshare-settings.ts'
import { readNodeSettings } from '../../server/settings/node-settings.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { systemWorld } from '../../server/world.ts'
import type { SitePage } from './pages.ts'

/** The log of these servers: silent. */
const SILENT = { info() {}, warn() {}, error() {} }
/** Loopback: no other computer can call them. */
const HOST = '127.0.0.1'

const SESSION_SERVER = 'api/session-server'
/** Its script removes `hidden`, and adds the fields. */
const TRY_IT = html`<section id="try" data-server="http://127.0.0.1:8088" hidden><h2 id="try-it">Try it</h2>
<p>Each endpoint has a form. This command starts a server for it, with demo attributes:</p>
<pre><code>npx attribute-session-service server --schemes-path demo/schemes --store memory</code></pre>
</section>
`

/** @param project folder that contains the demo schemes */
export async function apiPages(project: string): Promise<SitePage[]> {
  const values = {
    schemes_path: join(project, 'demo/schemes'),
    workers: 1,
    store: 'memory',
    url: `http://${HOST}`,
  }
  return [
    await pageOf(SESSION_SERVER, await sessionApi(values)),
    await pageOf('api/keyshare-server', await keyshareApi(values)),
  ]
}

type Values = { readonly schemes_path: string; readonly url: string; readonly store: string }
const from = (values: object) => ({ flags: {}, variables: {}, file: { name: 'site', values: { ...values } } })

async function sessionApi(values: Values): Promise<ApiDocument> {
  const { options } = sessionServer.resolve(from(values))
  const { settings } = await readNodeSettings({ options }, SILENT.info)
  return documentOf(await createNode(settings, systemWorld(SILENT)))
}

/** Starts a server with temporary keys, and temporary schemes that name them. */
async function keyshareApi(values: Values): Promise<ApiDocument> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-site-'))
  const world = systemWorld(SILENT)
  try {
    const keys = await keyshareKeys(folder, world.random)
    const place = { schemesPath: values.schemes_path, dataDir: folder, clock: world.clock }
    const { url } = values
    const names = { timestampServer: url, revocationServer: url, keyshareServer: url }
    const schemes = await ownSchemes(place, { ...names, keyshareKey: keys.publicKey }, () => {})
    const own = {
      schemes_path: schemes.folder,
      keyshare_attribute: USER_NAME,
      jwt_privkey_file: keys.privateKeyFile,
      storage_primary_key_file: keys.storageKeyFile,
    }
    const { options } = keyshareServer.resolve(from({ ...values, ...own }))
    const { settings } = await readKeyshareSettings({ options }, SILENT.info)
    return await documentOf(await createKeyshareNode(settings, world))
  } finally {
    await rm(folder, { recursive: true })
  }
}

type Node = { readonly server: HttpServer; close(): Promise<void> }

async function documentOf({ server, close }: Node): Promise<ApiDocument> {
  try {
    const { port } = await server.listen(0, HOST)
    const answer = await fetch(`http://${HOST}:${port}/openapi.json`)
    if (!answer.ok) throw new Error(`GET /openapi.json: expected 200, got ${answer.status}`)
    const document: ApiDocument = JSON.parse(await answer.text())
    return document
  } finally {
    await close()
  }
}

function pageOf(name: string, document: ApiDocument): SitePage {
  const title = `${document.info.title}: endpoints`
  const where =
    'A running server has this page at `/openapi`, in the words of its own settings (profile, prefix, who may ask), and the same for programs at `/openapi.json` (OpenAPI 3.1).'
  return {
    path: `${name}.md`,
    output: `${name}.html`,
    title,
    markdown: `# ${title}\n\nVersion ${document.info.version}\n\n${document.info.description}\n\n${where}\n`,
    after: html`${name === SESSION_SERVER ? TRY_IT : null}${describedApi(document)}`,
  }
}
