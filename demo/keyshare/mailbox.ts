/** The mailbox of the demo's invented person. Mails of the keyshare server to any address stay on this computer and are shown on the phone. @module */
import type { Mail, MailPort } from '../../ports/mail.ts'

/** Maximum number of stored mails; the oldest are dropped. */
const MAX_MAILS = 20
const ACCEPTED = 250
const LINK = /https?:\/\/\S+/

export type MailView = {
  readonly subject: string
  /** without the link */
  readonly text: string
  /** null: no link */
  readonly link: string | null
}

export type Mailbox = {
  readonly port: MailPort
  /** newest first */
  mails(): readonly MailView[]
  empty(): void
}

export function createMailbox(): Mailbox {
  const kept = new Map<string, Mail>()
  return {
    port: {
      check: async () => ({ offersLogin: true }),
      offersUtf8: () => true,
      async send(mail) {
        kept.set(mail.id, mail) // a retry sends the same mail
        for (const id of [...kept.keys()].slice(0, -MAX_MAILS)) kept.delete(id)
        return ACCEPTED
      },
    },
    mails: () => [...kept.values()].reverse().map(viewOf),
    empty: () => kept.clear(),
  }
}

function viewOf({ subject, text }: Mail): MailView {
  const link = LINK.exec(text)?.[0] ?? null
  return { subject, text: link === null ? text.trim() : text.replace(link, '').trim(), link }
}
