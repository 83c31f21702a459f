/** The committed output of `npm run docs` equals its current output. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { LAYOUTS } from '../../charts/layouts/all-layouts.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { ALL_CHARTS, layoutFile, pagesOf } from './generated.ts'
import { layOut } from './lay-out.ts'

const Drift = suite('charts: the generated files are up to date (npm run docs)')

for (const chart of ALL_CHARTS) {
  Drift(`${layoutFile(chart)} equals the current layout of the chart`, async () => {
    assert.equal(LAYOUTS[chart.name], await layOut(chart))
  })

  for (const [file, text] of pagesOf(chart, LAYOUTS[chart.name]))
    Drift(`${file} equals the output for the current chart`, () => {
      assert.is(readFileSync(join(PROJECT, file), 'utf8'), text)
    })
}

Drift.run()
