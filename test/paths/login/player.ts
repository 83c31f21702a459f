/** Plays paths of the keyshare login chart at a server, one after the other. Each event is the call that causes it, each end by time moves the clock, and each
 *  outcome ends a call that waited for it. After every step the account is compared with the model. @module */
import * as assert from 'uvu/assert'
import { createActor, getNextSnapshot } from 'xstate'
import { withPin } from '../../../accounts/secrets.ts'
import { tokenIdIn } from '../../../accounts/server-jwts.ts'
import type { AccountStep } from '../../../actors/accounts/accounts.ts'
import { isSameBytes } from '../../../crypto/bytes.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import { readJwsPart } from '../../../protocol/compact-jws.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { newDevice } from '../../accounts/jwts.ts'
import type { Answer } from '../../http/client.ts'
import { PIN, registered, registeredWithout } from '../../http/keyshare/app.ts'
import { SIGNER } from '../../http/keyshare/harness.ts'
import type { Walk } from '../engine/coverage.ts'
import type { Edge } from '../engine/graph.ts'
import type { Path } from '../engine/plan.ts'
import { until } from '../until.ts'
import {
  type Account,
  type AccountSnapshot,
  accountModel,
  attemptOf,
  effectsOf,
  type PathEvent,
  sentEvent,
  stamped,
} from './account.ts'
import { Attempts, fatesOf } from './attempts.ts'
import * as calls from './calls.ts'
import { type Counted, countedNow, pinRefused, refusalOf } from './expected.ts'
import { Observed } from './observers.ts'
import type { Variant } from './plan.ts'
import type { LoginServer } from './server.ts'

type Step = Edge<PathEvent, Variant>

/** A value that is never a challenge. */
const OTHER_CHALLENGE = Buffer.alloc(32, 1).toString('base64')

/** Plays one path, starting with an account that was registered and used, so that its deletion is not announced.
 *  @param walk records each step that was played and compared */
export async function playPath(
  server: LoginServer,
  { variant, steps }: Path<PathEvent, Variant>,
  walk: Walk<PathEvent, Variant>,
): Promise<void> {
  const user = await newUser(server, variant)
  await server.accounts.turn(user.id, () => ({ event: { type: 'owner.visited' } }))
  const input = { now: server.clock.now(), version: 2, isDeviceBound: variant.isDeviceBound }
  const first = createActor(accountModel, { input }).getSnapshot()
  const player = new Player(server, user, first, fatesOf(first, steps))
  await player.observe()
  for (const [i, step] of steps.entries())
    try {
      walk.note(step, await player.play(step, i))
    } catch (error) {
      if (error instanceof Error) error.message = `${step.trigger} in ${step.from}: ${error.message}`
      throw error
    }
  await player.close()
}

let accounts = 0

async function newUser(server: LoginServer, { isDeviceBound }: Variant): Promise<calls.User> {
  const address = `user-${++accounts}@home.example`
  const { userName, device } = isDeviceBound
    ? await registered(server, { email: address, language: 'en' })
    : { userName: await registeredWithout(server), device: newDevice() }
  return { id: hashOfToken(userName), userName, device, address }
}

class Player {
  readonly #server: LoginServer
  readonly #user: calls.User
  readonly #fates: ReturnType<typeof fatesOf>
  readonly #attempts: Attempts
  readonly #seen: Observed
  readonly #counted = new Map<number, Counted>()
  #model: AccountSnapshot
  #pin = PIN
  #challenge = OTHER_CHALLENGE

  constructor(
    server: LoginServer,
    user: calls.User,
    first: AccountSnapshot,
    fates: ReturnType<typeof fatesOf>,
  ) {
    this.#server = server
    this.#user = user
    this.#model = first
    this.#fates = fates
    this.#attempts = new Attempts(server, user)
    this.#seen = new Observed(server, user, first.context.now)
  }

  get #account(): Account {
    return this.#model.context
  }

  /** Compares the account in its first state. */
  async observe(): Promise<void> {
    await this.#seen.compare(this.#account, this.#pin, this.#challenge)
  }

  /** @returns true if the event was sent through the gate, because no call causes it in that state */
  async play(step: Step, i: number): Promise<boolean> {
    if (!step.isAccepted) return this.#refused(step.event)
    const { event } = step
    const [before, after] = [this.#account, getNextSnapshot(accountModel, this.#model, event)]
    const effects = effectsOf(this.#model, event)
    assert.equal(effects, step.effects, 'effects')
    const isByGate = await this.#accepted(event, after.context, i)
    this.#model = after
    const counted = this.#counted.get('of' in event ? attemptOf(before, event.of) : 0)
    this.#seen.move(effects, after.context.now, counted)
    await this.#seen.compare(after.context, this.#pin, this.#challenge)
    await this.#attempts.endOthers(after.context.login.context.comparing)
    return isByGate
  }

  close(): Promise<void> {
    return this.#attempts.close()
  }

  async #refused(event: PathEvent): Promise<boolean> {
    const refusal = refusalOf(event, this.#account)
    const stored = () => this.#server.store.accounts.load(this.#user.id)
    const before = await stored()
    if (refusal !== null) assert.is(errorOf(await this.#call(event)), refusal)
    await this.#gate(event, false) // an endpoint may refuse an event that the chart would accept
    assert.equal(await stored(), before, 'the row')
    await this.#seen.compareLog()
    return refusal === null
  }

  /** Makes the call of an event, and accepts any answer. Calls of attempts are in attempts.ts. */
  async #call(event: PathEvent): Promise<Answer> {
    const [server, user] = [this.#server, this.#user]
    switch (event.type) {
      case 'app.startedLogin':
        return calls.startLogin(server, user)
      case 'app.answered':
        return calls.login(
          server,
          user,
          event.isRightChallenge ? this.#challenge : OTHER_CHALLENGE,
          this.#pin,
        )
      case 'app.sentPin':
        return event.isSignedByDevice
          ? calls.changePin(server, user, this.#pin, 'new')
          : calls.plainLogin(server, user, this.#pin)
      case 'app.requestedCommitments':
        return calls.requestCommitments(server, user, this.#seen.secrets, event.version)
      case 'app.requestedResponse':
        return calls.requestResponse(server, user, this.#seen.secrets, event.version)
      case 'owner.visited':
        return calls.confirmAddress(server, user)
      case 'owner.disabled':
        return calls.deleteAccount(server, user)
      default:
        throw new Error(`expected an event that is a call, got ${event.type}`)
    }
  }

  async #accepted(event: PathEvent, after: Account, i: number): Promise<boolean> {
    switch (event.type) {
      case 'time passes':
        return this.#passTime(event, after)
      case 'app.startedLogin': {
        const { status, json } = await this.#call(event)
        assert.equal([status, Object(json).candidates], [200, ['pin_challengeresponse']])
        this.#challenge = Object(json).challenge
        return false
      }
      case 'app.answered':
        if (event.isRightChallenge) return this.#attempt(event, after, i)
        return this.#answers(event, '403 UNEXPECTED_REQUEST')
      case 'app.sentPin':
        return this.#attempt(event, after, i)
      case 'app.triedWhileBlocked':
        return this.#tryWhileBlocked(after)
      case 'app.requestedCommitments':
      case 'app.requestedResponse':
      case 'owner.disabled':
        return this.#answers(event, '200')
      case 'owner.visited':
        return this.#answers(event, '204')
      case 'server.warned':
      case 'server.deleted':
        return this.#gate(event, true)
      default:
        return this.#outcome(event)
    }
  }

  async #answers(event: PathEvent, expected: string): Promise<false> {
    const answer = await this.#call(event)
    assert.is(errorOf(answer), expected)
    if (expected === '200') compareProof(event, answer)
    return false
  }

  async #passTime(event: PathEvent, { now, version }: Account): Promise<false> {
    const { clock, store } = this.#server
    clock.advance(now - clock.now())
    if (stamped(event, this.#account) === null) return false
    await until(async () => {
      clock.advance(0) // the server may have restarted its timer
      return (await store.accounts.load(this.#user.id))?.version === version
    })
    return false
  }

  async #attempt(event: Parameters<Attempts['begin']>[1], after: Account, i: number): Promise<false> {
    this.#counted.set(after.version, countedNow(after))
    const words = { pin: this.#pin, newPin: pinNumber(after.version), challenge: this.#challenge }
    await this.#attempts.begin(after.version, event, this.#fates[i] ?? null, words)
    return false
  }

  /** Alternates between kinds of attempts: logins, and changes of the PIN. */
  async #tryWhileBlocked({ login: { context }, now, version }: Account): Promise<false> {
    const [server, user] = [this.#server, this.#user]
    const answer = !context.isDeviceBound
      ? await calls.plainLogin(server, user, this.#pin)
      : version % 2 === 0
        ? await calls.login(server, user, this.#challenge, this.#pin)
        : await calls.changePin(server, user, this.#pin, 'new')
    const waitSec = (context.blockedUntil - now) / 1_000
    assert.equal([answer.status, answer.json], [200, pinRefused({ triesLeft: 0, waitSec })])
    return false
  }

  async #outcome(event: Extract<PathEvent, { readonly of: unknown }>): Promise<boolean> {
    const number = attemptOf(this.#account, event.of)
    const ended = await this.#attempts.end(number, event.type)
    if (event.type === 'server.changedPin') this.#pin = pinNumber(number)
    if (ended === null) return this.#gate(event, true)
    const { status, json } = ended.answer
    const counted = this.#counted.get(number)
    if (event.type === 'server.refusedPin')
      assert.equal([status, json], [200, counted && pinRefused(counted)])
    else if (ended.isKeyAgain) assert.is(errorOf(ended.answer), '500 INTERNAL_ERROR')
    else assert.equal([status, Object(json).status], [200, 'success'])
    if (event.type === 'server.acceptedPin' && !ended.isKeyAgain) this.#compareToken(Object(json).message)
    return ended.isStored ? false : this.#gate(event, true)
  }

  #compareToken(token: string): void {
    const nowSec = Math.floor(this.#server.clock.wallNow() / 1_000)
    const { tokenId } = this.#seen.secrets
    assert.ok(isSameBytes(tokenIdIn(token, SIGNER, nowSec), tokenId), 'the token of this account')
  }

  async #gate(event: PathEvent, isTaken: boolean): Promise<true> {
    const sent = sentEvent(event, this.#account)
    if (sent === null) throw new Error(`expected an event of the chart, got ${event.type}`)
    const turn = await this.#server.gate.turn(this.#user.id, ({ secrets }): AccountStep => {
      if (sent.type === 'server.refusedPin')
        return { event: sent, refused: this.#counted.get(sent.attempt) ?? { triesLeft: 0, waitSec: 0 } }
      const isRecord = isTaken && (sent.type === 'server.changedPin' || sent.type === 'server.registeredKey')
      if (!isRecord) return { event: sent }
      const changed =
        sent.type === 'server.changedPin'
          ? withPin(secrets(), this.#pin, systemRandomness.bytes(32))
          : { ...secrets(), deviceKey: new Uint8Array(this.#user.device.der) }
      return { event: sent, secrets: changed }
    })
    assert.is(turn !== null && !turn.isRefused, isTaken, 'whether the gate accepts the event')
    return true
  }
}

function pinNumber(version: number): string {
  return `pin ${version}`
}

/** Status and error name of an answer. */
function errorOf({ status, json }: Answer): string {
  const { error } = Object(status < 400 ? null : json)
  return error === undefined ? String(status) : `${status} ${error}`
}

/** Compares the answer of the keyshare server about a proof. */
function compareProof(event: PathEvent, { json, text }: Answer): void {
  if (event.type === 'app.requestedCommitments') {
    const { [calls.KEY]: commitment } = Object(Object(json).c)
    if (event.version === 'v1') assert.equal(Object.keys(Object(commitment)), ['P', 'Pcommit'], 'commitments')
    else assert.match(commitment, /^[\w+/]{100,}=*$/, 'commitments')
  }
  if (event.type === 'app.requestedResponse')
    assert.is(readJwsPart(text.split('.')[1] ?? '', 'claims').sub, 'ProofP', 'response')
}
