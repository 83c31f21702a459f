/** Random calls about one account, in any order and at any time. Each answer, and the stored row after it, follow the rules of the specification.
 *  @module */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { hashUserInput } from '../../../crypto/keyshare/user-input.ts'
import { appJwt, type Device, newDevice } from '../../accounts/jwts.ts'
import { suite } from '../../suite.ts'
import type { Answer } from '../client.ts'
import { base64, PIN, registered, registeredWithout, rowOf, WRONG_PIN } from './app.ts'
import { type KeyshareOfTest, withKeyshare } from './harness.ts'
import { AccountModel, type Token, type Version } from './model.ts'

type Move =
  | { readonly what: 'wait'; readonly ms: number }
  | { readonly what: 'start' }
  | {
      readonly what: 'logIn'
      readonly challenge: 'now' | 'before'
      readonly isRight: boolean
      readonly isOwn: boolean
    }
  | { readonly what: 'logInPlainly'; readonly isRight: boolean }
  | { readonly what: 'change'; readonly isRight: boolean; readonly isSigned: boolean }
  | { readonly what: 'commit' | 'respond'; readonly version: Version; readonly token: 'last' | 'first' }

const isRight = fc.boolean()
const mostly = fc.constantFrom(true, true, true, true, true, false)
const ms = fc.constantFrom(1, 1_000, 19_999, 20_000, 59_999, 60_000, 120_000, 359_999, 360_000, 900_000)
const version = fc.constantFrom<Version>('v1', 'v1', 'v2')
const token = fc.constantFrom('last' as const, 'last' as const, 'first' as const)
const challenge = fc.constantFrom('now' as const, 'now' as const, 'now' as const, 'before' as const)

function moves(isBound: boolean): fc.Arbitrary<readonly Move[]> {
  const usual = isBound ? mostly : mostly.map(is => !is)
  const any: fc.Arbitrary<Move> = fc.oneof(
    fc.record({ what: fc.constant('wait' as const), ms }),
    fc.record({ what: fc.constant('start' as const) }),
    fc.record({ what: fc.constant('logIn' as const), challenge, isRight, isOwn: mostly }),
    fc.record({ what: fc.constant('logInPlainly' as const), isRight }),
    fc.record({ what: fc.constant('change' as const), isRight, isSigned: usual }),
    fc.record({ what: fc.constantFrom('commit' as const, 'respond' as const), version, token }),
  )
  const phrases = fc.array(
    fc.oneof({ weight: 3, arbitrary: any.map((one): readonly Move[] => [one]) }, phrase(isBound)),
    {
      minLength: 25,
      maxLength: 25,
    },
  )
  return phrases.map(list => list.flat())
}

/** The calls of an app. It logs in, perhaps after wrong PINs. Then it may request commitments, wait or change its PIN, and request the response. */
function phrase(isBound: boolean): fc.Arbitrary<readonly Move[]> {
  const login = (isRight: boolean): readonly Move[] =>
    isBound
      ? [{ what: 'start' }, { what: 'logIn', challenge: 'now', isRight, isOwn: true }]
      : [{ what: 'logInPlainly', isRight }]
  const change: readonly Move[] = [{ what: 'change', isRight: true, isSigned: isBound }, ...login(true)]
  const proof = fc.tuple(version, fc.constantFrom<readonly Move[]>([], change, ...WAITS))
  const wrong = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom(...BLOCKS))
  return fc.oneof(
    wrong.map(([times, wait]) => [
      ...Array.from({ length: times }, () => login(false)).flat(),
      ...wait,
      ...login(true),
    ]),
    proof.map(([version, between]): readonly Move[] => [
      ...login(true),
      { what: 'commit', version, token: 'last' },
      ...between,
      { what: 'respond', version, token: 'last' },
    ]),
  )
}

const wait = (ms: number): readonly Move[] => [{ what: 'wait', ms }]
const WAITS = [19_999, 20_000].map(wait)
const BLOCKS = [0, 59_999, 60_000].map(wait)

const HASHED = base64(hashUserInput([]))
const INPUT = { nonce: 'AQ==', resp: 'AQ==', UserChallengeInput: [] }

/** One account, its model, and its app. */
class Play {
  readonly #server: KeyshareOfTest
  readonly #id: string
  readonly #device: Device | null
  readonly model: AccountModel
  readonly #tokens: Token[] = []
  #before = 'AAAA'

  constructor(server: KeyshareOfTest, id: string, device: Device | null) {
    this.#server = server
    this.#id = id
    this.#device = device
    this.model = new AccountModel(PIN, device !== null, () => server.clock.now())
  }

  /** @returns the answer, and the answer by the rules */
  async make(move: Move): Promise<readonly [got: string, wanted: string]> {
    switch (move.what) {
      case 'start':
        return this.#start()
      case 'logIn':
        return this.#logIn(move)
      case 'logInPlainly':
        return this.#logInPlainly(this.#pin(move.isRight))
      case 'change':
        return this.#change(this.#pin(move.isRight), move.isSigned)
      case 'commit':
        return this.#commit(move)
      case 'respond':
        return this.#respond(move)
      default:
        this.#server.clock.advance(move.ms)
        return ['', '']
    }
  }

  async #start(): Promise<readonly [string, string]> {
    const answer = await this.#post('/users/verify_start', {
      auth_request_jwt: await this.#signed({ exp: this.#nowSec() + 180 }),
    })
    this.#before = this.model.challenge?.value ?? this.#before
    return [shown(answer), this.model.start(Object(answer.json).challenge)]
  }

  async #logIn({ challenge, isRight, isOwn }: Extract<Move, { what: 'logIn' }>) {
    const named = challenge === 'before' ? this.#before : (this.model.challenge?.value ?? this.#before)
    const pin = this.#pin(isRight)
    const auth_response_jwt = await this.#signed({ pin, challenge: named }, isOwn)
    const answer = await this.#post('/users/verify/pin_challengeresponse', { auth_response_jwt })
    return this.#logged(answer, this.model.logIn(named, pin, isOwn))
  }

  async #logInPlainly(pin: string) {
    const answer = await this.#post('/users/verify/pin', { id: this.#id, pin })
    return this.#logged(answer, this.model.logInPlainly(pin))
  }

  async #change(oldpin: string, isSigned: boolean): Promise<readonly [string, string]> {
    const newpin = `${this.model.pin.length}${this.model.pin.slice(0, 40)}\n`
    const claims = { oldpin, newpin }
    const body = isSigned ? { change_pin_jwt: await this.#signed(claims) } : { id: this.#id, ...claims }
    const answer = await this.#post('/users/change/pin', body)
    return [shown(answer), this.model.change(oldpin, newpin, isSigned)]
  }

  async #commit({ version, token }: { version: Version; token: 'last' | 'first' }) {
    const [named, headers] = this.#headers(token)
    const keys = ['svc-demo.uni-0']
    const answer =
      version === 'v1'
        ? await this.#post('/prove/getCommitments', keys, headers)
        : await this.#post('/api/v2/prove/getCommitments', { keys, hw: { hashedComms: HASHED } }, headers)
    return [shown(answer), this.model.commit(named, version)] as const
  }

  async #respond({ version, token }: { version: Version; token: 'last' | 'first' }) {
    const [named, headers] = this.#headers(token)
    const answer =
      version === 'v1'
        ? await this.#post('/prove/getResponse', '5', headers)
        : await this.#post('/api/v2/prove/getResponse', INPUT, headers)
    return [shown(answer), this.model.respond(named, version)] as const
  }

  #logged(answer: Answer, wanted: string): readonly [string, string] {
    if (wanted === '200 success') this.#tokens.push(this.model.token(Object(answer.json).message))
    return [shown(answer), wanted]
  }

  #headers(which: 'last' | 'first'): readonly [Token | undefined, Record<string, string>] {
    const token = which === 'last' ? this.#tokens.at(-1) : this.#tokens[0]
    return [token, { 'X-Svc-Keyshare-Username': this.#id, Authorization: token?.jwt ?? '' }]
  }

  #post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#server.call('POST', path, { body, headers })
  }

  /** @param isOwn false: another device signs the call */
  #signed(claims: object, isOwn = true): Promise<string> {
    return appJwt({ id: this.#id, ...claims }, (isOwn && this.#device) || newDevice())
  }

  #pin(isRight: boolean): string {
    return isRight ? this.model.pin : WRONG_PIN
  }

  #nowSec(): number {
    return Math.floor(this.#server.clock.wallNow() / 1_000)
  }
}

/** An answer in short: its status with the outcome of the PIN, or with the type of its error. */
function shown({ status, json }: Answer): string {
  const { status: outcome, error, message } = Object(json)
  if (error !== undefined) return `${status} ${error}`
  if (outcome === undefined) return String(status)
  return `${status} ${outcome === 'success' ? outcome : `${outcome} ${message}`}`
}

/** @returns the answers, in order */
async function played(isBound: boolean, list: readonly Move[]): Promise<readonly string[]> {
  const answers: string[] = []
  await withKeyshare({}, async server => {
    const { userName, device } = isBound
      ? await registered(server)
      : { userName: await registeredWithout(server), device: null }
    const play = new Play(server, userName, device)
    for (const move of list) {
      const [got, wanted] = await play.make(move)
      answers.push(`${move.what} ${got}`)
      assert.is(got, wanted, answers.slice(-10).join(', '))
      const { attempts, blockedUntil, seenAt, id } = await rowOf(server, userName)
      const log = (await server.store.accounts.log(id, 0, 1_000)).map(({ event }) => event).reverse()
      const { model } = play
      assert.equal(
        [attempts, blockedUntil, seenAt, log],
        [model.attempts, model.blockedUntil, model.seenAt, model.log],
        answers.slice(-10).join(', '),
      )
    }
  })
  return answers
}

const Model = suite('keyshare server: any calls about one account')

for (const isBound of [true, false])
  Model(`with a device key: ${isBound}`, async () => {
    const answers: string[] = []
    for (const list of fc.sample(moves(isBound), { numRuns: 4, seed: 612 }))
      answers.push(...(await played(isBound, list)))
    const wanted = [
      '200 success',
      '200 failure 2',
      '200 failure 1',
      '200 error 60',
      'respond 200',
      'respond 409',
    ]
    for (const some of [...wanted, ...(isBound ? ['409 MISSING_CHALLENGE', '403 UNEXPECTED_REQUEST'] : [])])
      assert.ok(
        answers.some(answer => answer.includes(some)),
        `expected some ${some}`,
      )
  })

Model.run()
