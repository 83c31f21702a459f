/** The keyshare login chart equals its table: the same edges, targets, effects and deadlines. @module */
import * as assert from 'uvu/assert'
import { LOGIN_EFFECTS } from '../../../machines/keyshare-login.ts'
import { suite } from '../../suite.ts'
import { LOGIN, LOGIN_BEGINS, LOGIN_STATES } from './login.ts'
import { loginBeginnings, loginEdges } from './read-login.ts'
import { testTable } from './same-tests.ts'

const edges = loginEdges()
const Table = suite('keyshare login chart: its table in the specification')

testTable(Table, {
  states: LOGIN_STATES,
  begins: LOGIN_BEGINS,
  rows: LOGIN,
  edges,
  atLeast: 1_000,
  begun: loginBeginnings(),
})

Table('an attempt that was never reserved has no outcome', () => {
  const foreign = edges.filter(({ trigger }) => trigger.includes('of another attempt'))
  assert.ok(foreign.length > 500)
  assert.ok(foreign.every(({ to }) => to === null))
})

Table('while an account is blocked no PIN is compared and no challenge is used up', () => {
  const inBlock = edges.filter(({ trigger }) => trigger.endsWith('in the block'))
  const attempts = inBlock.filter(({ trigger }) => !trigger.startsWith('app.triedWhileBlocked'))
  assert.ok(attempts.length > 100)
  assert.ok(attempts.every(({ to }) => to === null))
})

Table('the table contains every effect of the chart', () => {
  const named = LOGIN.flatMap(([, , , , effects]) => (effects === '-' ? [] : effects.split(' ')))
  assert.equal([...new Set(named)].sort(), [...LOGIN_EFFECTS].sort())
})

Table.run()
