/** The mailbox of the demo's invented person: what the keyshare server mails stays on this computer, whatever the address is, and is shown on the phone. @module */
import type { Mail, MailPort } from '../../ports/mail.ts'

/** The most mails that are kept; the oldest go. */
const MAX_MAILS = 20
const ACCEPTED = 250
const LINK = /https?:\/\/\S+/

export type MailView = {
  readonly subject: string
  /** without the link */
  readonly text: string
  /** null: there is none */
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
      check: async () => undefined,
      offersUtf8: () => true,
      async send(mail) {
        kept.set(mail.id, mail) // a repetition is the same mail
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
