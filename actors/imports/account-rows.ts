/** The row of an account as this server would have written it, from the row of an existing server (spec/keyshare-server#12). The record is sealed again, so that the
 *  primary storage key opens all records. Values in, values out. @module */
import { hash } from 'node:crypto'
import { type MailAddress, parseMailAddress } from '../../accounts/mails/address.ts'
import { mailLanguage } from '../../accounts/mails/texts.ts'
import type { MailLanguage } from '../../accounts/mails/words/languages.ts'
import { FREE_TRIES, LONGEST_BLOCK_MS, triesLeft } from '../../accounts/pin-attempts.ts'
import { openRecord } from '../../accounts/records.ts'
import type { AccountSecrets } from '../../accounts/secrets.ts'
import type { StorageKeys } from '../../accounts/storage-keys.ts'
import { loginChart, UNBOUND_CHART } from '../../machines/keyshare-login.ts'
import { deletionAt } from '../../machines/login-facts.ts'
import { wakeLogin } from '../../machines/login-snapshot.ts'
import { InvalidRequestError } from '../../protocol/errors.ts'
import type { ImportedAccount } from '../../stores/account-imports.ts'
import type { AccountAddress, AccountRow, LogEntry, LogEvent, MailLink } from '../../stores/account-store.ts'
import type { SourceAccount, SourceEntry } from '../../stores/imports/account-source.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import type { RecordsOfRows } from '../kinds/login.ts'

export type AccountRules = {
  /** all keys of the existing server */
  readonly sourceKeys: StorageKeys
  readonly sealed: RecordsOfRows['sealed']
  /** The language of accounts that have none of the languages of mails. */
  readonly defaultLanguage: MailLanguage
  /** for an account without secrets and without a time of deletion, which does not occur by itself */
  readonly deleteDays: number
  /** lifetime of a confirmation link at the existing server */
  readonly linkMs: number
}

/** An account without the facts that depend on the target. */
export type ReadAccount = Pick<ImportedAccount, 'addresses' | 'links' | 'fingerprint'> & {
  readonly id: string
  /** null: the owner has deleted the account */
  readonly secrets: AccountSecrets | null
  /** addresses that are not valid, of both kinds */
  readonly skippedAddresses: number
}

/** The existing server stores the time of each wrong PIN as the end of a block. Its clock may be ahead of ours by this time. A later end is a block. */
const CLOCK_MS = 60_000

/** A value of the source that no existing server writes. Its message names the column, and contains no secret. */
export class SourceRowError extends Error {
  override readonly name = 'SourceRowError'
}

/** @throws {SourceRowError} if this server could not store the row */
function requireStorable({ attempts, seenSec, deleteSec, addresses, links }: SourceAccount): void {
  if (!Number.isSafeInteger(attempts) || attempts < 0)
    throw new SourceRowError(`pin_counter: expected a number from 0 on, got ${attempts}`)
  for (const [column, times] of [
    ['last_seen', [seenSec]],
    ['delete_on', [deleteSec, ...addresses.map(each => each.deleteSec)]],
    ['expiry', links.map(({ endsSec }) => endsSec)],
  ] as const) {
    const wrong = times.find(time => time !== null && !isTime(time))
    if (wrong !== undefined) throw new SourceRowError(`${column}: expected Unix seconds, got ${wrong}`)
  }
}

function isTime(seconds: number): boolean {
  return seconds >= 0 && Number.isSafeInteger(seconds * 1_000)
}

/** @throws {RecordError} if no key opens the record
 *  @throws {SourceRowError} if this server could not store the row */
export function readAccount(
  source: SourceAccount,
  { sourceKeys, linkMs }: AccountRules,
  now: number,
): ReadAccount {
  requireStorable(source)
  const id = hashOfToken(source.userName)
  const secrets = source.record === null ? null : openRecord(source.record, sourceKeys)
  const addresses = addressesOf(id, source)
  const open = source.links.filter(({ endsSec }) => endsSec * 1_000 > now)
  const links = open.flatMap(({ token, text, endsSec }): MailLink[] => {
    const address = validAddress(text)
    if (address === null) return []
    const endsAt = endsSec * 1_000
    const tokenHash = hashOfToken(token)
    return [{ tokenHash, purpose: 'confirmation', address, accountId: id, madeAt: endsAt - linkMs, endsAt }]
  })
  const texts = [...source.addresses, ...open]
  const skippedAddresses = texts.filter(({ text }) => validAddress(text) === null).length
  return { id, secrets, addresses, links, skippedAddresses, fingerprint: fingerprintOf(source) }
}

/** @param version of the row in the target
 *  @throws {Error} if the chart could not wake the row */
export function importedRow(
  source: SourceAccount,
  { id, secrets }: Pick<ReadAccount, 'id' | 'secrets'>,
  { sealed, defaultLanguage, deleteDays }: Pick<AccountRules, 'sealed' | 'defaultLanguage' | 'deleteDays'>,
  { version, now }: { readonly version: number; readonly now: number },
): AccountRow {
  const { userName, language, attempts: counted, deleteSec, seenSec } = source
  const blockedBy = source.blockSec * 1_000
  const attempts = blockedBy > now + CLOCK_MS ? Math.max(counted, FREE_TRIES) : counted
  const isBlocked = triesLeft(attempts) === 0
  const value = secrets
    ? { active: { attempts: isBlocked ? 'blocked' : 'open', challenge: 'none', commitment: 'none' } }
    : 'disabled'
  const deviceBound = secrets !== null && secrets.deviceKey !== null
  const row: AccountRow = {
    id,
    version,
    userName,
    attempts,
    chart: UNBOUND_CHART,
    language: mailLanguage(language, defaultLanguage),
    record: null,
    tokenIdHash: null,
    // the existing server has no longest block
    blockedUntil: isBlocked ? Math.min(Math.max(blockedBy, 1), now + LONGEST_BLOCK_MS) : 0,
    deleteAt: deleteSec === null ? (secrets ? null : deletionAt(now, deleteDays)) : deleteSec * 1_000,
    snapshot: {
      value,
      context: { isDeviceBound: deviceBound, comparing: [], challengeEndsAt: null, commitmentEndsAt: null },
    },
    challenge: null,
    commitment: null,
    dueAt: null,
    seenAt: seenSec * 1_000,
  }
  wakeLogin(loginChart, UNBOUND_CHART, row)
  return secrets ? sealed(row, secrets) : row
}

const EVENTS: Readonly<Record<string, LogEvent>> = {
  PIN_CHECK_REFUSED: 'PIN_CHECK_REFUSED',
  PIN_CHECK_SUCCESS: 'PIN_CHECK_SUCCESS',
  PIN_CHECK_FAILED: 'PIN_CHECK_FAILED',
  PIN_CHECK_BLOCKED: 'PIN_CHECK_BLOCKED',
  IRMA_SESSION: 'SESSION',
}

/** @returns null: an event that this server does not know, or a time that it could not store */
export function importedEntry({ event, param, atSec }: SourceEntry): LogEntry | null {
  const known = Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined
  if (known === undefined || !isTime(atSec)) return null
  const hasNumber = param !== null && /^\d{1,15}$/.test(param)
  return { at: atSec * 1_000, event: known, param: hasNumber ? Number(param) : null }
}

/** Two spellings of one address are one address here. It is kept if one of them is. */
function addressesOf(accountId: string, { addresses }: SourceAccount): readonly AccountAddress[] {
  const found = new Map<MailAddress, number | null>()
  for (const { text, deleteSec } of addresses) {
    const address = validAddress(text)
    if (address === null) continue
    const deleteAt = deleteSec === null ? null : deleteSec * 1_000
    const other = found.has(address) ? (found.get(address) ?? null) : deleteAt
    found.set(address, deleteAt === null || other === null ? null : Math.max(deleteAt, other))
  }
  return [...found].map(([address, deleteAt]) => ({ accountId, address, deleteAt }))
}

function validAddress(text: string): MailAddress | null {
  try {
    return parseMailAddress(text)
  } catch (error) {
    if (error instanceof InvalidRequestError) return null
    throw error
  }
}

/** Identifies the data of an account, so that a change is noticed. It is a hash, because the data contain tokens and addresses. */
function fingerprintOf({ record, ...source }: SourceAccount): string {
  const text = record === null ? null : Buffer.from(record).toString('base64')
  return hash('sha256', JSON.stringify([text, source]))
}
