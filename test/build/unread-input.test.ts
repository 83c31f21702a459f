/** Input that a program does not read fails no test. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as assert from 'uvu/assert'
import { endProcess } from '../end-process.ts'
import { suite } from '../suite.ts'
import { allowUnreadInput } from '../unread-input.ts'

const Input = suite('the input of a program')

Input('a program that closes its input unread gets EPIPE, which does not end the tests', async () => {
  const child = spawn('sh', ['-c', 'exec <&-; echo closed; exec sleep 600'])
  await once(child.stdout, 'data')
  allowUnreadInput(child)
  const error = await new Promise<unknown>(resolve => child.stdin.write('x', resolve))
  assert.is(Object(error).code, 'EPIPE')
  await endProcess(child, 'SIGKILL')
})

Input.run()
