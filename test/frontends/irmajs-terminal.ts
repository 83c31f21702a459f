/** A program of a requestor with `irmajs` in Node: it shows a QR code in its terminal. Arguments: the server, the request as JSON, and the
 *  authentication (method, key, name). It prints lines of JSON: `started` with the session, `ended` with result or reason, `connected` with the hosts that
 *  it called. @module */
import { createRequire } from 'node:module'
import { connectedTo } from './connections.ts'

/** The used part of `irmajs`, which has no types. */
type Irmajs = {
  startSession(server: string, request: object, ...authentication: readonly string[]): Promise<Started>
  handleSession(pointer: object, options: object): Promise<unknown>
}
type Started = { readonly sessionPtr: object; readonly token: string }

const irma: Irmajs = createRequire(import.meta.url)('@privacybydesign/irmajs')
const [server = '', request = '', ...authentication] = process.argv.slice(2)
const say = (what: string, value: unknown): void => console.log(`${what} ${JSON.stringify(value)}`)

const { sessionPtr, token } = await irma.startSession(server, JSON.parse(request), ...authentication)
say('started', { sessionPtr, token })
await irma.handleSession(sessionPtr, { server, token, method: 'console' }).then(
  result => say('ended', result),
  reason => say('ended', reason),
)
say('connected', connectedTo())
