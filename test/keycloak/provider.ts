/** `svc oidc` as a process of its own, with Keycloak as its client. @module */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { storageKeyFile } from '../../accounts/storage-keys.ts'
import { freePort, type Running, startSvc } from '../cli/run-svc.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { ALIAS, type BrokeredProvider } from './admin.ts'

export type Provider = { readonly running: Running; readonly brokered: BrokeredProvider }

/** @param keycloak its address */
export async function startProvider(keycloak: string, realm: string): Promise<Provider> {
  const [folder, port] = [temporaryFolder(), await freePort()]
  const address = `http://127.0.0.1:${port}`
  const endpoint = `${keycloak}/realms/${realm}/broker/${ALIAS}/endpoint`
  const client = { client_id: 'keycloak', client_secret: randomBytes(32).toString('hex') }
  const [key, salt, config] = ['storage.key', 'salt', 'oidc.json'].map(name => join(folder, name))
  if (key === undefined || salt === undefined || config === undefined) throw new Error('expected three files')
  writeFileSync(key, storageKeyFile(0, randomBytes(32)), { mode: 0o600 })
  writeFileSync(salt, randomBytes(32).toString('hex'), { mode: 0o600 })
  const settings = {
    url: address,
    listen_addr: '127.0.0.1',
    port,
    schemes_path: DEMO_SCHEMES,
    store: 'memory',
    storage_primary_key_file: key,
    claims: {
      given_name: 'svc-demo.gov.idcard.initials',
      family_name: 'svc-demo.gov.idcard.familyname',
      over18: { attribute: 'svc-demo.gov.idcard.over18', convert: 'boolean' },
    },
    scopes: { profile: ['given_name', 'family_name'], age: ['over18'] },
    subject: { attribute: 'svc-demo.gov.registration.number', salt_file: salt },
    clients: [
      {
        ...client,
        client_name: 'The shop of Keycloak',
        redirect_uris: [endpoint],
        post_logout_redirect_uris: [`${endpoint}/logout_response`],
        scopes: ['profile', 'age'],
      },
    ],
  }
  writeFileSync(config, JSON.stringify(settings), { mode: 0o600 })
  const running = startSvc(['oidc', '--config', config])
  await running.says('svc oidc running')
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
