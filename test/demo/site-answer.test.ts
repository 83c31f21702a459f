/** The web site's reading of a result: it accepts only a valid proof. @module */
import * as assert from 'uvu/assert'
import { parseResult, siteAnswer } from '../../demo/site-answer.ts'
import { SESSION_STEPS, type SessionStep } from '../../demo/steps.ts'
import { MalformedInputError } from '../../protocol/errors.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'

const schemes = await loadSchemes(DEMO_SCHEMES)
const Answer = suite('demo: the answer of the web site to a result')

const shown = (id: string, rawvalue: string | null) => [
  [{ rawvalue, id: `svc-demo.${id}`, status: 'PRESENT' }],
]
const over18 = (value: string | null) => shown('gov.idcard.over18', value)
const answerTo = (step: SessionStep, first: object, ...later: object[]) =>
  siteAnswer(
    { step, isAgain: false, isCancelledHere: false },
    [parseResult(first), ...later.map(parseResult)],
    schemes,
  )
const DONE = { status: 'DONE', proofStatus: 'VALID' }
const ISSUED = { ...DONE, type: 'issuing' }

Answer('a valid proof that says yes is accepted', () => {
  const { isAccepted, title } = answerTo('mobile', { ...DONE, disclosed: over18('yes') })
  assert.equal([isAccepted, title], [true, 'Thank you, you are over 18'])
})

Answer('a valid proof with another value is not accepted', () => {
  for (const value of ['no', '', null])
    assert.not(answerTo('mobile', { ...DONE, disclosed: over18(value) }).isAccepted)
})

Answer('without a valid proof no value counts or is shown, and no card was issued', () => {
  for (const proofStatus of ['INVALID', 'EXPIRED', 'MISSING_ATTRIBUTES', 'INVALID_TIMESTAMP', undefined])
    for (const step of SESSION_STEPS) {
      const answer = answerTo(step, { status: 'DONE', proofStatus, disclosed: over18('yes') })
      assert.equal([answer.isAccepted, answer.title], [false, 'The proof does not hold'])
      assert.equal([answer.seen, answer.signed, answer.issued, answer.unseen], [[], null, [], []])
    }
})

Answer('each other end of a session has a text', () => {
  const ends = [{ status: 'TIMEOUT' }, { status: 'CANCELLED' }, { status: 'CANCELLED', error: 'EXCEPTION' }]
  assert.equal(
    ends.map(result => answerTo('login', result).title),
    ['That took too long', 'Stopped', 'Something went wrong'],
  )
})

Answer('a signature is shown with its message, and with its time if it has a timestamp', () => {
  const signature = { message: 'I rent a room', signature: [], timestamp: { Time: 1_795_260_840 } }
  const told = { ...DONE, disclosed: shown('gov.idcard.familyname', 'de Vries'), signature }
  const { isAccepted, signed } = answerTo('contract', told)
  assert.equal([isAccepted, signed], [true, { message: 'I rent a room', atSec: 1_795_260_840 }])
  const without = { ...told, signature: { ...signature, timestamp: null } }
  assert.is(answerTo('contract', without).signed?.atSec, null)
})

Answer('issued cards are shown with the names of their scheme', () => {
  const { seen, hidden, issued } = answerTo('library', {
    ...ISSUED,
    disclosed: shown('uni.student.university', 'City University'),
  })
  assert.equal(seen, [
    { card: 'Demo student card', name: 'University', value: 'City University', isNotRevoked: false },
  ])
  assert.equal(hidden, [{ card: 'Demo student card', names: ['Student number', 'Level', 'Remarks'] }])
  assert.equal(issued, [
    {
      card: 'Demo note',
      issuer: 'Demo Club',
      attributes: [
        { name: 'Text', value: 'Library card 2045-118' },
        { name: 'Extra', value: 'City Library, student rate' },
      ],
    },
  ])
})

Answer(
  'a chain is accepted if all its sessions succeeded; attributes of an earlier session are shown in any case',
  () => {
    const first = { ...DONE, disclosed: shown('uni.student.level', 'master'), nextSession: 'secret' }
    const whole = answerTo('chain', first, { ...first, ...ISSUED })
    assert.equal([whole.isAccepted, whole.seen.length, whole.issued.length], [true, 1, 1])
    const half = answerTo('chain', first, { status: 'CANCELLED' })
    assert.equal([half.isAccepted, half.title, half.issued], [false, 'Stopped half way', []])
    assert.is(half.seen[0]?.value, 'master')
  },
)

const PERMIT_SHOWN = [
  [{ rawvalue: 'Stall', id: 'svc-demo.gov.permit.kind', status: 'PRESENT', notrevoked: true }],
]

Answer('a permit that is not revoked can be revoked, and only then is the step done', () => {
  const first = { ...ISSUED, nextSession: 'secret' }
  const whole = answerTo('revoked', first, { ...DONE, disclosed: PERMIT_SHOWN })
  assert.equal([whole.isAccepted, whole.canRevoke, whole.isDone], [true, true, false])
  assert.equal([whole.seen[0]?.isNotRevoked, whole.issued.length], [true, 1])
  assert.match(whole.text, 'It has not been revoked')
  const half = answerTo('revoked', first, { status: 'CANCELLED' })
  assert.equal([half.title, half.canRevoke, half.isDone], ['Stopped half way', false, false])
  assert.equal([half.seen, half.issued.length], [[], 1])
})

Answer('attributes that the site issued itself are not listed as unseen', () => {
  const { hidden, issued } = answerTo(
    'revoked',
    { ...ISSUED, nextSession: 'x' },
    { ...DONE, disclosed: PERMIT_SHOWN },
  )
  assert.equal([hidden, issued[0]?.attributes.map(({ name }) => name)], [[], ['Kind', 'Permit number']])
  const again = siteAnswer(
    { step: 'revoked', isAgain: true, isCancelledHere: false },
    [parseResult({ ...DONE, disclosed: PERMIT_SHOWN })],
    schemes,
  )
  assert.equal(
    again.hidden,
    [{ card: 'Demo permit', names: ['Permit number'] }],
    'this session issued nothing',
  )
})

Answer('a cancel by the site has another text than a cancel by the phone', () => {
  const cancelled = (isCancelledHere: boolean, ...results: object[]) => {
    const [one, ...later] = [...results, { status: 'CANCELLED' }].map(parseResult)
    if (!one) throw new Error('expected a result')
    return siteAnswer({ step: 'chain', isAgain: false, isCancelledHere }, [one, ...later], schemes).text
  }
  const first = { ...DONE, disclosed: shown('uni.student.level', 'master'), nextSession: 'x' }
  const texts = [false, true].flatMap(isHere => [cancelled(isHere), cancelled(isHere, first)])
  assert.is(new Set(texts).size, 4)
  assert.equal(
    texts.map(text => text.includes('You have pressed Cancel here')),
    [false, false, true, true],
  )
})

Answer('a cancel by the site changes nothing when the phone was first, or the server ended it', () => {
  for (const result of [
    { ...DONE, disclosed: over18('yes') },
    { status: 'TIMEOUT' },
    { status: 'CANCELLED', error: 'EXCEPTION' },
  ]) {
    const setting = { step: 'mobile', isAgain: false } as const
    const answers = [true, false].map(isCancelledHere =>
      siteAnswer({ ...setting, isCancelledHere }, [parseResult(result)], schemes),
    )
    assert.equal(answers[0], answers[1])
  }
})

Answer('the step of two logins is done after the second login', () => {
  const login = (isAgain: boolean, value: string) =>
    siteAnswer(
      { step: 'twice', isAgain, isCancelledHere: false },
      [parseResult({ ...DONE, disclosed: over18(value) })],
      schemes,
    )
  const facts = [login(false, 'yes'), login(true, 'yes'), login(false, 'no'), login(true, 'no')]
  assert.equal(
    facts.map(({ isAccepted, canRepeat, isDone }) => [isAccepted, canRepeat, isDone]),
    [
      [true, true, false],
      [true, false, true],
      [false, false, false],
      [false, false, false],
    ],
  )
})

Answer('a revoked permit is not accepted, and the site does not learn the reason', () => {
  const after = (result: object, isCancelledHere = false) =>
    siteAnswer({ step: 'revoked', isAgain: true, isCancelledHere }, [parseResult(result)], schemes)
  const refused = after({ status: 'CANCELLED' })
  assert.equal([refused.isAccepted, refused.isDone, refused.canRevoke], [false, true, false])
  assert.match(refused.text, 'The site is not told why')
  assert.equal([refused.seen, refused.issued], [[], []])
  const another = after({ ...DONE, disclosed: PERMIT_SHOWN })
  assert.equal([another.isAccepted, another.isDone, another.canRevoke], [true, false, false])
  for (const result of [{ status: 'TIMEOUT' }, { status: 'CANCELLED', error: 'EXCEPTION' }])
    assert.not(after(result).isDone)
  assert.not(after({ status: 'CANCELLED' }, true).isDone, 'the site ended it')
})

Answer('results are shown as received, without requestor tokens, which stay at the site', () => {
  const told = { status: 'DONE', type: 'disclosing', proofStatus: 'VALID', disclosed: over18('yes') }
  const { results } = answerTo('chain', { token: 'secret', ...told, nextSession: 'secret' })
  assert.is(JSON.stringify(results), JSON.stringify([told]))
})

Answer('a value that is no session result is refused', () => {
  for (const json of [null, [], {}, { status: 'OPEN' }, { status: 'DONE', disclosed: 'all' }])
    assert.throws(
      () => parseResult(json),
      (error: unknown) => error instanceof MalformedInputError,
    )
})

Answer.run()
