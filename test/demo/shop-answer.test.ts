/** What the shop makes of a result: it believes a proof that is valid, and nothing else. @module */

import * as assert from 'uvu/assert'
import { parseResult, shopAnswer } from '../../demo/shop-answer.ts'
import { MalformedInput } from '../../protocol/errors.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'

const schemes = await loadSchemes(DEMO_SCHEMES)
const Answer = suite('demo: what the shop makes of a result')

const over18 = (rawvalue: string | null) => [
  [{ rawvalue, id: 'svc-demo.gov.idcard.over18', status: 'PRESENT' }],
]
const answerTo = (result: object) => shopAnswer('age', parseResult(result), schemes)

Answer('a valid proof that says yes is accepted', () => {
  const { isAccepted, title } = answerTo({ status: 'DONE', proofStatus: 'VALID', disclosed: over18('yes') })
  assert.equal([isAccepted, title], [true, 'Thank you, you are over 18'])
})

Answer('a valid proof that says something else is not', () => {
  for (const value of ['no', '', null])
    assert.not(answerTo({ status: 'DONE', proofStatus: 'VALID', disclosed: over18(value) }).isAccepted)
})

Answer('without a valid proof no value counts or is shown', () => {
  for (const proofStatus of ['INVALID', 'EXPIRED', 'MISSING_ATTRIBUTES', undefined]) {
    const answer = answerTo({ status: 'DONE', proofStatus, disclosed: over18('yes') })
    assert.equal([answer.isAccepted, answer.title, answer.seen], [false, 'The proof does not hold', []])
  }
})

Answer('a session that ended otherwise is told in words', () => {
  const titles = [{ status: 'TIMEOUT' }, { status: 'CANCELLED' }, { status: 'CANCELLED', error: 'EXCEPTION' }]
  assert.equal(
    titles.map(result => answerTo(result).title),
    ['That took too long', 'Stopped', 'Something went wrong'],
  )
})

Answer(
  'the result is shown as it was told, but for the requestor token, which does not leave the shop',
  () => {
    const told = { status: 'DONE', type: 'disclosing', proofStatus: 'VALID', disclosed: over18('yes') }
    assert.is(JSON.stringify(answerTo({ token: 'secret', ...told }).result), JSON.stringify(told))
  },
)

Answer('what is no session result is refused', () => {
  for (const json of [null, [], {}, { status: 'OPEN' }, { status: 'DONE', disclosed: 'all' }])
    assert.throws(
      () => parseResult(json),
      (error: unknown) => error instanceof MalformedInput,
    )
})

Answer.run()
