/** The OpenID provider of a demo, in memory, with keys that are made for this run, and its sites. @module */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { storageKeyFile } from '../../accounts/storage-keys.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Randomness } from '../../ports/randomness.ts'
import type { Schemes } from '../../schemes/types.ts'
import type { OnClose } from '../../server/closable.ts'
import { createOidcNode, type OidcNode } from '../../server/oidc/create-oidc-node.ts'
import { oidcServer } from '../../server/settings/oidc-server.ts'
import { readOidcSettings } from '../../server/settings/oidc-settings.ts'
import { systemWorld, type World } from '../../server/world.ts'
import { providerCalls } from './provider-calls.ts'
import type { DemoSite } from './site.ts'

export type ProviderOptions = {
  readonly schemesPath: string
  readonly log: Logger
  readonly clock: Clock
  readonly random: Randomness
  readonly inspection?: World['inspection']
}

export type ProviderFacts = {
  /** without a slash at the end */
  readonly issuer: string
  /** start of the link to the phone; the pointer of a session follows */
  readonly appLink: string
  readonly sites: readonly DemoSite[]
  /** the settings about attributes */
  readonly rules: {
    readonly claims: Readonly<Record<string, unknown>>
    readonly scopes: Readonly<Record<string, readonly string[]>>
    /** the attribute from which each site gets its own `sub` */
    readonly subject: string
  }
  /** for the files with secrets, which the settings name */
  readonly folder: string
}

export type DemoProvider = {
  readonly node: OidcNode
  readonly schemes: Schemes
  /** start of the addresses of its sessions */
  readonly sessions: string
}

/** Over 18, as a claim of the demo's identity card. */
export const OVER_18_CLAIM = { attribute: 'svc-demo.gov.idcard.over18', convert: 'boolean' }

/** A site with a new client secret. */
export function newSite(
  facts: Pick<DemoSite, 'clientId' | 'name' | 'scope' | 'address' | 'issuer'>,
  { clock, random }: Pick<ProviderOptions, 'clock' | 'random'>,
  onSignedIn: DemoSite['onSignedIn'] = () => {},
): DemoSite {
  const clientSecret = `${random.token()}${random.token()}`
  return { ...facts, clientSecret, random, calls: providerCalls(clock), onSignedIn }
}

/** Opens the provider, which does not listen yet. */
export async function openProvider(
  options: ProviderOptions,
  facts: ProviderFacts,
  onClose: OnClose,
): Promise<DemoProvider> {
  const { clock, random, log, inspection } = options
  const file = { name: 'demo', values: await valuesOf(options, facts) }
  const { options: values } = oidcServer.resolve({ flags: {}, variables: {}, file })
  const { settings } = await readOidcSettings({ options: values }, () => {})
  const node = await createOidcNode(settings, { ...systemWorld(log), clock, random, inspection })
  onClose(node.close)
  const sessions = `${facts.issuer}${settings.oidc.profile.prefix}/session/`
  return { node, schemes: settings.sessions.schemes, sessions }
}

async function valuesOf(
  { schemesPath, random }: ProviderOptions,
  { issuer, appLink, sites, folder, rules: { claims, scopes, subject } }: ProviderFacts,
) {
  const [key, salt] = [join(folder, 'storage.key'), join(folder, 'salt')]
  await writeFile(key, storageKeyFile(0, random.bytes(32)), { mode: 0o600 })
  await writeFile(salt, Buffer.from(random.bytes(48)).toString('base64'), { mode: 0o600 })
  return {
    store: 'memory',
    url: `${issuer}/`,
    schemes_path: schemesPath,
    storage_primary_key_file: key,
    app_link: appLink,
    claims,
    scopes,
    subject: { attribute: subject, salt_file: salt },
    clients: sites.map(({ clientId, clientSecret, name, address }) => ({
      client_id: clientId,
      client_name: name,
      client_secret: clientSecret,
      redirect_uris: [`${address}/back`],
      scopes: Object.keys(scopes),
    })),
  }
}
