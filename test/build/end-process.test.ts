/** A server that is shared by tests ends before the folders of the tests are removed. */
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { moduleOf } from './fake-run.ts'

const End = suite('the end of shared servers')

/** A server that creates files until its end, which comes 5,000 files after the signal. */
const WRITER =
  "trap 'isEnding=1' TERM; i=0; left=5000; " +
  'until [ $left = 0 ]; do i=$((i + 1)); : > f$((i % 100)); [ -z "$isEnding" ] || left=$((left - 1)); done'

End('a folder in which a server writes until its end is removed, also if the server was paused', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'shared.mjs')
  const lines = [
    "import { existsSync } from 'node:fs'",
    `import { temporaryFolder } from ${JSON.stringify(moduleOf('temporary-folder').href)}`,
    `import { spawnUntilTestsEnd } from ${JSON.stringify(moduleOf('end-process').href)}`,
    `import { until } from ${JSON.stringify(moduleOf('patience').href)}`,
    'const own = temporaryFolder()',
    `const child = spawnUntilTestsEnd(['sh', '-c', ${JSON.stringify(WRITER)}], own, 'SIGTERM')`,
    "await until(() => existsSync(own + '/f1'), 'a file')",
    "if (process.argv[2] === 'paused') child.kill('SIGSTOP')",
    'console.log(own)',
  ]
  writeFileSync(file, lines.join('\n'))
  for (const state of ['running', 'paused']) {
    const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, file, state])
    assert.match(stdout, /^\/.+\n$/, state)
    assert.not(existsSync(stdout.trim()), state)
  }
})

End.run()
