/** Welch's t, on invented samples. */
import * as assert from 'uvu/assert'
import { welchT } from '../../tools/bench/timing/welch.ts'
import { suite } from '../suite.ts'

const Welch = suite("Welch's t")

Welch('the difference of the means in standard errors, each sample with its own variance', () => {
  // means 2 and 6, variances 1 and 4, of 3 and 3 values: -4 / sqrt(1/3 + 4/3)
  assert.ok(Math.abs(welchT([1, 2, 3], [4, 6, 8]) + 4 / Math.sqrt(5 / 3)) < 1e-12)
  assert.is(welchT([1, 2, 3], [3, 2, 1]), 0)
})

Welch.run()
