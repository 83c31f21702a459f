/** A mail of an account (spec/keyshare-server#13): the commit that causes it writes, seals and inserts it. @module */
import type { MailAddress } from '../../accounts/mails/address.ts'
import { sealMail } from '../../accounts/mails/sealed-mail.ts'
import type { MailKind, MailText } from '../../accounts/mails/texts.ts'
import { NONCE_BYTES, type StorageKeys } from '../../accounts/storage-keys.ts'
import { DELIVERY_CHART, newDelivery } from '../../machines/delivery.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Randomness } from '../../ports/randomness.ts'
import { UnavailableError } from '../../protocol/errors.ts'
import type { DeliveryRow, DeliveryStore } from '../../stores/delivery-store.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import type { MailSettings } from './settings.ts'

export type OwedMailDeps = {
  readonly clock: Pick<Clock, 'now'>
  /** provides a token, from which the id is made, and 12 bytes */
  readonly random: Pick<Randomness, 'token' | 'bytes'>
  readonly storageKeys: StorageKeys
  readonly settings: Pick<MailSettings, 'server'>
}

export type MailToOwe = {
  readonly kind: MailKind
  /** id of the account; empty for a login mail, which is for all accounts with that address */
  readonly owner: string
  readonly to: MailAddress
  readonly text: MailText
}

/** The most mails that wait for one mail server. */
const MAX_OWED = 10_000

/** For a mail that another person asks for. Beyond the bound no mail is accepted, and no waiting mail is dropped.
 *  @throws {UnavailableError} */
export async function requireMailRoom(
  deliveries: Pick<DeliveryStore, 'countOwed'>,
  { server }: Pick<MailSettings, 'server'>,
): Promise<void> {
  if ((await deliveries.countOwed({ host: hostOf(server) }, MAX_OWED)) >= MAX_OWED)
    throw new UnavailableError(`expected fewer than ${MAX_OWED} mails that are not sent yet, got as many`)
}

function hostOf({ host, port }: MailSettings['server']): string {
  return `${host}:${port}`
}

export function owedMail({ kind, owner, to, text }: MailToOwe, deps: OwedMailDeps): DeliveryRow {
  const { clock, random, storageKeys, settings } = deps
  const id = `mail-${hashOfToken(random.token())}`
  const now = clock.now()
  return {
    ...newDelivery(now),
    id,
    owner,
    cause: kind,
    version: 1,
    chart: DELIVERY_CHART,
    host: hostOf(settings.server),
    requestor: null,
    owedAt: now,
    bootId: null,
    lastOutcome: null,
    message: sealMail({ ...text, to }, id, storageKeys, random.bytes(NONCE_BYTES)),
  }
}
