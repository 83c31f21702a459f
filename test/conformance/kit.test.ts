/** The rows that are visible from outside, tried in this process at a server of this project. Each row is a test, and `docs/conformance.md` shows its outcome. */
import { createService } from '../../libraries/conformance/service.ts'
import type { Trial } from '../../libraries/conformance/trials/trial.ts'
import { ROW_TRIALS } from '../../libraries/conformance/trials/trials.ts'
import { suite } from '../suite.ts'
import { OF_SIGNED } from './trials/rows-of-requestors.ts'
import { startTarget } from './trials/target.ts'

const { target, as, close } = await startTarget('svc', 'token')
const byToken = createService(target)
const bySignature = createService(as('signed'))
const Kit = suite('svc conformance, every row')

/** Some rows have the same trial. It runs once. */
const tried = new Map<Trial, Promise<void>>()

for (const { id, trial } of ROW_TRIALS)
  Kit(id, () => {
    const outcome = tried.get(trial) ?? trial(OF_SIGNED.includes(id) ? bySignature : byToken)
    tried.set(trial, outcome)
    return outcome
  })

Kit.after(close)
Kit.run()
