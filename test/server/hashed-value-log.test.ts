/** The log line about values that are too long to be signed themselves (spec/decisions#d25). @module */
import * as assert from 'uvu/assert'
import { parseCredentialTypeId } from '../../protocol/ids.ts'
import { hashedValueLog } from '../../server/log/hashed-value-log.ts'
import { suite } from '../suite.ts'

const Log = suite('the log of long values')

Log(
  'the line has the credential type and the effect: the hash is signed, or the disclosure is INVALID',
  () => {
    const lines: unknown[][] = []
    const note = hashedValueLog({ warn: (...line: unknown[]) => lines.push(line) })
    const credentialType = parseCredentialTypeId('svc-demo.fast.note')
    note(credentialType, 'isHashed')
    note(credentialType, 'looksHashed')
    assert.equal(lines, [
      [{ credentialType }, 'an issued value is longer than its key signs, so that it is bound by its hash'],
      [
        { credentialType },
        'an issued value of 24 to 32 bytes has a line break, a tab or another character that no text has: its disclosure is INVALID, because it may be a hash',
      ],
    ])
  },
)

Log.run()
