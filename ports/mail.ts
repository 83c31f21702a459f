/** Mail as this program sends it: one message to one address, by one SMTP server that the operator names. STARTTLS is used wherever it is offered, with a
 *  certificate that is checked; nothing is kept between two messages. Fields are made from addresses that were parsed, so that nobody's text gets into
 *  a header. No failure says to whom a message was: what a server answers may quote that, so of it the status alone is kept. @module */
import { createTransport } from 'nodemailer'
import type { Clock } from './clock.ts'
import { timeLimit } from './limit.ts'

export type MailServer = {
  readonly host: string
  readonly port: number
  /** the name that its certificate must bear: TLS is required; null: TLS where it is offered, under the name of the host */
  readonly tlsName: string | null
  /** secret; null: the server asks for none. They leave only over TLS, or to this machine */
  readonly credentials: { readonly user: string; readonly password: string } | null
}

/** An address of which every part was parsed, and a name to be shown with it. */
export type MailSender = { readonly name: string; readonly address: string }

export type Mail = {
  /** equal for every repetition of the same message; letters, digits and hyphens */
  readonly id: string
  readonly from: MailSender
  /** one address, parsed */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** What a message, or a look at the server, failed at. */
export type MailFailureStep = 'connection' | 'TLS' | 'credentials' | 'address' | 'message' | 'time'

export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  readonly step: MailFailureStep
  /** the server will never take this message */
  readonly isPermanent: boolean
  /** The failure lasts until an operator changes something: an answer 5xx, a wrong certificate or wrong credentials. */
  readonly needsOperator: boolean
  /** @param got the status that was answered, or how the system calls what went wrong */
  constructor(step: MailFailureStep, got: string, isPermanent: boolean, needsOperator = false) {
    super(`${EXPECTED[step]}, got ${got}`)
    this.step = step
    this.isPermanent = isPermanent
    this.needsOperator = needsOperator
  }
}

export interface MailPort {
  /** Within 20 s.
   *  @param stop gives up before that
   *  @returns the status that was answered
   *  @throws {MailFailure} */
  send(mail: Mail, stop: AbortSignal): Promise<number>
  /** Connection, greeting, TLS and credentials, without a message; within 20 s.
   *  @throws {MailFailure} */
  check(): Promise<void>
  /** Whether the server takes names with letters beyond ASCII (SMTPUTF8), as it said last; null: nobody has asked it. */
  offersUtf8(): boolean | null
}

export type MailDeps = {
  readonly clock: Clock
  /** certificates to be trusted in place of the system's, PEM */
  readonly ca?: string
}

const EXPECTED: Readonly<Record<MailFailureStep, string>> = {
  connection: 'expected a connection to an SMTP server',
  TLS: 'expected TLS with a certificate for the name of the server',
  credentials: 'expected a server that takes the credentials',
  address: 'expected a server that takes names with letters beyond ASCII (SMTPUTF8)',
  message: 'expected a server that takes the message',
  time: 'expected an answer within 20 s',
}

/** The longest time for one message, or one look: shorter than the lease of an attempt (machines/delivery.ts). */
const SEND_MS = 20_000
const CONNECT_MS = 10_000
const THIS_MACHINE: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1'])

export function createMailPort(server: MailServer, deps: MailDeps): MailPort {
  const options = optionsOf(server, deps)
  const transport = createTransport(options)
  let offersUtf8: boolean | null = null
  const look = async (signal: AbortSignal): Promise<boolean> => {
    const heard = listener()
    const asking = createTransport({ ...options, logger: heard.logger, transactionLog: true })
    await Promise.race([asking.verify(), aborted(signal)])
    offersUtf8 = heard.offersUtf8()
    return offersUtf8
  }
  const within = async <Result>(work: (signal: AbortSignal) => Promise<Result>, stop?: AbortSignal) => {
    using limit = timeLimit(deps.clock, SEND_MS, stop)
    try {
      return await work(limit.signal)
    } catch (error) {
      throw failureOf(error, limit.isOver)
    }
  }
  return {
    send: (mail, stop) =>
      within(async signal => {
        if (BEYOND_ASCII.test(mail.to) && !(await look(signal)))
          throw new MailFailure('address', 'none', true)
        const { response } = await transport.sendMail({ ...messageOf(mail, deps), signal })
        return Number.parseInt(response, 10)
      }, stop),
    check: () =>
      within(async signal => {
        await look(signal)
      }),
    offersUtf8: () => offersUtf8,
  }
}

const BEYOND_ASCII = /[^\0-\x7f]/

/** Hears on one connection what the server offers: the library says it nowhere else, and sends such a name to a server that does not take it. */
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
    ...{ host, port, secure: false },
    requireTLS: tlsName !== null || (credentials !== null && !THIS_MACHINE.has(host)),
    tls: { minVersion: 'TLSv1.2', ...(tlsName !== null && { servername: tlsName }), ...(ca && { ca }) },
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    ...{ connectionTimeout: CONNECT_MS, dnsTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS },
    ...{ socketTimeout: SEND_MS, disableFileAccess: true, disableUrlAccess: true },
  } as const
}

function messageOf({ id, from, to, subject, text, html }: Mail, { clock }: MailDeps) {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const recipient = { name: '', address: to }
  return {
    ...{ from: { ...from }, to: recipient, subject, text, html },
    envelope: { from: from.address, to: recipient },
    messageId: `<${id}@${domain}>`,
    date: new Date(clock.wallNow()),
    headers: { 'Auto-Submitted': 'auto-generated' }, // nobody's notice of absence is wanted
    xMailer: false,
  } as const
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

/** By the codes of nodemailer. */
const STEPS: Readonly<Record<string, MailFailureStep>> = {
  EAUTH: 'credentials',
  ENOAUTH: 'credentials',
  ETLS: 'TLS',
  EENVELOPE: 'message',
  EMESSAGE: 'message',
}
/** How OpenSSL and Node call what is wrong with a certificate. */
const OF_CERTIFICATES = /CERT|VERIFY|HOSTNAME|TLS|SSL/

/** Keeps names and numbers of the error alone: every message of nodemailer may quote the server.
 *  @param isOver whether it was the time that ended it */
function failureOf(error: unknown, isOver: boolean): MailFailure {
  if (error instanceof MailFailure) return error
  if (isOver) return new MailFailure('time', 'none', false)
  const { code, originalCode, responseCode, permanent }: Facts = { ...Object(error) }
  const cause = nameIn(originalCode) ?? nameIn(code) ?? 'none'
  const step = OF_CERTIFICATES.test(cause) ? 'TLS' : (STEPS[String(code)] ?? 'connection')
  const isAnswer = typeof responseCode === 'number'
  const needsOperator = isAnswer ? responseCode >= 500 : step === 'TLS' || step === 'credentials'
  const got = isAnswer ? `answer ${responseCode}` : cause
  return new MailFailure(step, got, step === 'message' && permanent === true, needsOperator)
}

type Facts = {
  readonly code?: unknown
  readonly originalCode?: unknown
  readonly responseCode?: unknown
  readonly permanent?: unknown
}

function nameIn(value: unknown): string | null {
  return /^[A-Z][A-Z0-9_]*$/.test(String(value)) ? String(value) : null
}
