/** Two logins side by side: equal parts are found by comparing the data. @module */
import * as assert from 'uvu/assert'
import { compareLogins } from '../../demo/comparison.ts'
import { suite } from '../suite.ts'

const submission = (proof: object = {}, disclosed: object = { '1': 'week', '4': 'yes' }) => {
  const numbers = {
    A: 'a1',
    c: 'c1',
    e_response: 'e1',
    v_response: 'v1',
    a_responses: { '0': 's1', '2': 'n1' },
  }
  return { proofs: [{ ...numbers, ...proof, a_disclosed: disclosed }], indices: [[{ cred: 0, attr: 4 }]] }
}
const OTHER = { A: 'a2', c: 'c2', e_response: 'e2', v_response: 'v2', a_responses: { '0': 's2', '2': 'n2' } }

const Compare = suite('demo: two logins side by side')

Compare('the shown attribute is the same in both, and no number is', () => {
  const comparison = compareLogins(submission(), submission(OTHER))
  assert.equal([comparison?.isSameShown, comparison?.alike], [true, 0])
  assert.equal(comparison?.logins[0].numbers, ['a1', 'c1', 'e1', 'v1', 's1', 'n1'])
  assert.equal(comparison?.logins[1].sent, submission(OTHER))
})

Compare('each number that both submissions contain is counted, at any place', () => {
  for (const name of ['A', 'c', 'e_response', 'v_response'])
    assert.is(
      compareLogins(submission({ ...OTHER, [name]: 'x' }), submission({ [name]: 'x' }))?.alike,
      1,
      name,
    )
  const moved = submission({ ...OTHER, a_responses: { '0': 'n1', '2': 'n2' } })
  assert.is(compareLogins(submission(), moved)?.alike, 1)
  assert.is(compareLogins(submission(), submission())?.alike, 6)
})

Compare('another value, another week of the card or fewer attributes do not count as the same', () => {
  for (const disclosed of [{ '1': 'week', '4': 'no' }, { '1': 'later', '4': 'yes' }, { '1': 'week' }])
    assert.is(compareLogins(submission(), submission(OTHER, disclosed))?.isSameShown, false)
})

Compare('without two submissions there is nothing to compare', () => {
  const two = { ...submission(), proofs: [...submission().proofs, ...submission().proofs] }
  for (const other of [undefined, {}, { proofs: [] }, two, submission({ A: 1 })])
    assert.equal([compareLogins(other, submission()), compareLogins(submission(), other)], [null, null])
})

Compare.run()
