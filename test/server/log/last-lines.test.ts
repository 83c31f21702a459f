/** The log of a process that ends while lines are still buffered. @module */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'

const PROGRAM = fileURLToPath(new URL(`./program${import.meta.url.slice(-3)}`, import.meta.url))

/** @returns its exit code and the lines on standard error */
function end(how: string, form = 'text') {
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, how, form], { encoding: 'utf8' })
  return { code: status, lines: stderr.split('\n') }
}

const Last = suite('the last lines of a log')

for (const [how, code] of [
  ['by itself', 0],
  ['by process.exit', 3],
  ['by an uncaught error', 1],
  ['by an unhandled rejection', 1],
  ['by SIGTERM', 0],
] as const)
  Last(`a process that ends ${how} has written its last lines`, () => {
    const ended = end(how)
    assert.is(ended.code, code)
    assert.ok(ended.lines.some(line => /^\S+ INFO the last line number=1$/.test(line)))
  })

Last('a process that gets SIGTERM writes whole lines, up to the last one', () => {
  const lines = end('by SIGTERM', 'json').lines.filter(line => line !== '')
  assert.equal(
    lines.map(line => JSON.parse(line).msg),
    ['the last line', 'program stopping', 'closed', 'program stopped'],
  )
})

Last.run()
