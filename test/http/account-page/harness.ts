/** The account page of a whole keyshare server, and a client that behaves like a browser without scripts: it keeps the cookie, and sends the forms of the page. @module */
import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Inspection } from '../../../actors/inspection/inspection.ts'
import type { Mail } from '../../../ports/mail.ts'
import { createSimulatedClock, type SimulatedClock } from '../../../ports/simulated-clock.ts'
import type { AccountRow } from '../../../stores/account-store.ts'
import { settle } from '../../actors/node.ts'
import { type NodeOfTest, startNode } from '../../server/keyshare/node.ts'
import { FAILURES } from '../../server/node-of-test.ts'
import { type Answer, type Client, clientOf } from '../client.ts'

export const ADDRESS = 'user@home.example'

export type PageOfTest = {
  readonly node: NodeOfTest
  readonly clock: SimulatedClock
  readonly client: Client
  readonly sent: Mail[]
  readonly logged: unknown[]
  /** Registers an account with that address, and confirms the address by its link. */
  confirmed(email?: string): Promise<AccountRow>
  /** Sends the pending mails. @returns the path of the link in the last mail */
  mailedPath(): Promise<string>
  settled(): Promise<void>
  /** A browser that has requested a login link and followed it. */
  loggedIn(email?: string): Promise<Browser>
}

/** The state that a browser keeps between two pages. */
export class Browser {
  readonly #client: Client
  cookie = ''
  /** the last answer */
  page: Answer | null = null

  constructor(client: Client) {
    this.#client = client
  }

  /** Follows redirects, as browsers do. */
  async get(path: string): Promise<Answer> {
    return this.#followed(await this.#client.call('GET', path, { headers: this.#headers() }))
  }

  /** Sends the form whose action ends with `actionEnd`, with the typed values. */
  async submit(actionEnd: string, typed: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const forms = [
      ...(this.page?.text ?? '').matchAll(/<form method="post" action="([^"]*)">(.*?)<\/form>/gs),
    ]
    const form = forms.find(([, action = '']) => action.split('#')[0]?.endsWith(actionEnd))
    if (form === undefined) throw new Error(`expected a form to ${actionEnd}, got ${this.page?.text}`)
    const [, action = '', content = ''] = form
    const hidden = [...content.matchAll(/<input type="hidden" name="(\w+)" value="(\w*)">/g)]
    const fields = new URLSearchParams()
    for (const [, name = '', value = ''] of hidden) fields.set(name, value)
    for (const [name, value] of Object.entries(typed)) fields.set(name, value)
    return this.post(action.split('#')[0] ?? '', fields.toString())
  }

  async post(path: string, body: string): Promise<Answer> {
    const headers = { ...this.#headers(), 'Content-Type': 'application/x-www-form-urlencoded' }
    return this.#followed(await this.#client.call('POST', path, { headers, body }))
  }

  #headers(): Record<string, string> {
    return this.cookie === '' ? {} : { Cookie: this.cookie }
  }

  async #followed(answer: Answer): Promise<Answer> {
    const [set] = answer.headers['set-cookie'] ?? []
    if (set !== undefined) this.cookie = set.includes('Max-Age=0') ? '' : (set.split(';')[0] ?? '')
    const { location } = answer.headers
    this.page = answer
    return location === undefined ? answer : this.get(location)
  }
}

/** @param values options of the server, in addition to the required ones */
export async function withPage(
  use: (page: PageOfTest) => Promise<void>,
  values: Readonly<Record<string, unknown>> = {},
  inspection?: Inspection,
): Promise<void> {
  const clock = createSimulatedClock(Date.UTC(2030, 0, 1))
  const sent: Mail[] = []
  const logged: unknown[] = []
  const note = (...words: readonly unknown[]): void => void logged.push(words)
  const mail = {
    send: async (one: Mail): Promise<number> => (sent.push(one) > 0 ? 250 : 0),
    check: async () => ({ offersLogin: true }),
    offersUtf8: () => true,
  }
  const mailOptions = { email_server: 'mail.example:25', email_from: 'accounts@svc.example' }
  const node = await startNode(
    { ...mailOptions, url: 'https://keyshare.example/', ...values },
    {
      clock,
      inspection,
      log: { ...FAILURES, info: note, warn: note },
      instead: { mail, takesMail: async () => 'takes mail' },
    },
  )
  try {
    await use(pageOf(node, { clock, sent, logged }))
  } finally {
    const closed = node.close()
    clock.advance(60_000)
    await closed
  }
}

function pageOf(node: NodeOfTest, world: Pick<PageOfTest, 'clock' | 'sent' | 'logged'>): PageOfTest {
  const { clock, sent } = world
  const client = clientOf(node.port)
  const settled = async (): Promise<void> => {
    await settle(30)
    clock.advance(5_000)
    await settle(30)
  }
  const mailedPath = async (): Promise<string> => {
    await settled()
    const [, path] = /^https?:\/\/keyshare\.example(\/account\/\S+)$/m.exec(sent.at(-1)?.text ?? '') ?? []
    if (path === undefined) throw new Error('expected a link in the last mail')
    return path
  }
  const confirmed = async (email = ADDRESS): Promise<AccountRow> => {
    const before = sent.length
    const body = { pin: 'pin', email, language: 'en' }
    assert.is((await client.call('POST', '/client/register', { body })).status, 200)
    const browser = new Browser(client)
    const path = await mailedPath()
    assert.is(sent.length, before + 1)
    await browser.get(path)
    assert.is((await browser.submit(path)).status, 200)
    const ids = await node.store.accounts.withAddress(email)
    const row = await node.store.accounts.load(ids.at(-1) ?? '')
    if (row === null) throw new Error('expected an account with that address')
    return row
  }
  const loggedIn = async (email = ADDRESS): Promise<Browser> => {
    const browser = new Browser(client)
    await browser.get('/account/en/login')
    await browser.submit('/login', { address: email })
    const path = await mailedPath()
    await browser.get(path)
    await browser.submit(path)
    return browser
  }
  return { ...world, node, client, mailedPath, settled, confirmed, loggedIn }
}

/** Lets the account's wallet app take part in `times` sessions, one after the other. Each session adds an entry to the account's log. */
export async function useInSessions({ accounts }: NodeOfTest, id: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const commitment = { lastKey: 'a.b-0', hashedComms: null, sealedRandomizer: randomBytes(112) }
    await accounts.turn(id, () => ({
      event: { type: 'app.requestedCommitments', version: 'v1' },
      commitment,
    }))
    await accounts.turn(id, () => ({ event: { type: 'app.requestedResponse', version: 'v1' } }))
  }
}
