/** The demo of `svc oidc`: the provider with the demo schemes, two sites and a phone, each at an address of its own on this computer. Everything is in memory.
 *  @module */
import type { RequestListener } from 'node:http'
import type { Logger } from 'pino'
import type { Clock } from '../../ports/clock.ts'
import type { Randomness } from '../../ports/randomness.ts'
import { type OnClose, opened } from '../../server/closable.ts'
import { listenAt } from '../../server/listen.ts'
import { openListener } from '../listen.ts'
import { type DemoCredential, obtainCredentials } from '../obtain-credentials.ts'
import { openPhone, phoneFolder } from '../phone-wallet.ts'
import { demoPhone } from './phone.ts'
import { newSite, OVER_18_CLAIM, openProvider } from './provider.ts'
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

const RULES = {
  claims: { over18: OVER_18_CLAIM, city: 'svc-demo.gov.address.city' },
  scopes: { age: ['over18'], city: ['city'] },
  subject: 'svc-demo.gov.registration.number',
}

/** @throws {Error} of the system if one of the four ports is not free */
export async function startSignInDemo(options: SignInDemoOptions): Promise<SignInDemo> {
  const { whole, close } = await opened(onClose => start(options, onClose))
  return { ...whole, close }
}

async function start(options: SignInDemoOptions, onClose: OnClose): Promise<Omit<SignInDemo, 'close'>> {
  const { ports, random } = options
  const [issuer, phoneAddress] = [addressAt(ports.provider), addressAt(ports.phone)]
  const sites = SITES.map(site =>
    newSite({ ...site, issuer, address: addressAt(ports[site.clientId]) }, options),
  )
  const folder = await phoneFolder({}, onClose)
  const facts = { issuer, sites, folder, rules: RULES, appLink: `${phoneAddress}/?session=` }
  const { node, schemes, sessions } = await openProvider(options, facts, onClose)
  await listenAt(node.server, atPort(ports.provider))
  const phone = await openPhone(options, { folder, schemes, fetch }, onClose)
  await obtainCredentials(phone.session().wallet, CARDS, { ...options, schemes })
  const shown = demoPhone({ phone, schemes, sessions, random })
  onClose(() => shown.close())
  await serve(options, shown.handle, ports.phone, onClose)
  for (const site of sites) await serve(options, demoSite(site), Number(new URL(site.address).port), onClose)
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
