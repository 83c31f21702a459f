/** `.ci/run` with programs in place of npm, Node and pip: its last line is the sum of all runs. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const Ci = suite('.ci/run')

/** @param script of the installed Node, which `.ci/run` starts last */
function ended(script: string): { readonly status: number | null; readonly last: string | undefined } {
  const bin = join(temporaryFolder(), 'bin')
  mkdirSync(bin)
  const programs = {
    npm: '',
    python3: '',
    'apt-get': '',
    npx: 'echo "1 passed, 0 failed, 2 skipped"',
    node: script,
  }
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const env = { PATH: `${bin}:/usr/bin:/bin` }
  const { status, stdout } = spawnSync(join(PROJECT, '.ci/run'), { env, encoding: 'utf8' })
  return { status, last: stdout.trimEnd().split('\n').at(-1) }
}

Ci('the last line has the sum of all runs', () => {
  const script = 'echo "9 passed, 9 failed, 9 skipped"; echo "10 passed, 0 failed, 3 skipped"'
  assert.equal(ended(script), { status: 0, last: '22 passed, 0 failed, 10 skipped' })
})

Ci('a failed run fails the whole program, and the other runs are counted', () => {
  const script = 'echo "10 passed, 1 failed, 0 skipped"; exit 1'
  assert.equal(ended(script), { status: 1, last: '22 passed, 2 failed, 4 skipped' })
})

Ci('a run that prints no counts is a failure', () => {
  assert.equal(ended('echo crash; exit 1'), { status: 1, last: '2 passed, 2 failed, 4 skipped' })
})

Ci.run()
