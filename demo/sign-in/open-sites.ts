/** The OpenID provider of the tour and its two sites, each at a free port of its own. The phone is the one of the tour. @module */
import type { OnClose } from '../../server/closable.ts'
import { onlyByName } from '../guard.ts'
import { openListener } from '../listen.ts'
import { temporaryFolder } from '../phone-wallet.ts'
import { DOCUMENT_NUMBER } from '../steps.ts'
import { newSite, OVER_18_CLAIM, openProvider, type ProviderOptions } from './provider.ts'
import { type Claims, demoSite } from './site.ts'

const SITES = [
  { clientId: 'cellar', name: 'Wine Cellar' },
  { clientId: 'cinema', name: 'Night Cinema' },
] as const

const SCOPE = 'openid age'
const RULES = {
  claims: { over18: OVER_18_CLAIM },
  scopes: { age: ['over18'] },
  subject: DOCUMENT_NUMBER,
}

export type OpenSitesOptions = ProviderOptions & {
  readonly host: string
  /** of the tour, without a slash at the end */
  readonly address: string
  readonly dataDir: string
}

export type OpenSites = {
  /** without a slash at the end */
  readonly issuer: string
  readonly sites: readonly { readonly name: string; readonly address: string }[]
}

/** @param signedIn called with the claims of each login, and the name of the site */
export async function openSites(
  options: OpenSitesOptions,
  signedIn: (name: string, claims: Claims) => void,
  onClose: OnClose,
): Promise<OpenSites> {
  const { host, dataDir, address } = options
  const listening = () => openListener(options, 0, host, onClose)
  const provider = await listening()
  const issuer = provider.address
  const sites = []
  for (const { clientId, name } of SITES) {
    const { listener, address } = await listening()
    const facts = { clientId, name, address, issuer, scope: SCOPE }
    const site = newSite(facts, options, claims => signedIn(name, claims))
    listener.on('request', onlyByName(address, demoSite(site)))
    sites.push(site)
  }
  const folder = await temporaryFolder(dataDir, onClose)
  const facts = { issuer, sites, folder, rules: RULES, appLink: `${address}/?session=` }
  const { node } = await openProvider(options, facts, onClose)
  provider.listener.on('request', onlyByName(issuer, node.server.app.callback()))
  return { issuer, sites: sites.map(({ name, address }) => ({ name, address })) }
}
