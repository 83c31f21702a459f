import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { optionsReference } from '../../server/settings/reference.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { suite } from '../suite.ts'

const Reference = suite('settings: the reference')

Reference('docs/options.md is what the schema says: `svc server options > docs/options.md`', () => {
  assert.is(readFileSync('docs/options.md', 'utf8'), optionsReference(sessionServer))
})
Reference.run()
