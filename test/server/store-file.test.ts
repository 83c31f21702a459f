/** The address of a store in a file of its own, as an alternative to "store". Both servers and `svc deliveries` read it. No message quotes its content. @module */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { readKeyshareSettings } from '../../server/settings/keyshare-settings.ts'
import { readNodeSettings } from '../../server/settings/node-settings.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { openStore } from '../../stores/open.ts'
import { runSvc } from '../cli/run-svc.ts'
import { rejection } from '../faults/rejection.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { newStoreFile, temporaryFolder } from '../temporary-folder.ts'
import { NEEDED } from './keyshare/node.ts'

const ADDRESS = 'postgres://svc:hunter2pw@db.example/svc'

function written(text: string): string {
  const path = join(temporaryFolder(), 'store.address')
  writeFileSync(path, text)
  return path
}

/** The store of each server, from its settings. */
const SERVERS = {
  async session(values: Readonly<Record<string, unknown>>) {
    const file = { name: 'f.yaml', values: { schemes_path: DEMO_SCHEMES, ...values } }
    const { options } = sessionServer.resolve({ flags: {}, variables: {}, file })
    return (await readNodeSettings({ options }, () => {})).settings.store
  },
  async keyshare(values: Readonly<Record<string, unknown>>) {
    const file = { name: 'f.yaml', values: { ...NEEDED, ...values } }
    const { options } = keyshareServer.resolve({ flags: {}, variables: {}, file })
    return (await readKeyshareSettings({ options }, () => {})).settings.store
  },
}

const StoreFile = suite('store_file')

for (const [name, storeOf] of Object.entries(SERVERS)) {
  StoreFile(`${name} server: the text of the file is the address, without its line end`, async () => {
    assert.is(await storeOf({ store_file: written(`${ADDRESS}\n`) }), ADDRESS)
    assert.is(await storeOf({ store: ADDRESS }), ADDRESS)
    assert.is(await storeOf({}), '')
  })

  StoreFile(`${name} server: refused beside "store", and if the file is empty or missing`, async () => {
    const both = await rejection(storeOf({ store: ADDRESS, store_file: written(ADDRESS) }))
    assert.match(both, 'store: expected either store or store_file, got both')
    assert.not.match(both, 'hunter2pw')
    assert.match(await rejection(storeOf({ store_file: written('\n') })), 'store_file: expected a value in')
    assert.match(
      await rejection(storeOf({ store_file: '/nowhere/x' })),
      'store_file: expected an existing file',
    )
  })
}

StoreFile('"memory" is refused in the file as in "store"', async () => {
  const inMemory = { store_file: written('memory') }
  assert.match(
    await rejection(SERVERS.keyshare({ ...inMemory, production: true, url: 'https://keyshare.example/' })),
    'got "memory"',
  )
  const revoking = { revocation_settings: { 'mine.club.pass': { authority: true } } }
  assert.match(await rejection(SERVERS.session({ ...inMemory, ...revoking })), 'must not be forgotten')
})

StoreFile(
  'svc deliveries accepts --store-file instead of --store, and svc server check reads the option',
  async () => {
    const file = newStoreFile()
    await (await openStore(`sqlite:${file}`, 'boot A')).close()
    const path = written(`sqlite:${file}\n`)
    const listed = await runSvc(['deliveries', 'list', '--store-file', path])
    assert.equal([listed.code, listed.stdout, listed.stderr], [0, '', ''])
    const both = await runSvc(['deliveries', 'list', '--store-file', path, '--store', ADDRESS])
    assert.match(both.stderr, 'expected either store or store_file, got both')
    assert.not.match(both.stderr, 'hunter2pw')
    for (const [text, words] of [
      ['nonsense://svc:hunter2pw@db', 'expected a file with the whole address of a store'],
      ['hunter2pw', 'expected a file with the whole address of a store'],
      ['postgres://svc:hunter2pw/x@db.example/svc', 'got one that cannot be read'],
      ['postgres://svc:hunter2pw@', 'got one that cannot be read'],
    ] as const) {
      const command = ['server', 'check', '--schemes-path', DEMO_SCHEMES, '--store-file', written(text)]
      const checked = await runSvc(command)
      assert.match(checked.stderr, words)
      assert.not.match(checked.stderr, 'hunter2pw')
    }
  },
)

StoreFile.run()
