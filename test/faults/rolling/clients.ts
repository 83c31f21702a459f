/** The clients of servers that are restarted one after the other. They retry no call, and continue as existing clients do when a stream ends. @module */
import * as assert from 'uvu/assert'
import { answerSession, type SessionHandlers } from '../../../libraries/wallet/session.ts'
import { createSystemClock } from '../../../ports/clock.ts'
import type { Client } from '../../http/client.ts'
import { appHeaders, disclosure, type SessionOfTest, sessionIn } from '../../http/harness.ts'
import { deps, newWallet } from '../../wallet/demo-wallets.ts'

const JSON_BODY = { 'Content-Type': 'application/json' }
const FINAL = ['"DONE"', '"CANCELLED"', '"TIMEOUT"']

export type Counts = { calls: number; sessions: number; proofs: number; reconnects: number }

export type Clients = {
  /** A session that is followed, connected and cancelled. */
  readonly live: () => Promise<void>
  /** Begins a session and follows it. @returns a function that cancels it, and resolves when its stream has reported that */
  readonly follow: () => Promise<() => Promise<void>>
  /** A wallet app discloses. It retries its own calls, and the load balancer records the failures. */
  readonly disclose: () => Promise<void>
  readonly counts: Readonly<Counts>
}

type Caller = {
  readonly token: string
  readonly server: Client
  readonly counts: Counts
  readonly call: Client['call']
}

function callerOf(server: Client, token: string): Caller {
  const counts: Counts = { calls: 0, sessions: 0, proofs: 0, reconnects: 0 }
  const call: Client['call'] = async (method, path, options) => {
    const answer = await server.call(method, path, options)
    counts.calls += 1
    assert.is(answer.status, 200, `${method} ${path}: ${answer.status} ${answer.text}`)
    return answer
  }
  return { token, server, counts, call }
}

type Begun = { readonly session: SessionOfTest; readonly pointer: string }

async function begin({ call, counts, token }: Caller): Promise<Begun> {
  const headers = { ...JSON_BODY, ...(token !== '' && { Authorization: token }) }
  const created = await call('POST', '/session', { headers, body: { request: disclosure() } })
  counts.sessions += 1
  return { session: sessionIn(created), pointer: JSON.stringify(Object(created.json).sessionPtr) }
}

/** Follows a session to its end, as an event source does: a stream that ends without a final status is opened again, after a read of the status. */
async function untilFinal({ server, call, counts }: Caller, { requestor }: SessionOfTest): Promise<string> {
  for (let opened = 0; ; opened++) {
    if (opened > 0) counts.reconnects += 1
    const stream = await server.open(`${requestor}/statusevents`)
    const { status } = stream.head
    assert.ok(status === 200 || status === 204, `a stream: ${status}`)
    const { text } = await call('GET', `${requestor}/status`)
    if (FINAL.includes(text)) {
      stream.leave()
      return text
    }
    for (let frame = await stream.next(); frame !== null; frame = await stream.next())
      if (FINAL.includes(frame.slice('data: '.length))) return frame.slice('data: '.length)
  }
}

/** @param token of the requestor; omitted if the server requires none */
export async function clientsOf(
  server: Client,
  { token = '', fetch: fetching = fetch }: { readonly token?: string; readonly fetch?: typeof fetch } = {},
): Promise<Clients> {
  const caller = callerOf(server, token)
  const { counts, call } = caller
  const clock = createSystemClock({ keepsAlive: true })
  const wallet = await newWallet(undefined, true, { ...deps, clock })
  const agree: SessionHandlers = {
    consent: async ({ candidates }) => ({ answer: 'disclose', choices: candidates.items.map(() => 0) }),
  }
  return {
    counts,
    async follow() {
      const { session } = await begin(caller)
      const told = untilFinal(caller, session)
      return async () => {
        await call('DELETE', session.requestor)
        assert.is(await told, '"CANCELLED"')
      }
    },
    async live() {
      const { session } = await begin(caller)
      const told = untilFinal(caller, session)
      told.catch(() => {}) // an error of a call is thrown first
      await call('GET', session.app, { headers: appHeaders() })
      await call('GET', `${session.frontend}/status`, { headers: session.authorization })
      await call('DELETE', session.app)
      assert.is(await told, '"CANCELLED"')
      await call('GET', `${session.requestor}/result`)
    },
    async disclose() {
      const { session, pointer } = await begin(caller)
      const outcome = await answerSession({ ...deps, wallet, fetch: fetching, clock }, pointer, agree)
      assert.is(outcome.status, 'success', JSON.stringify(outcome))
      assert.is(Object((await call('GET', `${session.requestor}/result`)).json).proofStatus, 'VALID')
      counts.proofs += 1
    },
  }
}
