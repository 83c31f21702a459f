/** `schemes_assets_path`: the stock is copied before the folder of schemes is read (spec/schemes-and-cli#9.2). */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { readNodeSettings } from '../../../server/settings/node-settings.ts'
import { sessionServer } from '../../../server/settings/session-server.ts'
import { DEMO_SCHEMES } from '../../project.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const Assets = suite('settings: schemes_assets_path')

function optionsOf(values: Readonly<Record<string, unknown>>) {
  return sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'f.yml', values } }).options
}

Assets('fills an empty folder, or one that does not exist, with a line for each scheme', async () => {
  const path = join(temporaryFolder(), 'a/b')
  const options = optionsOf({
    schemes_path: path,
    schemes_assets_path: DEMO_SCHEMES,
  })
  const lines: string[] = []
  const { settings } = await readNodeSettings({ options }, line => lines.push(line))
  assert.equal([...settings.schemes.schemes.keys()].sort(), ['svc-demo', 'svc-keyshare'])
  assert.equal(
    lines.sort(),
    ['svc-demo', 'svc-keyshare'].map(
      name => `schemes_assets_path: copied from ${DEMO_SCHEMES} to ${join(path, name)}`,
    ),
  )
  await readNodeSettings({ options }, assert.unreachable)
})

Assets('must exist', async () => {
  const options = optionsOf({ schemes_path: DEMO_SCHEMES, schemes_assets_path: '/no/where' })
  const refusal = await readNodeSettings({ options }, () => {}).catch(String)
  assert.match(String(refusal), 'schemes_assets_path: expected an existing folder of schemes, got /no/where')
})

Assets.run()
