/** `svc oidc` as a process of its own, with Keycloak as its client. @module */
import { randomBytes } from 'node:crypto'
import { freePort, type Running } from '../cli/run-svc.ts'
import { startOidc } from '../server/oidc/process.ts'
import { ALIAS, type BrokeredProvider } from './admin.ts'

export type Provider = { readonly running: Running; readonly brokered: BrokeredProvider }

/** @param keycloak its address */
export async function startProvider(keycloak: string, realm: string): Promise<Provider> {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const endpoint = `${keycloak}/realms/${realm}/broker/${ALIAS}/endpoint`
  const client = { client_id: 'keycloak', client_secret: randomBytes(32).toString('hex') }
  const running = await startOidc(port, {
    url: address,
    claims: {
      given_name: 'svc-demo.gov.idcard.initials',
      family_name: 'svc-demo.gov.idcard.familyname',
      over18: { attribute: 'svc-demo.gov.idcard.over18', convert: 'boolean' },
    },
    scopes: { profile: ['given_name', 'family_name'], age: ['over18'] },
    clients: [
      {
        ...client,
        client_name: 'The shop of Keycloak',
        redirect_uris: [endpoint],
        post_logout_redirect_uris: [`${endpoint}/logout_response`],
        scopes: ['profile', 'age'],
      },
    ],
  })
  return {
    running,
    brokered: {
      discovery: `${address}/.well-known/openid-configuration`,
      clientId: client.client_id,
      clientSecret: client.client_secret,
      scope: 'openid profile age',
    },
  }
}
