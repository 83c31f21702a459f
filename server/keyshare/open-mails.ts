/** The background work of a keyshare server: pending mails, and the expiry of accounts. Without a mail server, addresses of users
 *  are dropped (spec/keyshare-server#4.1) and no account expires. @module */
import type { StorageKeys } from '../../accounts/storage-keys.ts'
import type { Accounts } from '../../actors/accounts/accounts.ts'
import { createDeliveries } from '../../actors/deliveries/deliveries.ts'
import { createConfirmations } from '../../actors/mails/confirmations.ts'
import { createLoginMails } from '../../actors/mails/logins.ts'
import { createMailBounds } from '../../actors/mails/mail-bounds.ts'
import { sendMail } from '../../actors/mails/send-mail.ts'
import type { MailSettings } from '../../actors/mails/settings.ts'
import { createOwners } from '../../actors/owners/owners.ts'
import { startAccountTasks } from '../../actors/tasks/account-tasks.ts'
import type { WarningMeans } from '../../actors/tasks/expiry-warnings.ts'
import type { AccountPageDeps } from '../../http/account-page/deps.ts'
import type { KeyshareDeps } from '../../http/keyshare/deps.ts'
import { createMailPort, type MailPort } from '../../ports/mail.ts'
import { domainCheck } from '../../ports/mail-domain.ts'
import type { AccountsStore } from '../../stores/store.ts'
import type { OnClose } from '../closable.ts'
import { accountLog } from '../log/account-log.ts'
import { deliveryLog } from '../log/delivery-log.ts'
import { unlessOfStore } from '../open-option-store.ts'
import type { KeyshareNodeSettings } from '../settings/keyshare-settings.ts'
import type { KeyshareWorld } from '../world.ts'

export type Mails = {
  readonly withMail: KeyshareDeps['withMail']
  readonly page: Pick<AccountPageDeps, 'owners' | 'loginMails' | 'storageKeys' | 'pageUrl' | 'times'>
}

type Ground = {
  readonly store: AccountsStore
  readonly accounts: Accounts
  readonly bootId: string
}

type MailMeans = { readonly settings: MailSettings; readonly mail: MailPort }

/** @returns null: there is no mail server */
export function openMails(
  { mail: settings, times, keyshare: { storageKeys } }: KeyshareNodeSettings,
  world: KeyshareWorld,
  ground: Ground,
  onClose: OnClose,
): Mails | null {
  const { clock, log, random, instead = {} } = world
  const { store, accounts } = ground
  const takesMail = instead.takesMail ?? domainCheck(clock)
  const mail = settings && (instead.mail ?? createMailPort(settings.server, { clock }))
  const means = settings && mail && { random, storageKeys, settings, takesMail, mail }
  if (means) openDeliveries(means, world, ground, onClose)
  const mails = means && openParts({ ...means, ...ground }, world, times, onClose)
  const report = unlessOfStore((task: string, error) => log.error({ task, err: error }, 'task failed'))
  const stored = store.accounts
  const tasks = startAccountTasks({ stored, accounts, clock, times, report, warnings: means })
  onClose(() => tasks.close())
  return mails
}

function openDeliveries(
  { settings, storageKeys, mail }: MailMeans & { readonly storageKeys: StorageKeys },
  { clock, log, inspection, metrics }: KeyshareWorld,
  { store, bootId }: Ground,
  onClose: OnClose,
): void {
  const post = sendMail({ mail, storageKeys, settings })
  const figures = metrics?.actors
  const deliveries = createDeliveries({
    store,
    clock,
    bootId,
    post,
    inspection,
    figures,
    ...deliveryLog(log),
  })
  onClose(() => deliveries.close())
}

function openParts(
  means: WarningMeans & Ground & MailMeans,
  { clock, log }: KeyshareWorld,
  times: KeyshareNodeSettings['times'],
  onClose: OnClose,
): Mails {
  const report = unlessOfStore((_: string, error) => log.error({ err: error }, 'mail for a login failed'))
  const parts = { ...means, clock, bounds: createMailBounds(means.settings.rates, clock) }
  const loginMails = createLoginMails({ ...parts, report: error => report('', error) })
  onClose(() => loginMails.close())
  const confirmations = createConfirmations({
    ...parts,
    accounts: means.store.accounts,
    deliveries: means.store.deliveries,
  })
  const owners = createOwners({ ...parts, confirmations, times, report: accountLog(log) })
  const { storageKeys, settings } = means
  const page = { owners, loginMails, storageKeys, pageUrl: settings.pageUrl, times }
  return { withMail: (...asked) => confirmations.ask(...asked), page }
}
