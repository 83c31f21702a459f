/** The tour: web sites, a phone and a session server at one address of this computer. All of them are real and use HTTP; only the person is invented. It listens on
 *  a loopback address and answers only to its own names, because its wallet and web sites require no password. The server for a real phone (`own-phone/`) has
 *  another address.
 *  @module */
import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import { join } from 'node:path'
import { PROFILES } from '../protocol/profiles.ts'
import { loadSchemes } from '../schemes/load.ts'
import { type OnClose, opened } from '../server/closable.ts'
import { startInspector } from '../server/inspector/open-inspector.ts'
import { createDemoApp } from './app.ts'
import { onlyByName } from './guard.ts'
import { keyshareKeys } from './keyshare/keys.ts'
import { createMailbox } from './keyshare/mailbox.ts'
import { openKeyshare } from './keyshare/server.ts'
import { openListener } from './listen.ts'
import { startSessions } from './memory-sessions.ts'
import type { Demo, DemoOptions } from './options.ts'
import { openOwnPhone } from './own-phone/server.ts'
import { ownSchemes } from './own-schemes.ts'
import { openPhone, phoneFolder } from './phone-wallet.ts'
import { twoSites } from './sign-in/two-sites.ts'
import { siteFetch } from './site-fetch.ts'
import { siteHosts } from './site-hosts.ts'
import { startStamps } from './stamps.ts'
import { noteSubmissions } from './submissions.ts'

/** Cleans up before it throws.
 *  @throws {RangeError} for an address that is not a loopback address
 *  @throws the system's error about the address, and the error of schemes that do not load */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { host = '127.0.0.1' } = options
  if (!(isIPv4(host) && host.startsWith('127.')) && host !== '::1')
    throw new RangeError(`demo: expected a loopback address, got ${JSON.stringify(host)}`)
  const { whole, close } = await opened(onClose => start({ ...options, host }, onClose))
  return { ...whole, close }
}

async function start(
  options: DemoOptions & { readonly host: string },
  onClose: OnClose,
): Promise<Omit<Demo, 'close'>> {
  const { host, log, port: wanted = 0 } = options
  const watched = await startInspector({ inspectPort: 0, inspectListenAddr: host }, options, onClose)
  const { inspection } = watched
  const stamps = await startStamps(options, await loadSchemes(options.schemesPath), onClose)
  const { listener, address } = await openListener(options, wanted, host, onClose)
  const folder = await phoneFolder(options, onClose)
  const keys = await keyshareKeys(join(folder, 'keyshare'), options.random)
  const mailbox = createMailbox()
  const keyshare = await openKeyshare(options, { keys, folder, mailbox, inspection }, onClose)
  const own = {
    timestampServer: stamps.address,
    revocationServer: address + PROFILES.svc.prefix,
    keyshareServer: keyshare.address,
    keyshareKey: keys.publicKey,
  }
  const { schemes, folder: schemesPath } = await ownSchemes(options, own, onClose)
  const hosts = siteHosts(address)
  const submissions = noteSubmissions(siteFetch(address, hosts.all))
  const phone = await openPhone(options, { folder, schemes, fetch: submissions.fetch }, onClose)
  await keyshare.serve(schemesPath) // after the wallet, whose lock excludes another demo with the same folder
  const node = await startSessions({ ...options, hosts: hosts.all, inspection }, schemes, address)
  onClose(node.close)
  const ownPhone = await openOwnPhone({ ...options, inspection }, onClose)
  const two = twoSites({ ...options, schemesPath, address, inspection }, onClose)
  const account = { mailbox, page: `${keyshare.address}/account/` }
  const app = { server: node.deps, phone, stamps, submissions, account, twoSites: two, ownPhone }
  const demo = createDemoApp({ address, hosts, ...app, inspector: watched.address })
  onClose(() => demo.close())
  const [toServer, toDemo] = [node.server.app.callback(), demo.app.callback()]
  listener.on(
    'request',
    onlyByName(address, (req, res) => (demo.owns(pathOf(req)) ? toDemo(req, res) : toServer(req, res)), {
      hosts: hosts.all,
      paths: `${PROFILES.svc.prefix}/session/`,
    }),
  )
  log.info({ address, timestamps: stamps.address, keyshare: keyshare.address }, 'demo running')
  return { address: `${address}/`, phoneAddress: ownPhone?.address ?? null }
}

/** The path as sent. A client may send an invalid URL, and errors are not caught here. */
function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/'
}
