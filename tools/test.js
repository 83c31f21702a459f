/** `npm test` and `npm run test:...`: prints the expected duration of a part of the tests, compiles, checks formatting and lint, and runs the part. The compiler checks
 *  the types. With words, it compiles and runs the test files of all parts whose paths contain one of them. `test/parts.json` lists the parts. @module */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const [part, ...words] = process.argv.slice(2)
const parts = JSON.parse(readFileSync('test/parts.json', 'utf8'))

/** @returns "expected: 110 s on two quiet cores" */
function expectation() {
  const names = part === 'all' ? Object.keys(parts) : [part]
  const seconds = names.reduce((sum, name) => sum + parts[name].seconds, 0)
  return `expected: ${seconds} s on two quiet cores`
}

function run(command, args) {
  const { status, signal } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? (signal === 'SIGINT' ? 130 : 1))
}

if (words.length === 0) console.log(expectation())
run('npm', ['run', '-s', 'build'])
if (words.length === 0) run('npm', ['run', '-s', 'lint'])
run(process.execPath, ['dist/test/run.js', ...(part === 'all' ? [] : ['--part', part]), ...words])
