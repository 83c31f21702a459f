/** The tour: one address on this computer with web sites, a phone and the session server between them. All are real and talk over HTTP;
 *  only the person is invented. Listens on a loopback address and answers to its own names only, since its wallet and its web sites ask for no password.
 *  @module */
import { createServer, type IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import { answerBrokenRequest } from '../http/broken-request.ts'
import { createSessionServer } from '../http/server.ts'
import { LIMITS } from '../http/settings.ts'
import { PROFILES } from '../protocol/profiles.ts'
import { loadSchemes } from '../schemes/load.ts'
import { createDemoApp } from './app.ts'
import { onlyByName } from './guard.ts'
import { closeListener, listen } from './listen.ts'
import { startSessions } from './memory-sessions.ts'
import type { Demo, DemoOptions, OnEnd } from './options.ts'
import { ownSchemes } from './own-schemes.ts'
import { openPhone } from './phone-wallet.ts'
import { siteFetch } from './site-fetch.ts'
import { siteHosts } from './site-hosts.ts'
import { startStamps } from './stamps.ts'
import { noteSubmissions } from './submissions.ts'

/** @throws {RangeError} for an address that others can reach
 *  @throws what the system says of the address, and the reason of schemes that do not load; nothing is left behind then */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { host = '127.0.0.1' } = options
  if (!(isIPv4(host) && host.startsWith('127.')) && host !== '::1')
    throw new RangeError(`demo: expected a loopback address, got ${JSON.stringify(host)}`)
  const endings: (() => Promise<void> | void)[] = []
  const close = async (): Promise<void> => {
    for (const end of endings.splice(0).reverse()) await end()
  }
  try {
    return { address: await start({ ...options, host }, end => endings.push(end)), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** @returns the address */
async function start(options: DemoOptions & { readonly host: string }, onEnd: OnEnd): Promise<string> {
  const { host, log, port: wanted = 0 } = options
  const stamps = await startStamps(options, await loadSchemes(options.schemesPath), onEnd)
  const listener = createServer({ headersTimeout: LIMITS.readingMs, requestTimeout: 2 * LIMITS.readingMs })
  const address = await listen(listener.on('clientError', answerBrokenRequest(LIMITS)), wanted, host)
  onEnd(() => closeListener(listener))
  const own = { timestampServer: stamps.address, revocationServer: address + PROFILES.svc.prefix }
  const schemes = await ownSchemes(options, own, onEnd)
  const hosts = siteHosts(address)
  const submissions = noteSubmissions(siteFetch(address, hosts.all))
  const phone = await openPhone(options, schemes, submissions.fetch, onEnd)
  const deps = await startSessions({ ...options, hosts: hosts.all }, schemes, address, onEnd)
  const server = createSessionServer(deps)
  onEnd(() => server.close()) // ends its event streams
  const demo = createDemoApp({ address, hosts, server: deps, phone, stamps, submissions })
  onEnd(() => demo.close())
  const [toServer, toDemo] = [server.app.callback(), demo.app.callback()]
  listener.on(
    'request',
    onlyByName(address, (req, res) => (demo.owns(pathOf(req)) ? toDemo(req, res) : toServer(req, res)), {
      hosts: hosts.all,
      paths: `${PROFILES.svc.prefix}/session/`,
    }),
  )
  log.info({ address, timestamps: stamps.address }, 'demo running')
  return `${address}/`
}

/** As sent: what a client calls an address may be none, and nobody catches an error here. */
function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/'
}
