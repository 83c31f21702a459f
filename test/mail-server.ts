/** A real SMTP server on this machine, and the mails that it accepted. @module */
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { tlsPair } from './tls.ts'

/** A certificate for `localhost` and 127.0.0.1, which no other program trusts. */
const TLS = tlsPair()
export const MAIL_CA = TLS.cert

export type ReceivedMail = {
  /** the sender of the envelope */
  readonly from: string
  readonly to: readonly string[]
  readonly isEncrypted: boolean
  /** the user who has logged in; empty if none */
  readonly user: string
  /** the header, and the body with its quoting undone, including all parts */
  readonly content: string
}

export type MailServerOfTest = {
  readonly port: number
  readonly mails: ReceivedMail[]
  /** Resolves with the next mail, or with one that has arrived since the last call. */
  next(): Promise<ReceivedMail>
  close(): Promise<void>
}

type Refusals = {
  /** the status of a refusal; null to accept */
  readonly recipient?: (address: string) => number | null
  readonly content?: () => number | null
}

type Options = {
  /** true to offer STARTTLS */
  readonly hasTls?: boolean
  readonly credentials?: { readonly user: string; readonly password: string }
  readonly refusals?: Refusals
  /** true to hide SMTPUTF8 */
  readonly hidesUtf8?: boolean
  /** an address of this machine; 127.0.0.1 by default */
  readonly host?: string
  /** any free port by default */
  readonly port?: number
}

export async function startMailServer(options: Options = {}): Promise<MailServerOfTest> {
  const mails: ReceivedMail[] = []
  const waiting: ((mail: ReceivedMail) => void)[] = []
  let asked = 0
  const smtp = new SMTPServer({
    ...handlers(options, mail => {
      mails.push(mail)
      waiting.shift()?.(mail)
    }),
    ...(options.hasTls ? TLS : { disabledCommands: ['STARTTLS'] }),
    authOptional: options.credentials === undefined,
    allowInsecureAuth: true,
    logger: false,
    disableReverseLookup: true,
    closeTimeout: 100,
    hideSMTPUTF8: options.hidesUtf8 === true,
  })
  smtp.on('error', () => {}) // a client has disconnected
  const server: Server = smtp.listen(options.port ?? 0, options.host ?? '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port, // the server listens on a port
    mails,
    next: () => {
      const mail = mails[asked++]
      return mail ? Promise.resolve(mail) : new Promise(resolve => waiting.push(resolve))
    },
    close: () => new Promise(resolve => smtp.close(resolve)),
  }
}

function refusal(status: number): Error {
  return Object.assign(new Error('refused: somebody@secret.example'), { responseCode: status })
}

function handlers(
  { credentials, refusals = {} }: Options,
  take: (mail: ReceivedMail) => void,
): SMTPServerOptions {
  return {
    onAuth({ username, password }, _session, callback) {
      const isRight = username === credentials?.user && password === credentials?.password
      callback(isRight ? null : refusal(535), { user: username })
    },
    onRcptTo({ address }, _session, callback) {
      const status = refusals.recipient?.(address) ?? null
      callback(status === null ? null : refusal(status))
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const refused = refusals.content?.() ?? null
        if (refused !== null) return callback(refusal(refused))
        const { envelope, secure, user } = session
        take({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          isEncrypted: secure,
          user: String(user ?? ''),
          content: unquoted(Buffer.concat(chunks).toString('latin1')),
        })
        callback()
      })
    },
  }
}

/** The header is not changed: it has its own quoting. */
function unquoted(text: string): string {
  const header = text.slice(0, text.indexOf('\r\n\r\n'))
  const bytes = text
    .slice(header.length)
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return header + Buffer.from(bytes, 'latin1').toString('utf8')
}
