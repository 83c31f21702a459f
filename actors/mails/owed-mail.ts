/** A mail that an account owes (`spec/keyshare-server.md` 13): written, sealed and inserted by the commit that causes it. @module */
import type { MailAddress } from '../../accounts/mails/address.ts'
import { sealMail } from '../../accounts/mails/sealed-mail.ts'
import type { MailKind, MailText } from '../../accounts/mails/texts.ts'
import { NONCE_BYTES, type StorageKeys } from '../../accounts/storage-keys.ts'
import { DELIVERY_CHART, newDelivery } from '../../machines/delivery.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Randomness } from '../../ports/randomness.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import type { MailSettings } from './settings.ts'

export type OwedMailDeps = {
  readonly clock: Pick<Clock, 'now'>
  /** a token, of which the id is made, and 12 bytes */
  readonly random: Pick<Randomness, 'token' | 'bytes'>
  readonly storageKeys: StorageKeys
  readonly settings: Pick<MailSettings, 'server'>
}

export type MailToOwe = {
  readonly kind: MailKind
  /** id of the account; empty: a login, for all accounts with that address */
  readonly owner: string
  readonly to: MailAddress
  readonly text: MailText
}

export function owedMail({ kind, owner, to, text }: MailToOwe, deps: OwedMailDeps): DeliveryRow {
  const { clock, random, storageKeys, settings } = deps
  const { host, port } = settings.server
  const id = `mail-${hashOfToken(random.token())}`
  const now = clock.now()
  return {
    ...newDelivery(now),
    ...{ id, owner },
    cause: kind,
    version: 1,
    chart: DELIVERY_CHART,
    host: `${host}:${port}`,
    owedAt: now,
    bootId: null,
    lastOutcome: null,
    message: sealMail({ ...text, to }, id, storageKeys, random.bytes(NONCE_BYTES)),
  }
}
