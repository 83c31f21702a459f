/** The errors that a program gets if it cannot start an embedded server (docs/library.md). */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { startSessionServer } from '../../server/embedded.ts'
import type { SessionServerOptions } from '../../server/settings/of-program.ts'
import { freePort } from '../cli/run-svc.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const Embedded = suite('a session server inside another program')
const RIGHT = { schemesPath: DEMO_SCHEMES, store: 'memory', listenAddr: '127.0.0.1', quiet: true }

/** The name of the error for these options; null: the server starts. */
async function nameOf(options: SessionServerOptions): Promise<string | null> {
  try {
    const server = await startSessionServer({ ...RIGHT, port: await freePort(), ...options })
    await server.close()
    return null
  } catch (error) {
    assert.instance(error, Error)
    return error instanceof Error ? error.name : null
  }
}

Embedded('the name of the error is the kind of failure: settings, store or schemes', async () => {
  assert.is(await nameOf({}), null)
  assert.is(await nameOf({ workers: -1 }), 'SettingsError')
  assert.is(await nameOf({ store: 'redis:sessions' }), 'SettingsError')
  assert.is(await nameOf({ store: 'sqlite:/proc/nothing/here' }), 'StoreError')
  assert.is(await nameOf({ schemesPath: unsigned() }), 'SchemeError')
})

Embedded(
  'a port in use is a SettingsError; after the first server has closed, the port is free',
  async () => {
    const server = await startSessionServer({ ...RIGHT, port: await freePort() })
    assert.is(await nameOf({ port: server.port }), 'SettingsError')
    await server.close()
    assert.is(await nameOf({ port: server.port }), null)
  },
)

function unsigned(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'mine'))
  writeFileSync(
    join(folder, 'mine/description.xml'),
    '<SchemeManager version="7"><Id>mine</Id></SchemeManager>',
  )
  return folder
}
Embedded.run()
