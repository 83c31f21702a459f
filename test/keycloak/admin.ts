/** The admin interface of Keycloak, as far as a broker needs it. @module */
import { z } from 'zod'

type Json = Readonly<Record<string, unknown>>

export type Admin = {
  /** A realm in which the identity provider `wallet` leads to the OpenID provider. */
  makeRealm(realm: string, provider: BrokeredProvider): Promise<void>
  /** A user with a password. */
  makeUser(realm: string, user: Json, password: string): Promise<void>
  /** Every user, with the `sub` values that link the user to the identity provider. */
  users(realm: string): Promise<readonly BrokerUser[]>
}

export type BrokeredProvider = {
  /** address of the discovery document */
  readonly discovery: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string
}

const USER = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string().optional(),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  attributes: z.record(z.string(), z.array(z.string())).optional(),
})
const IDENTITIES = z.array(z.object({ identityProvider: z.string(), userId: z.string() }))

export type BrokerUser = z.output<typeof USER> & { readonly subs: readonly string[] }

/** The alias of the identity provider. It is part of the redirect URIs. */
export const ALIAS = 'wallet'

export async function adminOf(address: string, password: string): Promise<Admin> {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${address}/admin/realms${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${await tokenOf(address, password)}`,
        'Content-Type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`Keycloak: ${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  return {
    async makeRealm(realm, provider) {
      await call('POST', '', { realm, enabled: true })
      await addProvider(`/${realm}`, provider, call)
    },
    async makeUser(realm, user, secret) {
      const credentials = [{ type: 'password', value: secret, temporary: false }]
      await call('POST', `/${realm}/users`, { ...user, enabled: true, credentials })
    },
    async users(realm) {
      const users = z.array(USER).parse(await call('GET', `/${realm}/users?briefRepresentation=false`))
      const withSubs = users.map(async user => {
        const found = IDENTITIES.parse(await call('GET', `/${realm}/users/${user.id}/federated-identity`))
        return { ...user, subs: found.map(({ userId }) => userId) }
      })
      return Promise.all(withSubs)
    },
  }
}

/** A new token for each call: the tokens of Keycloak's administrators live for a minute. */
async function tokenOf(address: string, password: string): Promise<string> {
  const answer = await fetch(`${address}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'admin-cli',
      username: 'admin',
      password,
    }),
  })
  return z.object({ access_token: z.string() }).parse(await answer.json()).access_token
}

/** The steps of docs/sign-in.md, which an administrator takes in the console. */
async function addProvider(
  realm: string,
  { discovery, clientId, clientSecret, scope }: BrokeredProvider,
  call: (method: string, path: string, body?: unknown) => Promise<unknown>,
): Promise<void> {
  const asked = { providerId: 'oidc', fromUrl: discovery }
  const imported = Object(await call('POST', `${realm}/identity-provider/import-config`, asked))
  await call('POST', `${realm}/identity-provider/instances`, {
    alias: ALIAS,
    displayName: 'Wallet',
    providerId: 'oidc',
    enabled: true,
    config: {
      ...imported,
      clientId,
      clientSecret,
      clientAuthMethod: 'client_secret_basic',
      defaultScope: scope,
      pkceEnabled: 'true',
      pkceMethod: 'S256',
      syncMode: 'IMPORT', // with FORCE, a second login would delete the e-mail address, which the wallet did not give
    },
  })
  await call('POST', `${realm}/identity-provider/instances/${ALIAS}/mappers`, {
    name: 'over18',
    identityProviderAlias: ALIAS,
    identityProviderMapper: 'oidc-user-attribute-idp-mapper',
    config: { claim: 'over18', 'user.attribute': 'over18', syncMode: 'FORCE' },
  })
  const profile = Object(await call('GET', `${realm}/users/profile`))
  await call('PUT', `${realm}/users/profile`, { ...profile, unmanagedAttributePolicy: 'ADMIN_VIEW' })
}
