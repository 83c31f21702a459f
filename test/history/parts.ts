/** Parts of histories that several handmade ones share, and the assertions about a pair of them. @module */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { judge } from './checker.ts'
import type { History, Said } from './lines.ts'
import { call, connects, ok, session, submits } from './made.ts'

/** A right history, and a history with a single fault. */
export type Pair = { readonly right: History; readonly wrong: History; readonly says: RegExp }

export const deletes = (from: number, to: number) => call([from, to], 'requestor', { name: 'delete' }, ok())
export const pairs = (from: number, to: number, answer = { ...ok(), status: 204 }) =>
  call([from, to], 'frontend', { name: 'pairingcompleted' }, answer)
export const chooses = (from: number, to: number, method: 'none' | 'pin') =>
  call([from, to], 'frontend', { name: 'options', method }, ok({ method }))
export const result = (from: number, to: number, says: Said) =>
  call([from, to], 'requestor', { name: 'result' }, ok(says))
export const done = [session(), connects([10, 20]), submits([30, 50])]
export const notDone = [session(), connects([10, 20])]
export const owing = [session({ hasCallback: true }), connects([10, 20]), submits([30, 50])]
export const chained = [session({ hasNextSession: true }), connects([10, 20])]
export const pointed = (next: string) => ok({ proofStatus: 'VALID', next }, 'judged')
export const pairing = [session(), chooses(2, 3, 'pin'), connects([10, 20], ok({ isPairing: true }))]
export const paired = [...pairing, pairs(30, 40), submits([50, 60])]
export const NO_ORDER = /no order explains it/

/** Runs a suite of pairs: the checker finds nothing in the right history, and one violation in the wrong one. */
export function runPairs(name: string, pairs: Readonly<Record<string, Pair>>): void {
  const Pairs = suite(name)
  for (const [title, { right, wrong, says }] of Object.entries(pairs))
    Pairs(title, () => {
      assert.equal(judge(right).violations, [])
      const { violations } = judge(wrong)
      assert.is(violations.length, 1, violations.join('; '))
      assert.match(violations[0] ?? '', says)
    })
  Pairs.run()
}
