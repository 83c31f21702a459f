/** The log lines about a revocation server that cannot be reached. */
import * as assert from 'uvu/assert'
import { FollowError, type FollowRequest } from '../../../actors/revocation/follower.ts'
import { OutgoingError } from '../../../ports/outgoing.ts'
import { revocationLog } from '../../../server/log/revocation-log.ts'
import { suite } from '../../suite.ts'

const TYPE = 'svc-demo.fast.badge'
const SERVER = 'https://authority.example/a-secret/svc'
const NO_USE =
  'a revocation server gave no usable answer: earlier updates stay in use; check that it runs, and that this machine reaches it'

function opened() {
  const lines: unknown[] = []
  const note = (facts: object, text = ''): void => void lines.push({ ...facts, text })
  const log = revocationLog({ info: note, warn: note, error: note })
  const fail = (code: string | null, asked: FollowRequest = 'updates'): void =>
    log.report(TYPE, new FollowError(asked, SERVER, new OutgoingError('expected an answer, got none', code)))
  return { ...log, lines, fail }
}

function failing(reason: string, asked: FollowRequest = 'updates') {
  return { type: TYPE, asked, server: 'https://authority.example', reason, text: NO_USE }
}

const Lines = suite('the log of a revocation server that fails')

Lines('each cause has one line, with the address of the server without its path', () => {
  const { lines, fail } = opened()
  for (const code of ['ECONNREFUSED', 'ECONNREFUSED', null, 'ECONNREFUSED', null]) fail(code)
  const reason = 'expected an answer, got none'
  assert.equal(lines, [failing(`${reason} (ECONNREFUSED)`), failing(reason)])
  fail(null, 'stream')
  assert.equal(lines.slice(2), [failing(reason, 'stream')])
})

Lines('a server that fails with another cause each time has at most 20 lines', () => {
  const { lines, fail } = opened()
  for (let i = 0; i < 30; i++) fail(`CODE ${i}`)
  assert.is(lines.length, 20)
})

Lines('the first usable answer of a server is logged once, and a later failure is logged again', () => {
  const { lines, fail, worked } = opened()
  worked(TYPE, 'updates')
  assert.equal(lines, [])
  fail(null)
  worked(TYPE, 'stream')
  worked(TYPE, 'updates')
  worked(TYPE, 'updates')
  assert.equal(lines.slice(1), [
    { type: TYPE, asked: 'updates', text: 'the revocation server gives usable answers again' },
  ])
  fail(null)
  assert.is(lines.length, 3)
})

Lines.run()
