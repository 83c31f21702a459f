/** A model of one account by the rules of spec/keyshare-server#6 to #10 (spec/decisions#k11, #k13), independent of the chart and the store. Each
 *  method is a call and returns its answer. The fields then have the values that the store must have. @module */

const MINUTE = 60_000
const CHALLENGE_MS = 6 * MINUTE
const COMMITMENT_MS = 20_000
const TOKEN_SEC = 900

export type Version = 'v1' | 'v2'

/** An authentication JWT. */
export type Token = {
  readonly jwt: string
  /** number of PIN changes before the login */
  readonly changes: number
  readonly endsAtSec: number
}

type Pending<Value> = { readonly value: Value; readonly endsAt: number }

export class AccountModel {
  attempts = 0
  blockedUntil = 0
  seenAt: number
  readonly log: string[] = []
  pin: string
  challenge: Pending<string> | null = null
  readonly #isBound: boolean
  readonly #now: () => number
  #commitment: Pending<Version> | null = null
  #changes = 0

  /** @param isBound true: the account was registered with a device key */
  constructor(pin: string, isBound: boolean, now: () => number) {
    this.pin = pin
    this.#isBound = isBound
    this.#now = now
    this.seenAt = now()
  }

  /** @param challenge from the answer of the server */
  start(challenge: string): string {
    if (!this.#isBound) return '400 INVALID_REQUEST'
    this.challenge = this.#pending(challenge, CHALLENGE_MS)
    return '200'
  }

  logIn(challenge: string, pin: string, isOwnDevice: boolean): string {
    if (!this.#isBound || !isOwnDevice) return '400 INVALID_REQUEST'
    if (this.#isBlocked()) return this.#refused()
    const pending = this.#left(this.challenge)
    this.challenge = null
    if (pending === null) return '409 MISSING_CHALLENGE'
    return pending === challenge ? this.#tried(pin, true) : '403 UNEXPECTED_REQUEST'
  }

  logInPlainly(pin: string): string {
    if (this.#isBound) return '403 UNEXPECTED_REQUEST'
    return this.#isBlocked() ? this.#refused() : this.#tried(pin, true)
  }

  change(oldPin: string, newPin: string, isSigned: boolean): string {
    if (isSigned !== this.#isBound) return isSigned ? '400 INVALID_REQUEST' : '403 UNEXPECTED_REQUEST'
    if (this.#isBlocked()) return this.#refused()
    const answer = this.#tried(oldPin, false)
    if (answer !== '200 success') return answer
    this.pin = newPin
    this.challenge = null
    this.#commitment = null
    this.#changes++
    return answer
  }

  commit(token: Token | undefined, version: Version): string {
    if (!this.#isGood(token)) return '400 INVALID_REQUEST'
    this.#commitment = this.#pending(version, COMMITMENT_MS)
    return '200'
  }

  respond(token: Token | undefined, version: Version): string {
    if (!this.#isGood(token)) return '400 INVALID_REQUEST'
    if (this.#left(this.#commitment) !== version) return '409 MISSING_COMMITMENT'
    this.#commitment = null
    this.seenAt = this.#now()
    this.log.push('SESSION')
    return '200'
  }

  /** The token of a login that has just succeeded. */
  token(jwt: string): Token {
    return { jwt, changes: this.#changes, endsAtSec: this.#nowSec() + TOKEN_SEC }
  }

  #tried(pin: string, isLogin: boolean): string {
    this.attempts++
    const blockMs = this.attempts < 3 ? 0 : Math.min(24 * 60 * MINUTE, MINUTE * 2 ** (this.attempts - 3))
    this.blockedUntil = blockMs === 0 ? 0 : this.#now() + blockMs
    if (pin !== this.pin) return this.#wrong(isLogin, blockMs)
    this.attempts = 0
    this.blockedUntil = 0
    if (isLogin) {
      this.seenAt = this.#now()
      this.log.push('PIN_CHECK_SUCCESS')
    }
    return '200 success'
  }

  #wrong(isLogin: boolean, blockMs: number): string {
    if (isLogin) this.log.push('PIN_CHECK_FAILED', ...(blockMs === 0 ? [] : ['PIN_CHECK_BLOCKED']))
    return blockMs === 0 ? `200 failure ${3 - this.attempts}` : `200 error ${blockMs / 1_000}`
  }

  #refused(): string {
    this.log.push('PIN_CHECK_REFUSED')
    return `200 error ${Math.ceil((this.blockedUntil - this.#now()) / 1_000)}`
  }

  #isBlocked(): boolean {
    return this.#now() < this.blockedUntil
  }

  #isGood(token: Token | undefined): boolean {
    return token !== undefined && token.changes === this.#changes && this.#nowSec() < token.endsAtSec
  }

  #pending<Value>(value: Value, ms: number): Pending<Value> {
    return { value, endsAt: this.#now() + ms }
  }

  #left<Value>(pending: Pending<Value> | null): Value | null {
    return pending !== null && this.#now() < pending.endsAt ? pending.value : null
  }

  #nowSec(): number {
    return Math.floor(this.#now() / 1_000)
  }
}
