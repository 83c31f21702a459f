/** A node with `deploy/server.yml`, in which only addresses and paths are changed, and without a certificate. @module */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { copied } from './tools.ts'

/** The token of the web shop in the file. */
export const TOKEN = 'token-of-the-webshop-of-this-test'

type Seat = {
  /** the address of the proxy */
  readonly url: string
  readonly store: string
  readonly port: number
  readonly metricsPort: number
}

/** @returns arguments and variables for `startSvc` */
export function nodeSettings({ url, store, port, metricsPort }: Seat) {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'webshop.token'), TOKEN)
  writeFileSync(join(folder, 'store'), store)
  const config = copied('server.yml', folder, {
    '0.0.0.0': '127.0.0.1',
    'port: 8088': `port: ${port}`,
    'metrics_port: 9464': `metrics_port: ${metricsPort}`,
    '/etc/svc/schemes': DEMO_SCHEMES,
    '/run/secrets/jwt.key': join(PROJECT, 'test/vectors/keys/session-jwt.private.pem'),
    '/run/secrets/webshop.token': join(folder, 'webshop.token'),
    '/run/secrets/store': join(folder, 'store'),
  })
  // without a certificate, and without the refusal of plain HTTP by wallet apps
  const others = { SVCSERVER_NO_TLS: 'true', SVCSERVER_PRODUCTION: 'false', SVCSERVER_NO_AUTH: 'false' }
  const env = { SVCSERVER_URL: url, SVCSERVER_WORKERS: '1', ...others }
  return { words: ['server', '--config', config], env }
}
