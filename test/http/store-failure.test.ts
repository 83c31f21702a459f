/** If the store fails, every endpoint that needs it answers 503. The log does not get a line for each call. @module */
import * as assert from 'uvu/assert'
import type { Sessions } from '../../actors/sessions.ts'
import { StoreError } from '../../stores/store-error.ts'
import { BADGE } from '../actors/authority.ts'
import { suite } from '../suite.ts'
import { appHeaders, disclosure, type SessionOfTest, withServer } from './harness.ts'

/** The methods that do not read the store. */
const AT_ONCE: readonly (keyof Sessions)[] = ['follow', 'close', 'can', 'knownByClientToken', 'reserveBody']
const fails = (): Promise<never> => Promise.reject(new StoreError('store /secret/path: failed'))

const CALLS: readonly (readonly [method: string, path: (session: SessionOfTest) => string])[] = [
  ['POST', () => '/session'],
  ...['/status', '/statusevents', '/result'].map(
    end => ['GET', ({ requestor }: SessionOfTest) => requestor + end] as const,
  ),
  ['DELETE', ({ requestor }) => requestor],
  ...['', '/request', '/status', '/statusevents'].map(
    end => ['GET', ({ app }: SessionOfTest) => app + end] as const,
  ),
  ...['/proofs', '/commitments'].map(end => ['POST', ({ app }: SessionOfTest) => app + end] as const),
  ['DELETE', ({ app }) => app],
  ...['/status', '/statusevents'].map(
    end => ['GET', ({ frontend }: SessionOfTest) => frontend + end] as const,
  ),
  ...['/options', '/pairingcompleted'].map(
    end => ['POST', ({ frontend }: SessionOfTest) => frontend + end] as const,
  ),
  ...['/update/16', '/update/16/0', '/events/0/0/16'].map(
    end => ['GET', () => `/svc/revocation/${BADGE}${end}`] as const,
  ),
]

const Failing = suite('a store that fails')

Failing(
  '503 with Retry-After at every endpoint that needs it, without a line of the log for each; /health is 200',
  async () => {
    let isFailing = false
    const wrapSessions = (sessions: Sessions) =>
      new Proxy(sessions, {
        get: (target, key: keyof Sessions) =>
          isFailing && !AT_ONCE.includes(key) ? fails : target[key].bind(target),
      })
    const served = {
      updates: fails,
      updateOf: fails,
      events: fails,
      addRecord: null,
      follow: () => () => {},
    }
    await withServer({ wrapSessions, revocation: { served: () => served } }, async server => {
      const session = await server.create()
      isFailing = true
      for (const [method, pathOf] of CALLS) {
        const headers = { 'Content-Type': 'application/json', ...appHeaders(), ...session.authorization }
        const body = method === 'POST' ? disclosure() : undefined
        const { status, headers: got, text } = await server.call(method, pathOf(session), { headers, body })
        assert.equal([status, got['retry-after']], [503, '2'], `${method} ${pathOf(session)}`)
        assert.not.match(text, /secret/)
      }
      assert.is((await server.call('GET', '/health')).status, 200)
      assert.equal(
        server.log.filter(line => /failure|secret/.test(line)),
        [],
      )
      isFailing = false
      assert.is((await server.call('GET', `${session.app}/status`)).text, '"INITIALIZED"')
    })
  },
)

Failing.run()
