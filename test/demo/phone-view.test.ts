/** How the phone tells the end of a session. @module */

import * as assert from 'uvu/assert'
import { endState } from '../../demo/phone-view.ts'
import type { SessionOutcome } from '../../wallet/session.ts'
import { suite } from '../suite.ts'

const End = suite('demo: how a session ends on the phone')
const clientReturnUrl = null

End('a success shows what was shared, a refusal nothing', () => {
  const shared = [{ name: 'Over 18', value: 'yes' }]
  const success: SessionOutcome = { status: 'success', proofStatus: 'VALID', clientReturnUrl }
  assert.equal(endState('shop', success, shared), { screen: 'done', host: 'shop', shared })
  const cancelled: SessionOutcome = { status: 'cancelled', clientReturnUrl }
  assert.equal(endState('shop', cancelled, shared), { screen: 'refused', host: 'shop' })
})

End('a failure is told in words', () => {
  const reasons = [
    { reason: 'pairing-rejected', message: 'x' },
    { reason: 'transport', message: 'x' },
    { reason: 'server-error', message: 'x', remote: { status: 400, type: 'SESSION_UNKNOWN' } },
    { reason: 'server-error', message: 'x', remote: { status: 500, type: 'INTERNAL_ERROR' } },
    { reason: 'not-valid', message: 'x', proofStatus: 'INVALID' },
    { reason: 'malformed-answer', message: 'expected this, got that' },
  ] as const
  assert.equal(
    reasons.map(facts => {
      const state = endState('shop', { status: 'failed', ...facts, clientReturnUrl }, [])
      return state.screen === 'failed' ? state.reason : state.screen
    }),
    [
      'The web shop did not confirm the code.',
      'The session server does not answer.',
      'The session had already ended.',
      'The session server could not go on.',
      'The session server did not accept the proof.',
      'The wallet says: expected this, got that.',
    ],
  )
})

End.run()
