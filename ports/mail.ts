/** Sends one message to one address through the SMTP server of the operator. STARTTLS is used if the server offers it, and the certificate is
 *  checked. No connection is reused. Fields are made from parsed addresses only, so that no outside text gets into a header. No error names the
 *  recipient: an answer of the server may quote it, so only its status is kept. @module */
import { createTransport } from 'nodemailer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Clock } from './clock.ts'
import { timeLimit } from './limit.ts'

export type MailServer = {
  readonly host: string
  readonly port: number
  /** the name in the server's certificate, and TLS is required; null: TLS if offered, with the name of the host */
  readonly tlsName: string | null
  /** secret; null: the server requires none. They are sent only over TLS, or to this machine */
  readonly credentials: { readonly user: string; readonly password: string } | null
}

/** A parsed address, and a name to display with it. */
export type MailSender = { readonly name: string; readonly address: string }

export type Mail = {
  /** equal for all repetitions of a message; letters, digits and hyphens */
  readonly id: string
  readonly from: MailSender
  /** one address, parsed */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The step at which a message, or a check of the server, failed. */
export type MailFailureStep = 'connection' | 'TLS' | 'credentials' | 'address' | 'message' | 'time'

export class MailError extends Error {
  override readonly name = 'MailError'
  readonly step: MailFailureStep
  /** true: the server will never accept this message */
  readonly isPermanent: boolean
  /** True: the failure lasts until an operator acts, after an answer 5xx, a wrong certificate or wrong credentials. */
  readonly needsOperator: boolean
  /** @param got the status of the answer, or the error code of the system */
  constructor(step: MailFailureStep, got: string, isPermanent: boolean, needsOperator = false) {
    super(`${EXPECTED[step]}, got ${got}`)
    this.step = step
    this.isPermanent = isPermanent
    this.needsOperator = needsOperator
  }
}

export type MailLook = {
  /** The server offers AUTH. Without that offer the credentials are never sent, and mails leave without a login. */
  readonly offersLogin: boolean
}

export interface MailPort {
  /** Takes at most 20 s.
   *  @param stop aborts the sending
   *  @returns the status of the answer
   *  @throws {MailError} */
  send(mail: Mail, stop: AbortSignal): Promise<number>
  /** Checks connection, greeting, TLS and credentials without a message; takes at most 3 s.
   *  @throws {MailError} */
  check(): Promise<MailLook>
  /** True if the server accepts names with letters beyond ASCII (SMTPUTF8), by its last answer; null: not asked yet. */
  offersUtf8(): boolean | null
}

export type MailDeps = {
  readonly clock: Clock
  /** trusted certificates in place of those of the system, PEM */
  readonly ca?: string
}

const EXPECTED: Readonly<Record<MailFailureStep, string>> = {
  connection: 'expected a connection to an SMTP server',
  TLS: 'expected TLS with a certificate for the name of the server',
  credentials: 'expected a server that takes the credentials',
  address: 'expected a server that takes names with letters beyond ASCII (SMTPUTF8)',
  message: 'expected a server that takes the message',
  time: 'expected an answer in time',
}

/** The maximum time for one message; it is shorter than the lease of an attempt (machines/delivery.ts). */
const SEND_MS = 20_000
/** The longest time for a check, because the start of a server waits for it. */
const CHECK_MS = 3_000
const CONNECT_MS = 10_000
/** A connection that was ended is destroyed after this time: a silent server would keep it open, and the process alive. */
const CLOSE_MS = 1_000
const THIS_MACHINE: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1'])

export function createMailPort(server: MailServer, deps: MailDeps): MailPort {
  const options = optionsOf(server, deps)
  const transport = createTransport(options)
  let offersUtf8: boolean | null = null
  const look = async (signal: AbortSignal): Promise<MailLook> => {
    const heard = listener()
    const connection = new SMTPConnection({ ...options, logger: heard.logger, transactionLog: true })
    try {
      await Promise.race([logIn(connection, server.credentials), aborted(signal)])
    } finally {
      connection.close()
    }
    offersUtf8 = heard.offersUtf8()
    return { offersLogin: connection.allowsAuth }
  }
  const within = async <Result>(
    ms: number,
    work: (signal: AbortSignal) => Promise<Result>,
    stop?: AbortSignal,
  ): Promise<Result> => {
    using limit = timeLimit(deps.clock, ms, stop)
    try {
      return await work(limit.signal)
    } catch (error) {
      throw failureOf(error, limit.isOver ? ms : null)
    }
  }
  const send = async (mail: Mail, signal: AbortSignal): Promise<number> => {
    if (BEYOND_ASCII.test(mail.to)) {
      await look(signal)
      if (!offersUtf8) throw new MailError('address', 'none', true)
    }
    const { response } = await transport.sendMail({ ...messageOf(mail, deps), signal })
    return Number.parseInt(response, 10)
  }
  return {
    send: (mail, stop) => within(SEND_MS, signal => send(mail, signal), stop),
    check: () => within(CHECK_MS, look),
    offersUtf8: () => offersUtf8,
  }
}

/** Connects, and logs in where the server offers it. */
function logIn(connection: SMTPConnection, credentials: MailServer['credentials']): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null): void => (error ? reject(error) : resolve())
    connection.on('error', reject).on('end', () => reject(new Error('the connection ended')))
    connection.connect(error => {
      if (error || credentials === null || !connection.allowsAuth) return done(error)
      const { user, password: pass } = credentials
      connection.login({ credentials: { user, pass } }, done)
    })
  })
}

const BEYOND_ASCII = /[^\0-\x7f]/

/** Reads from the log of one connection if the server offers SMTPUTF8. The library reports it nowhere else, and sends such a name even to a server
 *  that does not accept it. */
function listener() {
  let isGreeted = false
  let offersUtf8 = false
  const hear = (entry: unknown, line: unknown): void => {
    const { tnx }: { readonly tnx?: unknown } = { ...Object(entry) }
    const text = String(line)
    if (tnx === 'client') isGreeted = text.startsWith('EHLO ')
    if (tnx !== 'server' || !isGreeted) return
    isGreeted = false
    offersUtf8 = /^250[ -]SMTPUTF8\s*$/im.test(text)
  }
  const ignore = (): void => {}
  const logger = { debug: hear, trace: ignore, info: ignore, warn: ignore, error: ignore, fatal: ignore }
  return { logger: { ...logger, level: ignore }, offersUtf8: () => offersUtf8 }
}

function optionsOf({ host, port, tlsName, credentials }: MailServer, { ca }: MailDeps) {
  return {
    host,
    port,
    secure: false,
    requireTLS: tlsName !== null || (credentials !== null && !THIS_MACHINE.has(host)),
    tls: { minVersion: 'TLSv1.2', ...(tlsName !== null && { servername: tlsName }), ...(ca && { ca }) },
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SEND_MS,
    socketCloseTimeout: CLOSE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const
}

function messageOf({ id, from, to, subject, text, html }: Mail, { clock }: MailDeps) {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const recipient = { name: '', address: to }
  return {
    from: { ...from },
    to: recipient,
    subject,
    text,
    html,
    envelope: { from: from.address, to: recipient },
    messageId: `<${id}@${domain}>`,
    date: new Date(clock.wallNow()),
    headers: { 'Auto-Submitted': 'auto-generated' }, // prevents automatic replies, such as out-of-office messages
    xMailer: false,
  } as const
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

/** By the error code of nodemailer. */
const STEPS: Readonly<Record<string, MailFailureStep>> = {
  EAUTH: 'credentials',
  ENOAUTH: 'credentials',
  ETLS: 'TLS',
  EENVELOPE: 'message',
  EMESSAGE: 'message',
}
/** Matches error codes of OpenSSL and Node about certificates. */
const OF_CERTIFICATES = /CERT|VERIFY|HOSTNAME|TLS|SSL/

/** Keeps only names and numbers of the error, because every message of nodemailer may quote the server.
 *  @param overMs the time limit that ended the work; null: another cause */
function failureOf(error: unknown, overMs: number | null): MailError {
  if (error instanceof MailError) return error
  if (overMs !== null) return new MailError('time', `none within ${overMs / 1_000} s`, false)
  const { code, originalCode, responseCode, permanent }: MailerErrorMembers = { ...Object(error) }
  const cause = nameIn(originalCode) ?? nameIn(code) ?? 'none'
  const step = OF_CERTIFICATES.test(cause) ? 'TLS' : (STEPS[String(code)] ?? 'connection')
  const isAnswer = typeof responseCode === 'number'
  const needsOperator = isAnswer ? responseCode >= 500 : step === 'TLS' || step === 'credentials'
  const got = isAnswer ? `answer ${responseCode}` : cause
  return new MailError(step, got, step === 'message' && permanent === true, needsOperator)
}

type MailerErrorMembers = {
  readonly code?: unknown
  readonly originalCode?: unknown
  readonly responseCode?: unknown
  readonly permanent?: unknown
}

function nameIn(value: unknown): string | null {
  return /^[A-Z][A-Z0-9_]*$/.test(String(value)) ? String(value) : null
}
