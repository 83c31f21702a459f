/** Accounts with mails, for tests: the real gate on the store in memory, a clock that the test moves, and a mail server that records its mails. @module */
import type { WrittenMail } from '../../../accounts/mails/sealed-mail.ts'
import { newSecrets } from '../../../accounts/secrets.ts'
import { parseStorageKey, storageKeyFile, storageKeys } from '../../../accounts/storage-keys.ts'
import { createAccounts } from '../../../actors/accounts/create-accounts.ts'
import { createDeliveries } from '../../../actors/deliveries/deliveries.ts'
import { createConfirmations } from '../../../actors/mails/confirmations.ts'
import { createLoginMails } from '../../../actors/mails/logins.ts'
import { createMailBounds } from '../../../actors/mails/mail-bounds.ts'
import { sendMail } from '../../../actors/mails/send-mail.ts'
import type { MailSettings } from '../../../actors/mails/settings.ts'
import { createOwners } from '../../../actors/owners/owners.ts'
import type { Mail } from '../../../ports/mail.ts'
import type { DomainState } from '../../../ports/mail-domain.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import { createSimulatedClock, type SimulatedClock } from '../../../ports/simulated-clock.ts'
import { accountTimesOf, mailSettingsOf } from '../../../server/settings/keyshare-mail.ts'
import type { AccountRow } from '../../../stores/account-store.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { keyshareOptionsOfTest } from '../../server/keyshare-of-test.ts'
import { settle } from '../node.ts'

export const STORAGE_KEYS = storageKeys(parseStorageKey(storageKeyFile(7, new Uint8Array(32).fill(7))), [])
export const START = Date.UTC(2030, 0, 1)
export const ADDRESS = 'user@home.example'
const OPTIONS = keyshareOptionsOfTest({
  email_server: 'mail.example:25',
  email_from: 'accounts@svc.example',
})
export const CALLER = '192.0.2.1'
export const TIMES = accountTimesOf(OPTIONS)

export const MAIL_SETTINGS = settingsOfMails()

function settingsOfMails(): MailSettings {
  const settings = mailSettingsOf(OPTIONS, 'https://keyshare.example')
  if (settings === null) throw new Error('mails of tests: expected settings, got none')
  return { ...settings, backoff: { firstMs: 1_000, maxMs: 60_000 } }
}

const RECORDS = { binding: 'write', commitmentsOf: 'any' } as const

/** The behaviour of the mail server, which a test can change. */
type MailServerOfWorld = { one: (mail: Mail) => Promise<number>; offersUtf8: boolean | null }

/** @param domains states of domains; all others accept mail
 *  @param rates the bounds of mails
 *  @param looked receives each domain that is looked up
 *  @param own settings in place of those of tests */
export function createMailWorld(
  domains: Readonly<Record<string, DomainState>> = {},
  rates = MAIL_SETTINGS.rates,
  looked: (domain: string) => void = () => {},
  own: Partial<MailSettings> = {},
) {
  const clock = createSimulatedClock(START)
  const store = createMemoryStore()
  const reports: string[] = []
  const sent: Mail[] = []
  const send: MailServerOfWorld = { one: async () => 250, offersUtf8: true }
  const random = systemRandomness
  const ground = { clock, random, storageKeys: STORAGE_KEYS, settings: { ...MAIL_SETTINGS, ...own } }
  const report = (id: string, error: unknown): void => void reports.push(`${id}: ${error}`)
  const accounts = createAccounts({ ...ground, ...RECORDS, store, bootId: 'boot A', report })
  const settled = (): Promise<void> => fiveSeconds(clock)
  const takesMail = async (domain: string): Promise<DomainState> => {
    looked(domain)
    return domains[domain] ?? 'takes mail'
  }
  const mail = recording(sent, send)
  const deliveries = createDeliveries({
    ...{ store, clock, bootId: 'boot A', report },
    post: sendMail({ ...ground, mail }),
    notify: () => {},
  })
  const bounds = createMailBounds(rates, clock)
  const confirmations = createConfirmations({ ...ground, ...store, bounds, takesMail, mail })
  const loginMails = createLoginMails({ ...ground, store, bounds, report: error => report('login', error) })
  const owners = createOwners({ ...ground, store, confirmations, accounts, times: TIMES, report })

  /** @param email empty: the user gives none */
  async function register(email: string = ADDRESS, caller = CALLER): Promise<AccountRow> {
    const userName = random.userName()
    const secrets = newSecrets('pin', { mk: 5n, tokenId: random.bytes(32), deviceKey: new Uint8Array(91) })
    const store = (inserts: object) => accounts.register({ userName, language: 'nl', secrets, inserts })
    const accountId = hashOfToken(userName)
    return email === '' ? store({}) : confirmations.ask({ accountId, email, language: 'nl', caller }, store)
  }

  /** Registers an account and confirms its address. */
  async function confirmed(email: string = ADDRESS): Promise<AccountRow> {
    const { id } = await register(email)
    await settled()
    await owners.confirm(tokenIn(sent.at(-1)))
    return (await accounts.read(id)) as AccountRow // it was stored above
  }

  async function close(): Promise<void> {
    await loginMails.close()
    await deliveries.close()
    await accounts.close()
  }

  const parts = { clock, store, accounts, confirmations, loginMails, owners, takesMail, ground }
  return { ...parts, sent, send, reports, register, confirmed, settled, close }
}

/** A mail server that records its mails. */
function recording(sent: Mail[], server: MailServerOfWorld) {
  return {
    offersUtf8: () => server.offersUtf8,
    send(one: Mail): Promise<number> {
      sent.push(one)
      return server.one(one)
    },
  }
}

/** Advances the clock by five seconds. Pending mails are sent within this time. */
async function fiveSeconds(clock: SimulatedClock): Promise<void> {
  await settle()
  clock.advance(5_000)
  await settle()
}

/** The token of the link in a mail. */
export function tokenIn(mail: Pick<WrittenMail, 'text'> | undefined): string {
  const [, token] = /\/account\/(?:en|nl)\/(?:confirm|login)\/(\w{20})$/m.exec(mail?.text ?? '') ?? []
  if (token === undefined) throw new Error('expected a link in the mail, got none')
  return token
}
