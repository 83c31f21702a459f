/** The effect `post` of a delivery that is a mail: one attempt to hand it to the mail server. A permanent refusal of the mail server ends the delivery at once.
 *  Any other failure is retried, including those that only the operator can fix. No text for a log contains the mail or its recipient. @module */
import { openMail, type WrittenMail } from '../../accounts/mails/sealed-mail.ts'
import { RecordError } from '../../accounts/record-error.ts'
import type { StorageKeys } from '../../accounts/storage-keys.ts'
import { MailError, type MailPort } from '../../ports/mail.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import type { Attempt, AttemptOutcome } from '../deliveries/attempt.ts'
import type { MailSettings } from './settings.ts'

export type SendMailDeps = {
  readonly mail: Pick<MailPort, 'send'>
  readonly storageKeys: StorageKeys
  readonly settings: Pick<MailSettings, 'from' | 'backoff'>
}

export function sendMail({ mail, storageKeys, settings }: SendMailDeps): Attempt {
  const { from, backoff } = settings
  return async (row, stop) => {
    const { id, attempts: attempt } = row
    const written = writtenMail(row, storageKeys)
    if (written === null) return refused(attempt, 'the stored mail could not be read')
    try {
      const status = await mail.send({ ...written, id, from }, stop)
      return { event: { type: 'receiver.accepted', attempt }, words: `answered ${status}` }
    } catch (error) {
      if (!(error instanceof MailError)) throw error
      if (error.isPermanent) return refused(attempt, error.message)
      return { event: { type: 'receiver.failed', attempt, backoff }, words: error.message }
    }
  }
}

function refused(attempt: number, words: string): AttemptOutcome {
  return { event: { type: 'server.refused', attempt }, words }
}

/** @returns null for a damaged mail, or one whose storage key is no longer configured */
function writtenMail({ id, message }: DeliveryRow, storageKeys: StorageKeys): WrittenMail | null {
  try {
    return message === null ? null : openMail(message, id, storageKeys)
  } catch (error) {
    if (error instanceof RecordError) return null
    throw error
  }
}
