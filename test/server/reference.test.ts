import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { optionsReference } from '../../server/settings/reference.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { suite } from '../suite.ts'

const Reference = suite('settings: the reference')

Reference('docs/options.md is what the schema says: `svc server options > docs/options.md`', () => {
  assert.is(readFileSync('docs/options.md', 'utf8'), optionsReference(sessionServer))
})

Reference('docs/keyshare-options.md is too: `svc keyshare options > docs/keyshare-options.md`', () => {
  assert.is(readFileSync('docs/keyshare-options.md', 'utf8'), optionsReference(keyshareServer))
})
Reference.run()
