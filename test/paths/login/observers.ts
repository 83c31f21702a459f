/** The visible facts of an account while its path is played: its row, its secrets, its activity log, and whether its user is served over HTTP. @module */
import * as assert from 'uvu/assert'
import { type AccountSecrets, hashOfTokenId, isPin, writeSecrets } from '../../../accounts/secrets.ts'
import type { AccountRow, LogEntry } from '../../../stores/account-store.ts'
import { said } from '../../http/keyshare/app.ts'
import type { Account } from './account.ts'
import { KEY, publicParts, type User } from './calls.ts'
import { type Counted, entriesOf, rowOf, seenOf } from './expected.ts'
import type { LoginServer } from './server.ts'

/** More entries than a path can make. */
const ALL = 1_000

export class Observed {
  readonly #server: LoginServer
  readonly #user: User
  #seenAt: number
  #log: LogEntry[] = []
  /** the last row with a record, and the answer to getPs at that time */
  #row: AccountRow | null = null
  #parts: string | null = null
  #effects: readonly string[] = ['storeRecord']

  constructor(server: LoginServer, user: User, registeredAt: number) {
    this.#server = server
    this.#user = user
    this.#seenAt = registeredAt
  }

  /** the last known secrets of the account */
  get secrets(): AccountSecrets {
    if (this.#row === null) throw new Error('expected an account that was compared, got one that was not')
    return this.#server.gate.secretsOf(this.#row)
  }

  /** Records a step.
   *  @param counted the attempt that the step ends */
  move(effects: readonly string[], at: number, counted: Counted = { triesLeft: 0, waitSec: 0 }): void {
    this.#effects = effects
    if (effects.includes('markSeen')) this.#seenAt = at
    this.#log = [...entriesOf(effects, at, counted), ...this.#log]
  }

  async compareLog(): Promise<void> {
    assert.equal(await this.#server.store.accounts.log(this.#user.id, 0, ALL), this.#log, 'the activity log')
  }

  /** @param challenge the last one, in Base64 */
  async compare(account: Account, pin: string, challenge: string): Promise<void> {
    const row = await this.#server.store.accounts.load(this.#user.id)
    if (account.login.value === 'forgotten') {
      assert.is(row, null, 'the row')
      this.#log = []
    } else if (row === null) assert.unreachable('expected a row, got none')
    else this.#compareRow(row, account, pin, challenge)
    await this.compareLog()
    const isServedAnew = this.#effects.includes('storeRecord') || typeof account.login.value === 'string'
    if (isServedAnew) await this.#compareAnswers(account)
  }

  #compareRow(row: AccountRow, account: Account, pin: string, challenge: string): void {
    assert.equal(seenOf(row), rowOf(account, this.#seenAt), 'the row')
    if (row.challenge) assert.is(Buffer.from(row.challenge).toString('base64'), challenge, 'the challenge')
    const isV2 = account.login.matches({ active: { commitment: 'pendingV2' } })
    if (row.commitment)
      assert.equal([row.commitment.lastKey, row.commitment.hashedComms?.length], [KEY, isV2 ? 32 : undefined])
    if (row.record === null) return
    const isNew = this.#effects.includes('storeRecord')
    const before = this.#row && writeSecrets(this.secrets)
    this.#row = row
    assert.is(!isSame(before, writeSecrets(this.secrets)), isNew, 'whether the secrets have changed')
    assert.ok(isPin(this.secrets, pin), 'the PIN')
    assert.is(this.secrets.deviceKey !== null, account.login.context.isDeviceBound, 'the device key')
    assert.is(row.tokenIdHash, hashOfTokenId(this.secrets.tokenId), 'the token id')
  }

  /** Asserts that a user with a token is served as long as the account is in use. The secrets never change: only a new record or the end of the account may change the
   *  answer. */
  async #compareAnswers({ login: { value } }: Account): Promise<void> {
    const answer = await publicParts(this.#server, this.#user, this.secrets)
    if (typeof value === 'string') assert.match(said(answer), /^403 USER_NOT_REGISTERED/)
    else assert.equal([answer.status, answer.text], [200, this.#parts ?? answer.text], 'getPs')
    this.#parts ??= answer.text
  }
}

function isSame(one: Uint8Array | null, other: Uint8Array): boolean {
  return one !== null && Buffer.compare(one, other) === 0
}
