/** The log line about values that are too long to be signed themselves (spec/decisions#d25). @module */
import * as assert from 'uvu/assert'
import { parseCredentialTypeId } from '../../protocol/ids.ts'
import { hashedValueLog } from '../../server/log/hashed-value-log.ts'
import { suite } from '../suite.ts'

const Log = suite('the log of long values')

Log('it names the credential type and says what binds the value', () => {
  const lines: unknown[][] = []
  hashedValueLog({ warn: (...line: unknown[]) => lines.push(line) })(
    parseCredentialTypeId('svc-demo.fast.note'),
  )
  assert.equal(lines, [
    [
      { credentialType: 'svc-demo.fast.note' },
      'an issued value is longer than its key signs, so that it is bound by its hash',
    ],
  ])
})

Log.run()
