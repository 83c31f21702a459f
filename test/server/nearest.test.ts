/** Which known name somebody meant who misspelt one. */
import * as assert from 'uvu/assert'
import { meantName, nearestName } from '../../server/settings/nearest.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { suite } from '../suite.ts'
import { refused } from './refused.ts'

const Nearest = suite('settings: the nearest known name')

Nearest(
  'the nearest name is the one with the fewest changes of a letter; neighbours that are swapped are one',
  () => {
    const known = ['post', 'port', 'ports']
    assert.is(nearestName('prot', known), 'port')
    assert.is(nearestName('PORTS', known), 'ports')
    assert.is(nearestName('pos', known), 'post')
    assert.is(nearestName('', ['abc', 'a']), 'a')
  },
)

Nearest('no name is said to be meant from which more than a third of the letters differ', () => {
  assert.is(meantName('abcxyz', ['abcddz']), 'abcddz')
  assert.is(meantName('abcxyz', ['abcddd']), null)
  refused(
    () =>
      sessionServer.resolve({
        flags: {},
        variables: {},
        file: { name: 'f', values: { permissions_typo: [] } },
      }),
    'f: expected options by name, got "permissions_typo", which is unknown',
  )
})

Nearest.run()
