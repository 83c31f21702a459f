/** A server that is shared by tests ends before the folders of the tests are removed. */
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const End = suite('the end of shared servers')

/** @returns the module of test/ that runs beside this one, built or as source */
const moduleOf = (name: string) => new URL(`../${name}${import.meta.url.slice(-3)}`, import.meta.url)

/** Creates files, also for a moment after the signal, as a database does. */
const WRITER =
  "trap 'isEnding=1' TERM; i=0; left=5000; " +
  'until [ $left = 0 ]; do i=$((i + 1)); : > f$((i % 100)); [ -z "$isEnding" ] || left=$((left - 1)); done'

End('a process ends although a server of it writes to its folder, and the folder is removed', async () => {
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
