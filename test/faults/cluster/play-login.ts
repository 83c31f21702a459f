/** Logins of one account at keyshare servers; each call goes to any of them. @module */

import { appJwt, type Device } from '../../accounts/jwts.ts'
import { digestOf } from '../../history/answers.ts'
import type { LoginAnswer, LoginAsked } from '../../history/lines.ts'
import { pause, untilThere } from '../../patience.ts'
import { type App, headersOf, KEY, PIN, registered, WRONG_PIN } from '../keyshare/app.ts'
import type { Servers } from '../keyshare/servers.ts'
import type { Call, Field, Reply } from './field.ts'

export type Account = App & { readonly name: string; readonly device: Device }

/** A block lasts a minute or more: after it the account is no longer used. */
export type LoginOutcome = 'goes on' | 'is blocked'

const WRONG = 0.25
const TWICE = 0.3
const TOKEN_SEC = 180
const PAUSE_MS = 100

export async function newAccount(servers: Servers, name: string): Promise<Account> {
  const app = await registered(servers, true)
  if (app.device === null) throw new Error('expected an account that is bound to a device')
  return { name, userName: app.userName, device: app.device }
}

/** One try. @returns null if its outcome is unknown */
async function ask(field: Field, account: string, asked: LoginAsked, call: Call): Promise<Reply | null> {
  const tried = await field.attempt(call)
  if (tried === null) return null
  const { node, begunAt, reply } = tried
  const answer = reply && answerOf(asked, reply)
  field.record({ what: 'login', account, node, asked, begunAt, endedAt: Date.now(), answer })
  return reply?.status === 503 ? null : reply
}

async function insist(field: Field, account: string, asked: LoginAsked, call: Call): Promise<Reply> {
  const what = `an answer to ${asked.name} of account ${account}`
  return untilThere(
    () => ask(field, account, asked, call),
    what,
    () => pause(PAUSE_MS),
  )
}

function answerOf({ name }: LoginAsked, { status, text }: Reply): LoginAnswer {
  const body = digestOf(text)
  if (status !== 200) return { status, body }
  if (name === 'commitments') return { status, body, P: digestOf(String(JSON.parse(text).c[KEY].P)) }
  if (name !== 'pin') return { status, body }
  const { status: word, message } = JSON.parse(text)
  if (word === 'failure') return { status, body, outcome: 'wrong', number: Number(message) }
  if (word === 'error') return { status, body, outcome: 'blocked', number: Number(message) }
  return { status, body, outcome: 'right' }
}

function post(path: string, body: object | number, headers: Call['headers'] = {}): Call {
  return { method: 'POST', path, headers, body: JSON.stringify(body) }
}

/** A challenge, and an attempt at the PIN. After a right PIN a commitment and its response, which may be requested twice at once. */
export async function playLogin(field: Field, account: Account): Promise<LoginOutcome> {
  const isRight = field.random() >= WRONG
  const token = await attempt(field, account, isRight)
  if (token === 'blocked') return 'is blocked'
  if (token === null) return 'goes on'
  const headers = headersOf(account, token)
  const committed = await insist(
    field,
    account.name,
    { name: 'commitments' },
    post('/prove/getCommitments', [KEY], headers),
  )
  if (committed.status !== 200)
    throw new Error(`getCommitments: expected 200, got ${committed.status} ${committed.text}`)
  const respond = (challenge: number) =>
    ask(field, account.name, { name: 'response' }, post('/prove/getResponse', challenge, headers))
  await Promise.all(field.random() < TWICE ? [respond(11), respond(12)] : [respond(11)])
  return 'goes on'
}

/** @returns the token; null if there is none, and another attempt may follow */
async function attempt(field: Field, account: Account, isRight: boolean): Promise<string | 'blocked' | null> {
  const { name, userName: id, device } = account
  const exp = Math.floor(Date.now() / 1_000) + TOKEN_SEC
  const begun = { auth_request_jwt: await appJwt({ id, exp }, device) }
  const started = await insist(field, name, { name: 'start' }, post('/users/verify_start', begun))
  if (started.status !== 200) throw new Error(`verify_start: expected 200, got ${started.status}`)
  const { challenge } = JSON.parse(started.text)
  const pin = isRight ? PIN : WRONG_PIN
  const response = { auth_response_jwt: await appJwt({ id, challenge, pin }, device) }
  const asked = { name: 'pin', isRight, challenge: digestOf(challenge) } as const
  const reply = await insist(field, name, asked, post('/users/verify/pin_challengeresponse', response))
  if (reply.status !== 200) return null // its challenge was consumed by a try whose answer was lost
  const { status, message } = JSON.parse(reply.text)
  if (status === 'error') return 'blocked'
  return status === 'failure' ? null : message
}
