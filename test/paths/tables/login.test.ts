/** The keyshare login chart says what its table says: no edge more, none fewer, none that leads elsewhere, and none with other effects or other ends. @module */
import * as assert from 'uvu/assert'
import { LOGIN_EFFECTS } from '../../../machines/keyshare-login.ts'
import { suite } from '../../suite.ts'
import { LOGIN, LOGIN_STATES } from './login.ts'
import { loginEdges } from './read-login.ts'
import { differences } from './rows.ts'

const edges = loginEdges()
const Table = suite('keyshare login chart: its table in the specification')

Table('the states are those of the table, no more and no fewer', () => {
  assert.equal([...new Set(edges.map(({ from }) => from))].sort(), [...LOGIN_STATES].sort())
})

Table('the edges are those of the table: triggers, targets, effects and ends', () => {
  assert.equal(differences(LOGIN, edges), [])
})

Table('each timer that is started is the time that is left until its end', () => {
  assert.ok(edges.every(({ isTimedRightly }) => isTimedRightly))
})

Table('what is refused changes nothing', () => {
  const refused = edges.filter(({ to }) => to === null)
  assert.ok(refused.length > 1_000)
  for (const { from, after } of refused) assert.is(after, from)
})

Table('a comparison that was never reserved has no outcome', () => {
  const foreign = edges.filter(({ trigger }) => trigger.includes('of another attempt'))
  assert.ok(foreign.length > 500)
  assert.ok(foreign.every(({ to }) => to === null))
})

Table('while an account is blocked no PIN is compared and no challenge is taken', () => {
  const inBlock = edges.filter(({ trigger }) => trigger.endsWith('in the block'))
  const attempts = inBlock.filter(({ trigger }) => !trigger.startsWith('app.triedWhileBlocked'))
  assert.ok(attempts.length > 100)
  assert.ok(attempts.every(({ to }) => to === null))
})

Table('every effect that the chart may name stands in a row', () => {
  const named = LOGIN.flatMap(([, , , , effects]) => (effects === '-' ? [] : effects.split(' ')))
  assert.equal([...new Set(named)].sort(), [...LOGIN_EFFECTS].sort())
})

Table.run()
