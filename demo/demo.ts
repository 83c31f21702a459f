/** The tour: one address on this computer with web sites, a phone and the session server between them. All are real and talk over HTTP;
 *  only the person is invented. Listens on a loopback address and answers to its own names only, since its wallet and its web sites ask for no password;
 *  what a real phone calls (`own-phone/`) stands elsewhere.
 *  @module */
import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import { join } from 'node:path'
import { PROFILES } from '../protocol/profiles.ts'
import { loadSchemes } from '../schemes/load.ts'
import { startInspector } from '../server/inspector/open-inspector.ts'
import { type OnClose, opened } from '../server/opened.ts'
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
    ...{ timestampServer: stamps.address, revocationServer: address + PROFILES.svc.prefix },
    ...{ keyshareServer: keyshare.address, keyshareKey: keys.publicKey },
  }
  const { schemes, folder: schemesPath } = await ownSchemes(options, own, onClose)
  const hosts = siteHosts(address)
  const submissions = noteSubmissions(siteFetch(address, hosts.all))
  const phone = await openPhone(options, { folder, schemes, fetch: submissions.fetch }, onClose)
  await keyshare.serve(schemesPath) // after the wallet: another demo that has both open holds the wallet
  const node = await startSessions({ ...options, hosts: hosts.all, inspection }, schemes, address)
  onClose(node.close)
  const ownPhone = await openOwnPhone({ ...options, inspection }, onClose)
  const account = { mailbox, page: `${keyshare.address}/account/` }
  const app = { server: node.deps, phone, stamps, submissions, account, ownPhone, inspector: watched.address }
  const demo = createDemoApp({ address, hosts, ...app })
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

/** As sent: what a client calls an address may be none, and nobody catches an error here. */
function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/'
}
