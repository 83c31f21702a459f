/** Only well-formed tokens are looked up. */
import type { Context } from 'koa'
import * as assert from 'uvu/assert'
import type { Sessions } from '../../actors/sessions.ts'
import { findByClientToken, findByRequestorToken } from '../../http/find-session.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'

const Find = suite('the session of a path')

/** @returns the number of lookups; every lookup finds no session */
async function looked(token: unknown): Promise<number> {
  let asked = 0
  const nobody = async (): Promise<null> => {
    asked += 1
    return null
  }
  const sessions = { findByClientToken: nobody, findByRequestorToken: nobody } as object as Sessions
  const ctx = { params: { clientToken: token, requestorToken: token } } as object as Context
  const errors = [
    await rejection(findByClientToken(ctx, { sessions })),
    await rejection(findByRequestorToken(ctx, { sessions })),
  ]
  assert.ok(errors.every(error => error.startsWith('SessionUnknownError')))
  return asked
}

Find('a token of 20 letters and digits is looked up', async () => {
  assert.is(await looked('aB3'.repeat(7).slice(1)), 2)
})

Find('any other text is an unknown session, without a lookup (spec/decisions#d2)', async () => {
  for (const token of [
    '',
    'a'.repeat(19),
    'a'.repeat(21),
    `${'a'.repeat(19)}.`,
    `${'a'.repeat(20)}\n`,
    undefined,
  ])
    assert.is(await looked(token), 0, String(token))
})

Find.run()
