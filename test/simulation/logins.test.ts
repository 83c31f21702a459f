import * as assert from 'uvu/assert'
import { numberGiven } from '../number-given.ts'
import { suite, tellAtEnd } from '../suite.ts'
import { LOGIN_STEPS } from './login-plan.ts'
import { planOf } from './plan.ts'
import { reportOf } from './report.ts'
import { simulate } from './simulate.ts'

/** `SEEDS=200 node dist/test/simulation/logins.test.js` plays that many seeds, `SEED=...` starts with that one; `SHRINK=no` prints a failing script without shortening it. */
const [SEEDS, SEED, ACCOUNTS] = [
  numberGiven('SEEDS', 20),
  numberGiven('SEED', 1, 0),
  numberGiven('ACCOUNTS', 4),
]
const { SHRINK } = process.env

const Logins = suite('simulation of keyshare servers')

Logins('every law of an account holds under all simulated faults', async () => {
  const total: Record<string, number> = {}
  for (let seed = SEED; seed < SEED + SEEDS; seed++) {
    const plan = planOf(seed, 0, ACCOUNTS)
    const simulated = await simulate(plan)
    for (const [what, number] of Object.entries(simulated.counts)) total[what] = (total[what] ?? 0) + number
    if (simulated.violations.length > 0)
      throw new Error(`SEED=${seed} ACCOUNTS=${ACCOUNTS}: ${await reportOf(plan, SHRINK !== 'no')}`)
  }
  tellAtEnd(`simulated logins: ${JSON.stringify(total)}`)
})

Logins('every expected answer to an app occurs in three seeds', async () => {
  const said = new Set<string>()
  for (const seed of [1, 2, 3]) {
    const { history } = await simulate(planOf(seed, 0, 4))
    for (const line of history)
      if (line.what === 'login')
        said.add(`${line.asked.name} ${line.answer?.outcome ?? line.answer?.error ?? line.answer?.status}`)
  }
  const expected = ['right', 'wrong', 'blocked'].flatMap(outcome => [`pin ${outcome}`, `change ${outcome}`])
  const others = [
    'commitments 200',
    'commitments INVALID_REQUEST',
    'response 200',
    'response MISSING_COMMITMENT',
  ]
  for (const one of [...expected, ...others, 'delete 200', 'start USER_NOT_REGISTERED'])
    assert.ok(said.has(one), `expected ${one} among ${[...said].sort().join(', ')}`)
})

Logins('the same seed makes the same history', async () => {
  const [first, second] = [await simulate(planOf(5, 5, 3)), await simulate(planOf(5, 5, 3))]
  assert.is(JSON.stringify(first.history), JSON.stringify(second.history))
  assert.is(first.events, second.events)
})

Logins('the plans of 50 seeds contain every step of a login', () => {
  const plans = Array.from({ length: 50 }, (_, seed) => planOf(seed, 0, 4))
  const steps = new Set(plans.flatMap(({ logins }) => logins.flatMap(each => each.steps)))
  assert.is(steps.size, LOGIN_STEPS.length)
})

Logins.run()
