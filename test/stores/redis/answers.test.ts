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

Answers('a transaction has one of its outcomes, and any other answer is an error', () => {
  assert.equal([0, 1, 2, 3].map(outcomeOf), ['lost', 'committed', 'exists', 'fenced'])
  for (const answer of [4, -1, '1', null, [1]])
    assert.throws(() => outcomeOf(answer), /expected one of its outcomes, got another answer/)
})

Answers('what is no list is read as an empty one, and what is no text as none', () => {
  for (const answer of [null, 'text', 1]) {
    assert.equal([textsIn(answer), idsIn(answer), pairsIn(answer)], [[], [], []])
  }
  assert.equal([textsIn(['a', null, 1]), idsIn(['a', null, 1])], [['a', null, null], ['a']])
})

Answers('what is new has a whole number that was given to nothing else', () => {
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
  Answers(`a refusal comes with what can be done about it: ${message}`, () => {
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
  Answers(`a commit that the server never takes is no failure of the store: ${message}`, () => {
    const failure = failureOf(PLAIN, new ErrorReply(message))
    assert.is(failure instanceof StoreError, false)
    assert.is(failure.message, `store ${PLAIN}: expected a row that can be stored, got "${message}"`)
  })

Answers(
  'a start waits for a server that serves no node yet, and for nothing that an operator must mend',
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

Answers('what the connection itself says is no word of the server', () => {
  const failure = failureOf(PLAIN, new Error('OOM of this machine'))
  assert.match(failure.message, 'got "OOM of this machine": see that the server runs')
  assert.equal([codeOf(new Error('NOSCRIPT')), codeOf(new ErrorReply('NOSCRIPT No'))], ['', 'NOSCRIPT'])
})

Answers('an answer that quotes what it was sent is shown without that', () => {
  for (const message of [
    'ERR Error running script: @user_script: secret',
    "NOPERM no, with args beginning with: 'secret'",
  ])
    assert.not.match(failureOf(PLAIN, new ErrorReply(message)).message, 'secret')
})

Answers('an error without words is shown by its kind, and what is none as none', () => {
  assert.match(failureOf(PLAIN, new AggregateError([])).message, 'got "AggregateError"')
  assert.match(failureOf(PLAIN, null).message, 'got "no error"')
  const known = new StoreError('known')
  assert.is(failureOf(PLAIN, known), known)
})

Answers('a certificate that is not trusted has a remedy of its own, and so has a server without TLS', () => {
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
