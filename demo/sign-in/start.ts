/** The demo of `svc oidc`: the provider with the demo schemes, two sites and a phone, each at an address of its own on this computer. Everything is in memory.
 *  @module */
import { writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { storageKeyFile } from '../../accounts/storage-keys.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Randomness } from '../../ports/randomness.ts'
import { type OnClose, opened } from '../../server/closable.ts'
import { listenAt } from '../../server/listen.ts'
import { createOidcNode } from '../../server/oidc/create-oidc-node.ts'
import { oidcServer } from '../../server/settings/oidc-server.ts'
import { readOidcSettings } from '../../server/settings/oidc-settings.ts'
import { systemWorld } from '../../server/world.ts'
import { openListener } from '../listen.ts'
import { type DemoCredential, obtainCredentials } from '../obtain-credentials.ts'
import { openPhone, phoneFolder } from '../phone-wallet.ts'
import { demoPhone } from './phone.ts'
import { providerCalls } from './provider-calls.ts'
import { demoSite } from './site.ts'

/** The addresses of the provider, the phone and the sites differ by their ports alone. */
export type DemoPorts = {
  readonly provider: number
  readonly phone: number
  readonly shop: number
  readonly club: number
}

export type SignInDemoOptions = {
  readonly ports: DemoPorts
  readonly schemesPath: string
  readonly log: Logger
  readonly clock: Clock
  readonly random: Randomness
}

export type SignInDemo = {
  readonly issuer: string
  readonly sites: readonly string[]
  close(): Promise<void>
}

const HOST = '127.0.0.1'

const CARDS: readonly DemoCredential[] = [
  {
    type: 'svc-demo.gov.idcard',
    attributes: { initials: 'A.B.', familyname: 'Voorbeeld', over18: 'yes', docnumber: 'X1' },
  },
  {
    type: 'svc-demo.gov.address',
    attributes: { street: 'Voorstraat', housenumber: '1', zipcode: '3512 AN', city: 'Utrecht' },
  },
  { type: 'svc-demo.gov.registration', attributes: { number: '999990342', over18: 'yes' } },
]

const SITES = [
  { clientId: 'shop', name: 'The shop', scope: 'openid age' },
  { clientId: 'club', name: 'The club', scope: 'openid age city' },
] as const

/** @throws {Error} of the system if one of the four ports is not free */
export async function startSignInDemo(options: SignInDemoOptions): Promise<SignInDemo> {
  const { whole, close } = await opened(onClose => start(options, onClose))
  return { ...whole, close }
}

async function start(options: SignInDemoOptions, onClose: OnClose): Promise<Omit<SignInDemo, 'close'>> {
  const { ports, clock, random, log, schemesPath } = options
  const [issuer, phoneAddress] = [addressAt(ports.provider), addressAt(ports.phone)]
  const sites = SITES.map(site => ({
    calls: providerCalls(clock),
    ...{ ...site, issuer, random, address: addressAt(ports[site.clientId]) },
    clientSecret: `${random.token()}${random.token()}`,
  }))
  const folder = await phoneFolder({}, onClose)
  const file = {
    name: 'demo',
    values: {
      ...(await valuesOf(folder, phoneAddress, sites, random)),
      port: ports.provider,
      schemes_path: schemesPath,
    },
  }
  const { options: values } = oidcServer.resolve({ flags: {}, variables: {}, file })
  const { settings } = await readOidcSettings({ options: values }, () => {})
  const node = await createOidcNode(settings, { ...systemWorld(log), clock, random })
  onClose(node.close)
  await listenAt(node.server, atPort(ports.provider))
  const { schemes } = settings.sessions
  const phone = await openPhone(options, { folder, schemes, fetch }, onClose)
  await obtainCredentials(phone.session().wallet, CARDS, { ...options, schemes })
  const sessions = `${issuer}${settings.oidc.profile.prefix}/session/`
  const shown = demoPhone({ phone, schemes, sessions, random })
  onClose(() => shown.close())
  await serve(options, shown.handle, ports.phone, onClose)
  for (const site of sites) await serve(options, demoSite(site), ports[site.clientId], onClose)
  return { issuer, sites: sites.map(({ address }) => address) }
}

function addressAt(port: number): string {
  return `http://${HOST}:${port}`
}

function atPort(value: number) {
  return { port: { option: '--port', value }, address: { option: 'listen_addr', value: HOST } }
}

async function serve(
  { clock }: Pick<SignInDemoOptions, 'clock'>,
  handle: RequestListener,
  port: number,
  onClose: OnClose,
): Promise<void> {
  const { listener } = await openListener({ clock }, port, HOST, onClose)
  listener.on('request', handle)
}

type ClientOfDemo = {
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
  readonly address: string
}

/** The settings of the provider, with keys that are made for this run. */
async function valuesOf(
  folder: string,
  phoneAddress: string,
  sites: readonly ClientOfDemo[],
  random: Pick<Randomness, 'bytes'>,
) {
  const [key, salt] = [join(folder, 'storage.key'), join(folder, 'salt')]
  await writeFile(key, storageKeyFile(0, random.bytes(32)), { mode: 0o600 })
  await writeFile(salt, Buffer.from(random.bytes(48)).toString('base64'), { mode: 0o600 })
  return {
    store: 'memory',
    url: `http://${HOST}:port/`,
    storage_primary_key_file: key,
    app_link: `${phoneAddress}/?session=`,
    claims: {
      over18: { attribute: 'svc-demo.gov.idcard.over18', convert: 'boolean' },
      city: 'svc-demo.gov.address.city',
    },
    scopes: { age: ['over18'], city: ['city'] },
    subject: { attribute: 'svc-demo.gov.registration.number', salt_file: salt },
    clients: sites.map(({ clientId, clientSecret, name, address }) => ({
      client_id: clientId,
      client_name: name,
      client_secret: clientSecret,
      redirect_uris: [`${address}/back`],
      scopes: ['age', 'city'],
    })),
  }
}
