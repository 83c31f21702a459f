import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { numberGiven, seedGiven } from '../number-given.ts'
import { suite } from '../suite.ts'
import { metIn } from './met.ts'
import { play, scripts, shownScript } from './script.ts'

/** `SCRIPTS=10000 node dist/test/interleavings/interleavings.test.js` plays that many scripts, `SEED=...` repeats a run; `SHRINK=no` prints a failing script
 *  without shortening it. */
const [SCRIPTS, SEED] = [numberGiven('SCRIPTS', 250), seedGiven('SEED', 2 ** 31)]
const { SHRINK } = process.env

const Interleavings = suite('random interleavings of two nodes and all their callers')

/** How often each situation was reached. */
const met = new Map<string, number>()

Interleavings('every law of a session holds during concurrent events and faults', async () => {
  const property = fc.asyncProperty(scripts, async script => {
    for (const what of metIn(await play(script))) met.set(what, (met.get(what) ?? 0) + 1)
  })
  const outcome = await fc.check(property, {
    numRuns: SCRIPTS,
    seed: SEED,
    endOnFailure: SHRINK === 'no',
  })
  const [script] = outcome.counterexample ?? []
  if (!script) return
  const { errorInstance: cause } = outcome
  const why = cause instanceof Error ? cause.message : String(cause)
  throw new Error(`SEED=${SEED} SCRIPTS=${SCRIPTS}: ${why}, in the script\n${shownScript(script)}`, {
    cause,
  })
})

Interleavings('the scripts reach every change of status, and every end of a claim', () => {
  const every = [
    'INITIALIZED > PAIRING',
    'INITIALIZED > CONNECTED',
    'INITIALIZED > CANCELLED',
    'INITIALIZED > TIMEOUT',
    'PAIRING > CONNECTED',
    'PAIRING > CANCELLED',
    'PAIRING > TIMEOUT',
    'CONNECTED > DONE',
    'CONNECTED > CANCELLED',
    'CONNECTED > TIMEOUT',
    'a claim that ends without an outcome',
    'the same answer at both nodes',
    'a session that follows',
    'work of a process that is killed',
    'a callback that is posted twice',
  ]
  const rare = every.filter(what => !met.has(what))
  if (SCRIPTS >= 250) assert.equal(rare, [], JSON.stringify([...met]))
  if (SCRIPTS > 250) console.log(`seed ${SEED}:`, Object.fromEntries(met))
})

Interleavings.run()
