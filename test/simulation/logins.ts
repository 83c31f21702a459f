/** The user of a keyshare server in a simulation, with a wallet app whose calls go to any of the servers. Each call is a line of the history. @module */

import { hashOfToken } from '../../stores/token-hash.ts'
import { type Device, forcedJwt, newDevice } from '../accounts/jwts.ts'
import { digestOf } from '../history/answers.ts'
import type { LoginAnswer, LoginAsked } from '../history/lines.ts'
import { base64, PIN, WRONG_PIN } from '../http/keyshare/app.ts'
import { Clients, type Ground, type Heard } from './clients.ts'
import type { ClusterStore } from './cluster-store.ts'
import type { Request } from './exchange.ts'
import { KEY, OWNER_PATH, USER_HEADER } from './keyshare-node.ts'
import type { LoginJourney, LoginStep } from './login-plan.ts'
import { KEYSHARES } from './plan.ts'
import { Random } from './random.ts'

const DEVICE: Device = newDevice()
const TOKEN_SEC = 180
const BLOCK_MS = 60_000
/** Attempts before a guessing user gives up. */
const MOST_TRIES = 12

/** The token of a login, and the time of its answer. */
type Token = { readonly text: string; readonly at: number }

/** @param store to look up the name of a new user; a real app gets it with the issued credential */
export async function logIn(
  ground: Ground,
  seed: number,
  { name, atMs, steps }: LoginJourney,
  store: ClusterStore,
): Promise<void> {
  await ground.schedule.pause(atMs)
  const clients = new Clients(ground, name, new Random(seed, name))
  const userName = await registered(clients, store)
  if (userName === null) return
  const user = new User(clients, userName)
  for (const step of steps) {
    await user.take(step)
    await clients.pause(400)
  }
}

/** If the registration gets no answer, no client knows the account. */
async function registered(clients: Clients, { inner }: ClusterStore): Promise<string | null> {
  const enrollment_jwt = jwtOf({ pin: PIN, publickey: base64(DEVICE.der) })
  for (let tries = 0; tries < 20; tries++) {
    const heard = await clients.send(
      clients.random.pick(KEYSHARES),
      posted('/client/register', { enrollment_jwt }),
    )
    const { u } = Object(heard?.json)
    if (heard?.status === 200 && typeof u === 'string') {
      const clientToken = u.slice(u.lastIndexOf('/') + 1)
      const session = JSON.stringify(await inner.sessions.load(hashOfToken(clientToken)))
      return /user\d{8}/.exec(session)?.[0] ?? null
    }
    await clients.pause(500)
  }
  return null
}

/** Signs at once: a simulation waits for no thread. */
function jwtOf(claims: object): string {
  return forcedJwt(claims, DEVICE, { alg: 'ES256', typ: 'JWT' })
}

function posted(path: string, body: object | number, headers: Request['headers'] = {}): Request {
  return { method: 'POST', path, headers, body: JSON.stringify(body) }
}

class User {
  readonly #clients: Clients
  readonly #name: string
  #token: Token | null = null
  #number = 0

  constructor(clients: Clients, name: string) {
    this.#clients = clients
    this.#name = name
  }

  async take(step: LoginStep): Promise<void> {
    switch (step) {
      case 'asks for a response':
        return this.#prove([0])
      case 'asks for two responses at once':
        return this.#prove([0, 0])
      case 'asks for commitments twice at once':
        await Promise.all([this.#prove([0]), this.#prove([50])])
        return
      case 'asks for a response late':
        return this.#prove([this.#clients.random.between(18_500, 22_000)])
      case 'logs in':
        await this.#logIn()
        return
      case 'guesses':
        await this.#attempt(false)
        return
      case 'guesses three times at once':
        await Promise.all([this.#attempt(false), this.#change(false), this.#change(false)])
        return
      case 'guesses until the account is blocked, and goes on':
        return this.#guessOn()
      case 'changes the PIN':
        await this.#change(true)
        return
      case 'changes the PIN while a response is asked for':
        await Promise.all([this.#prove([0]), this.#change(true)])
        return this.#prove([0])
      case 'deletes the account':
        await this.#insist({ name: 'delete' }, async () => ({
          method: 'DELETE',
          path: `${OWNER_PATH}${this.#name}`,
        }))
    }
  }

  /** Requests commitments, and responses after these pauses, with the current token or a new one. */
  async #prove(pausesMs: readonly number[]): Promise<void> {
    const { text, at: tokenAt } = this.#token ?? (await this.#logIn()) ?? { text: '', at: 0 }
    if (text === '') return
    const headers = { [USER_HEADER]: this.#name, Authorization: text }
    const asks = async (): Promise<Request> => posted('/prove/getCommitments', [KEY], headers)
    const committed = await this.#insist({ name: 'commitments', tokenAt }, asks)
    if (committed?.status !== 200) {
      this.#token = null
      return
    }
    const respond = async (pauseMs: number): Promise<void> => {
      await this.#clients.pause(pauseMs)
      const request = posted('/prove/getResponse', 1_000_000 + ++this.#number, headers)
      await this.#ask({ name: 'response', tokenAt }, request)
    }
    await Promise.all(pausesMs.map(respond))
  }

  /** @returns the token; null if the PIN was not accepted */
  async #logIn(): Promise<Token | null> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const heard = await this.#attempt(true)
      const { status, message } = Object(heard?.json)
      if (status === 'success') {
        this.#token = { text: String(message), at: this.#clients.ground.schedule.now }
        return this.#token
      }
      if (heard?.status === 403) return null
      await this.#clients.pause(status === 'error' ? Number(message) * 1_000 : 300)
    }
    return null
  }

  /** Requests a challenge, and answers it. */
  async #attempt(isRight: boolean): Promise<Heard | null> {
    const { schedule } = this.#clients.ground
    const id = this.#name
    const started = await this.#insist({ name: 'start' }, async () => {
      const exp = Math.floor(schedule.now / 1_000) + TOKEN_SEC
      return posted('/users/verify_start', { auth_request_jwt: jwtOf({ id, exp }) })
    })
    if (started?.status !== 200) return started
    const challenge = String(Object(started.json).challenge)
    const claims = { id, challenge, pin: isRight ? PIN : WRONG_PIN }
    const auth_response_jwt = jwtOf(claims)
    const asked: LoginAsked = { name: 'pin', isRight, challenge: digestOf(challenge) }
    return this.#ask(asked, posted('/users/verify/pin_challengeresponse', { auth_response_jwt }))
  }

  async #change(isRight: boolean): Promise<Heard | null> {
    const claims = { id: this.#name, oldpin: isRight ? PIN : WRONG_PIN, newpin: PIN }
    const change_pin_jwt = jwtOf(claims)
    return this.#ask({ name: 'change', isRight }, posted('/users/change/pin', { change_pin_jwt }))
  }

  /** Guesses until there is a block, then tries the right PIN and wrong ones before its end, and logs in after it. */
  async #guessOn(): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const heard = await this.#attempt(false)
      if (heard?.status === 403) return
      if (Object(heard?.json).status === 'error') break
      await this.#clients.pause(200)
    }
    for (const isRight of [true, false, true]) {
      await this.#clients.pause(BLOCK_MS / 5)
      await (this.#clients.random.chance(0.5) ? this.#attempt(isRight) : this.#change(isRight))
    }
    await this.#logIn()
  }

  /** One try. */
  async #ask(asked: LoginAsked, request: Request): Promise<Heard | null> {
    const { ground, random, session: account } = this.#clients
    const node = random.pick(KEYSHARES)
    const begunAt = ground.schedule.now
    const heard = await this.#clients.send(node, request)
    const answer = heard && answerOf(asked, heard)
    ground.write({ what: 'login', account, node, asked, begunAt, endedAt: ground.schedule.now, answer })
    return heard
  }

  /** Repeats the call as long as its outcome is unknown. */
  async #insist(asked: LoginAsked, request: () => Promise<Request>): Promise<Heard | null> {
    for (let tries = 0; tries < 40; tries++) {
      const heard = await this.#ask(asked, await request())
      if (heard !== null && heard.status !== 503) return heard
      await this.#clients.pause(Math.min(100 * 2 ** tries, 3_000))
    }
    return null
  }
}

function answerOf({ name }: LoginAsked, { status, text, json }: Heard): LoginAnswer {
  const body = digestOf(text)
  const { error, c, status: word, message } = Object(json)
  if (status !== 200) return { status, body, error: String(error) }
  if (name === 'commitments') return { status, body, P: digestOf(String(c[KEY].P)) }
  if (name !== 'pin' && name !== 'change') return { status, body }
  if (word === 'failure') return { status, body, outcome: 'wrong', number: Number(message) }
  if (word === 'error') return { status, body, outcome: 'blocked', number: Number(message) }
  return { status, body, outcome: 'right' }
}
