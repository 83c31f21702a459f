/** Powers of big numbers are computed in worker threads, never on the thread that answers calls, so that one call does not delay another. */
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
