/** The meaning of a Redis server's answers: to a transaction, to a read, and refusals. No error quotes the command. @module */
import { ErrorReply } from '@redis/client'
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { Keys } from '../../../stores/redis/keys.ts'
import { idsIn, pairsIn, RedisPart, textsIn } from '../../../stores/redis/part.ts'
import { codeOf, failureOf } from '../../../stores/redis/redis-errors.ts'
import { Replicas } from '../../../stores/redis/replicas.ts'
import { outcomeOf } from '../../../stores/redis/transaction.ts'
import { StoreError, StoreUnreachableError } from '../../../stores/store-error.ts'
import { suite } from '../../suite.ts'

const PLAIN = '"redis://h"'
const TLS = '"rediss://h"'

const Answers = suite('answers of a Redis server')

Answers('the answer to a transaction is one of four outcomes; any other answer is an error', () => {
  assert.equal([0, 1, 2, 3].map(outcomeOf), ['lost', 'committed', 'exists', 'fenced'])
  for (const answer of [4, -1, '1', null, [1]])
    assert.throws(() => outcomeOf(answer), /expected one of its outcomes, got another answer/)
})

Answers('an answer that is no list is read as an empty list, and an item that is no text as null', () => {
  for (const answer of [null, 'text', 1]) {
    assert.equal([textsIn(answer), idsIn(answer), pairsIn(answer)], [[], [], []])
  }
  assert.equal([textsIn(['a', null, 1]), idsIn(['a', null, 1])], [['a', null, null], ['a']])
})

Answers('each new entry gets a whole number of its own', () => {
  const clock = { now: () => 1.0004 }
  const connection = { ask: async () => null }
  const replicas = new Replicas({ connection, wanted: 0, touch: [], failed() {}, name: 'redis' })
  const part = new RedisPart({ keys: new Keys('', 0), connection, replicas, clock })
  assert.equal([part.nextNumber(), part.nextNumber()], ['1000', '1001'])
  assert.is(new RedisPart({ keys: part.keys, connection, replicas, clock: createSimulatedClock(9) }).now(), 9)
})

const REMEDIES: Readonly<Record<string, string>> = {
  'OOM command not allowed': 'give the server more memory',
  'LOADING Redis is loading': 'wait until the server has read its data',
  "READONLY You can't write": 'name the primary server',
  'MASTERDOWN Link with MASTER is down': 'name the primary server',
  'NOREPLICAS Not enough good replicas': 'see that the replicas run',
  'MISCONF Redis is configured to save': 'see that the server can write its disk',
  'NOAUTH Authentication required': 'see that user and password are right',
  'WRONGPASS invalid username-password pair': 'see that user and password are right',
  'NOPERM this user has no permissions': 'let this user run the commands',
  'BUSY Redis is busy running a script': 'look for the script that keeps the server busy',
  'MOVED 1 127.0.0.1:1': 'name a server that is no node of a cluster',
  "CROSSSLOT Keys in request don't hash": 'name a server that is no node of a cluster',
  'ERR something else': 'look at the log of the server',
  'no word of the server': 'look at the log of the server',
}

for (const [message, remedy] of Object.entries(REMEDIES))
  Answers(`the error for a refusal has a remedy: ${message}`, () => {
    const failure = failureOf(PLAIN, new ErrorReply(message))
    assert.instance(failure, StoreError)
    const shown = JSON.stringify(message)
    const begin = `store ${PLAIN}: expected to read and write the server, got ${shown}: ${remedy}`
    assert.ok(failure.message.startsWith(begin), failure.message)
  })

for (const message of [
  'ERR string exceeds maximum allowed size (proto-max-bulk-len)',
  'ERR Protocol error: invalid bulk length',
  'ERR Protocol error: too big mbulk count string',
  'WRONGTYPE Operation against a key holding the wrong kind of value',
])
  Answers(`a commit that the server can never accept is no failure of the store: ${message}`, () => {
    const failure = failureOf(PLAIN, new ErrorReply(message))
    assert.is(failure instanceof StoreError, false)
    assert.is(failure.message, `store ${PLAIN}: expected a row that can be stored, got "${message}"`)
  })

Answers(
  'a start waits for a server that is not ready yet, but not if an operator must correct something',
  () => {
    const answers = Object.keys(REMEDIES).map(message => new ErrorReply(message))
    const full = new ErrorReply('ERR max number of clients reached')
    const words = [new Error('connect ECONNREFUSED'), new Error('self-signed certificate')]
    const waited = [...answers, full, ...words].filter(
      error => failureOf(PLAIN, error) instanceof StoreUnreachableError,
    )
    assert.equal(
      waited.map(({ message }) => message.split(' ').slice(0, 3).join(' ')),
      ['LOADING Redis is', 'MASTERDOWN Link with', 'BUSY Redis is', 'ERR max number', 'connect ECONNREFUSED'],
    )
  },
)

Answers('an error of the connection does not count as an answer of the server', () => {
  const failure = failureOf(PLAIN, new Error('OOM of this machine'))
  assert.match(failure.message, 'got "OOM of this machine": see that the server runs')
  assert.equal([codeOf(new Error('NOSCRIPT')), codeOf(new ErrorReply('NOSCRIPT No'))], ['', 'NOSCRIPT'])
})

Answers('an answer that quotes the command is shown without the quotation', () => {
  for (const message of [
    'ERR Error running script: @user_script: secret',
    "NOPERM no, with args beginning with: 'secret'",
  ])
    assert.not.match(failureOf(PLAIN, new ErrorReply(message)).message, 'secret')
})

Answers('an error without a message is shown by its class, and null as "no error"', () => {
  assert.match(failureOf(PLAIN, new AggregateError([])).message, 'got "AggregateError"')
  assert.match(failureOf(PLAIN, null).message, 'got "no error"')
  const known = new StoreError('known')
  assert.is(failureOf(PLAIN, known), known)
})

Answers('an untrusted certificate has its own remedy, and so has a server without TLS', () => {
  for (const words of [
    'unable to verify the first certificate',
    'SSL alert',
    'bad TLS',
    "Host: altnames: 'a'",
  ])
    assert.match(failureOf(TLS, new Error(words)).message, 'with a certificate that is trusted here')
  assert.match(failureOf(TLS, new Error('self-signed')).message, 'with a certificate that is trusted here')
  assert.match(failureOf(TLS, new Error('gone')).message, 'reaches it by TLS; if it has no TLS')
  assert.match(
    failureOf(PLAIN, new Error('gone')).message,
    'reaches it without TLS, because the address begins with redis://',
  )
})

Answers.run()
