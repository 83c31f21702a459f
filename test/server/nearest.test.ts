/** The known name that is nearest to a misspelt one. */
import * as assert from 'uvu/assert'
import { nearestName } from '../../server/settings/nearest.ts'
import { suite } from '../suite.ts'

const Nearest = suite('settings: the nearest known name')

Nearest('the nearest name has the fewest changed letters; two swapped neighbours count as one change', () => {
  const known = ['post', 'port', 'ports']
  assert.is(nearestName('prot', known), 'port')
  assert.is(nearestName('PORTS', known), 'ports')
  assert.is(nearestName('pos', known), 'post')
  assert.is(nearestName('', ['abc', 'a']), 'a')
})

Nearest.run()
