/** `svc chart` as users run it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createMachine } from 'xstate'
import { CHART_NAMES } from '../../charts/chart.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { runSvc } from './run-svc.ts'

const Chart = suite('svc chart')

for (const name of CHART_NAMES)
  Chart(`svc chart ${name} --format svg prints the picture of the docs`, async () => {
    const { code, stdout } = await runSvc(['chart', name, '--format', 'svg'])
    assert.is(code, 0)
    assert.is(stdout, readFileSync(join(PROJECT, `docs/charts/${name}.svg`), 'utf8'))
  })

Chart('without a format the output is Mermaid text', async () => {
  const { code, stdout } = await runSvc(['chart', 'delivery'])
  assert.is(code, 0)
  assert.match(stdout, /^stateDiagram-v2\n {2}\[\*\] --> waiting\n/)
  assert.is((await runSvc(['chart', 'delivery', '--format', 'mermaid'])).stdout, stdout)
})

Chart('as JSON the output is the configuration of a machine', async () => {
  const { code, stdout } = await runSvc(['chart', 'session', '--format', 'json'])
  assert.is(code, 0)
  const { states, id } = createMachine(JSON.parse(stdout))
  assert.is(id, 'session')
  assert.equal(Object.keys(states.CONNECTED?.states ?? {}), ['awaiting', 'checking', 'askingNext', 'signing'])
})

for (const [words, wrong] of [
  [[], "missing required argument 'CHART'"],
  [
    ['mail'],
    "command-argument value 'mail' is invalid for argument 'CHART'. Allowed choices are session, delivery, login",
  ],
  [['login', '--format', 'png'], "argument 'png' is invalid. Allowed choices are mermaid, json, svg"],
] as const)
  Chart(`svc chart ${words.join(' ')} is refused with the words that are allowed`, async () => {
    const { code, stdout, stderr } = await runSvc(['chart', ...words])
    assert.is(code, 255)
    assert.is(stdout, '')
    assert.ok(stderr.includes(wrong), stderr)
    assert.ok(stderr.endsWith('See svc chart --help.\n'), stderr)
  })

Chart.run()
