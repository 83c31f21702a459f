/** The translation of errors of PostgreSQL's driver: the party at fault, and the remedy for an operator. @module */
import * as assert from 'uvu/assert'
import { failureOf, gaveNoAnswer, isUndone } from '../../../stores/postgres/postgres-errors.ts'
import { StoreError, StoreUnreachableError } from '../../../stores/store-error.ts'
import { suite } from '../../suite.ts'

function errorOf(code: string, message = 'refused'): Error {
  return Object.assign(new Error(message), { code })
}

/** Remedies by SQLSTATE, or by the code of a failed connection. */
const REMEDIES: Readonly<Record<string, string>> = {
  '08006': 'see that the database runs',
  '57P01': 'see that the database runs',
  ECONNREFUSED: 'see that the database runs',
  '25006': 'name the primary server',
  '28P01': 'see that the user and the password',
  '28000': 'see that the user and the password',
  '3D000': 'create the database',
  '42501': 'let this user create and change tables',
  '53100': 'give the database more',
  '57014': 'look for what keeps the database busy',
  '42P01': 'look at the log of the database',
  XX000: 'look at the log of the database',
  '3F000': 'look at the log of the database',
}

/** Messages of Node and of the driver about a failed connection. */
const OF_TLS = [
  'certificate has expired',
  'The server does not support SSL connections',
  'Client network socket disconnected before secure TLS connection was established',
  'self-signed certificate in certificate chain',
  "Hostname/IP does not match certificate's altnames: Host: db. is not in the cert's altnames: DNS:x",
]

const Errors = suite('errors of PostgreSQL')

for (const [code, remedy] of Object.entries(REMEDIES))
  Errors(`${code} is a failure of the store: ${remedy}`, () => {
    const failure = failureOf('here', errorOf(code))
    assert.instance(failure, StoreError)
    assert.ok(
      failure.message.startsWith(
        `store here: expected to read and write the database, got "refused": ${remedy}`,
      ),
      failure.message,
    )
  })

for (const message of OF_TLS)
  Errors(`a connection that TLS refuses: ${message}`, () =>
    assert.match(failureOf('here', new Error(message)).message, /: see that the database speaks TLS/),
  )

for (const code of ['22003', '22021', '22P05', '23505', '54000'])
  Errors(`${code} is an error of one commit, which is not committed`, () => {
    const failure = failureOf('here', errorOf(code))
    assert.equal([failure instanceof StoreError, isUndone(failure)], [false, true])
    assert.is(failure.message, 'store here: expected a row that can be stored, got "refused"')
  })

Errors('a start waits for an unreachable database, but not if an operator must correct something', () => {
  const answersLater = [
    errorOf('57P03'),
    errorOf('53300'),
    errorOf('08006'),
    errorOf('ECONNREFUSED'),
    errorOf('ENOTFOUND'),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout expired'),
  ]
  const mustBeMended = [
    errorOf('28P01'),
    errorOf('3D000'),
    errorOf('42501'),
    errorOf('53100'),
    ...OF_TLS.map(words => new Error(words)),
    new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'),
  ]
  const isUnreachable = (error: Error): boolean => failureOf('here', error) instanceof StoreUnreachableError
  assert.equal(
    answersLater.filter(error => !isUnreachable(error)),
    [],
  )
  assert.equal(mustBeMended.filter(isUnreachable), [])
  assert.match(
    failureOf('here', new Error('SASL: no password')).message,
    /: see that the user and the password/,
  )
})

Errors(
  'an error without a message is shown by the name of its class, and a thrown text becomes a StoreError',
  () => {
    const failure = failureOf('here', new AggregateError([])) // Node throws this if no address of a host answers
    assert.match(failure.message, /got "AggregateError": see that the database runs/)
    const none = failureOf('here', 'x')
    assert.instance(none, StoreError)
    assert.is(none.message, 'store here: expected an answer, got no error')
  },
)

Errors('a StoreError stays as it is, and so does the TypeError for a value that cannot be bound', () => {
  for (const named of [new StoreError('gone'), new TypeError('no value')])
    assert.is(failureOf('here', named), named)
})

Errors('only an error of a connection or of the whole database counts as "no answer"', () => {
  const answers = [new StoreError('not asked'), new TypeError('no value'), 'x', errorOf('42P01')]
  assert.equal(answers.filter(gaveNoAnswer), [])
  assert.equal([errorOf('ECONNREFUSED'), errorOf('08006')].map(gaveNoAnswer), [true, true])
})

Errors('a commit with an unknown outcome does not count as rolled back', () => {
  const undone = ['40P01', '40001', '57014', '57P01', 'ECONNRESET'].filter(code =>
    isUndone(failureOf('here', errorOf(code))),
  )
  assert.equal([undone, isUndone('x')], [['40P01', '40001', '57014'], false])
})

Errors.run()
