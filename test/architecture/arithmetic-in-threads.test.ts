/** Big numbers are raised to powers in worker threads, never on the thread that answers calls: no such call holds up another. */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { importsOf, sourcesOf } from './imports.ts'

const InThreads = suite('arithmetic in worker threads')

for (const room of ['actors', 'http'])
  InThreads(`${room} asks for arithmetic in actors/workers alone`, () => {
    const users = sourcesOf(room)
      .filter(file => !file.startsWith('actors/workers/'))
      .filter(file => importsOf(file).some(({ target }) => /crypto\/bignum\//.test(target)))
    assert.equal(users, [])
  })

InThreads.run()
