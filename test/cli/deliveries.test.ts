/** `svc deliveries` on the store of a running server. @module */

import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { deliveryLog } from '../../server/log/delivery-log.ts'
import { openStore } from '../../stores/open.ts'
import { commitSession } from '../stores/commits.ts'
import { owedRow, sessionRow } from '../stores/rows.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { runSvc } from './run-svc.ts'

const file = join(temporaryFolder(), 'sessions.sqlite')
const store = await openStore(`sqlite:${file}`, 'boot A') // open, as in a running server
const message = JSON.stringify({ url: 'https://shop.example/secret', requestorToken: 'secret' })
const dueAt = Date.UTC(2040, 0, 1)
const facts = { message, owedAt: dueAt - 5, giveUpAt: dueAt + 5 }
const waiting = owedRow('callback-1', { ...facts, dueAt, attempts: 3, lastOutcome: 'answered 500' })
const delivered = owedRow('callback-2', { ...facts, dueAt, state: 'delivered', message: null })
const once = owedRow('callback-3', { ...facts, dueAt, attempts: 1, state: 'delivered', message: null })
await commitSession(store, 'id-s', 0, sessionRow('s'), { owed: [waiting, delivered, once] })

const run = (...words: readonly string[]) => runSvc(['deliveries', ...words, '--store', `sqlite:${file}`])

const Command = suite('svc deliveries')
Command.after(() => store.close())

Command('list prints a line for each delivery, with its last outcome and without secrets', async () => {
  const { code, stdout } = await run('list')
  assert.is(code, 0)
  assert.equal(stdout.trimEnd().split('\n'), [
    'callback-1 waiting (DONE) shop.example: 3 attempts, last: answered 500, next at 2040-01-01T00:00:00.000Z',
    'callback-2 delivered (DONE) shop.example: 0 attempts',
    'callback-3 delivered (DONE) shop.example: 1 attempt',
  ])
})

Command('the log of the server has the host, the outcome and the time of the next attempt', () => {
  const said: unknown[] = []
  const note = (...words: readonly unknown[]) => void said.push(words)
  const { notify: tell } = deliveryLog({ info: note, warn: note, error: note })
  const rest = { session: 'id-s', host: 'shop.example', attempts: 3, outcome: 'answered 500' }
  tell(waiting)
  tell({ ...waiting, state: 'givenUp' })
  assert.equal(said, [
    [
      { delivery: 'callback-1', ...rest, nextAttemptAt: '2040-01-01T00:00:00.000Z' },
      'callback not delivered yet',
    ],
    [{ delivery: 'callback-1', ...rest }, 'callback given up'],
  ])
})

Command('for a mail, the log names its kind and its account', () => {
  const said: unknown[] = []
  const note = (...words: readonly unknown[]) => void said.push(words)
  const { notify: tell } = deliveryLog({ info: note, warn: note, error: note })
  const mail = owedRow('mail-1', { cause: 'login', host: 'mail.example:25', state: 'delivered' })
  tell({ ...mail, attempts: 1, lastOutcome: 'answered 250' })
  const facts = {
    delivery: 'mail-1',
    account: 'id-s',
    host: 'mail.example:25',
    attempts: 1,
    outcome: 'answered 250',
  }
  assert.equal(said, [[facts, 'mail (login) delivered']])
})

Command('show prints all public fields of a delivery, as lines or as JSON', async () => {
  const { stdout } = await run('show', 'callback-1')
  assert.match(stdout, /^id: callback-1\nstate: waiting\nstatus: DONE\nhost: shop\.example\nattempts: 3\n/)
  assert.not.match(stdout, 'secret')
  const json = JSON.parse((await run('show', 'callback-2', '--json')).stdout)
  assert.equal([json.state, json.nextAttemptAt, json.givenUpAfter], ['delivered', null, null])
})

Command('replay makes a waiting delivery due now, also while a server runs', async () => {
  const { code, stdout } = await run('replay', 'callback-1')
  assert.equal([code, stdout], [0, 'callback-1: posted next\n'])
  const moved = await store.deliveries.load('callback-1')
  assert.ok((moved?.dueAt ?? dueAt) <= Date.now())
  assert.equal([moved?.version, moved?.message], [2, message])
})

Command(
  'replay refuses a delivery that has ended; every command refuses an unknown id, and a file that is no store',
  async () => {
    const ended = await run('replay', 'callback-2')
    assert.equal(
      [ended.code, ended.stderr],
      [1, 'svc: delivery callback-2: expected one that waits, got one that is delivered\n'],
    )
    const unknown = await run('show', 'callback-4')
    assert.equal(
      [unknown.code, unknown.stderr],
      [1, 'svc: expected the id of a delivery, got "callback-4"\n'],
    )
    for (const name of ['memory', `sqlite:${file}.none`]) {
      const { code, stderr } = await runSvc(['deliveries', 'list', '--store', name])
      assert.equal(
        [code, stderr],
        [1, `svc: store: expected the SQLite file of a server, got ${JSON.stringify(name)}\n`],
      )
    }
  },
)

Command.run()
