/** `npm test` and `npm run test:...`: prints the expected duration of a part of the tests, compiles, checks formatting and lint meanwhile, and runs the part. The
 *  compiler checks the types. With words, it compiles and runs the test files of all parts whose paths contain one of them. `test/parts.json` lists the parts. @module */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

const [part, ...words] = process.argv.slice(2)
const parts = JSON.parse(readFileSync('test/parts.json', 'utf8'))

/** @returns "expected: 110 s on two quiet cores" */
function expectation() {
  const names = part === 'all' ? Object.keys(parts) : [part]
  const seconds = names.reduce((sum, name) => sum + parts[name].seconds, 0)
  return `expected: ${seconds} s on two quiet cores`
}

/** @returns the status with which the command ends; 130 after Ctrl-C */
async function statusOf(command, args) {
  const [status, signal] = await once(spawn(command, args, { stdio: 'inherit' }), 'close')
  return status ?? (signal === 'SIGINT' ? 130 : 1)
}

/** Runs all commands at once, and ends this program when one of them fails. */
async function run(...commands) {
  const statuses = await Promise.all(commands.map(([command, ...args]) => statusOf(command, args)))
  const failure = statuses.find(status => status !== 0)
  if (failure !== undefined) process.exit(failure)
}

const compile = ['npm', 'run', '-s', 'build']
if (words.length === 0) {
  console.log(expectation())
  await run(compile, ['npm', 'run', '-s', 'lint'])
} else {
  console.log(`compiles, and then runs the test files that match: ${words.join(' ')}`)
  await run(compile)
}
await run([process.execPath, 'dist/test/run.js', ...(part === 'all' ? [] : ['--part', part]), ...words])
