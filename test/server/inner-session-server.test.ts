/** The session server inside a keyshare server or an OpenID provider has the options of the server around it. */
import * as assert from 'uvu/assert'
import { localAddress } from '../../server/files/directories.ts'
import { innerSessionSettings } from '../../server/settings/inner-session-server.ts'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { oidcServer } from '../../server/settings/oidc-server.ts'
import { uncheckedSettings } from '../../server/settings/server-settings.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { suite } from '../suite.ts'
import { tlsFile, tlsPair } from '../tls.ts'

const Inner = suite('options of the session server inside another server')
const { cert, key } = tlsPair()

const GIVEN = {
  production: true,
  profile: 'irma',
  url: 'https://id.example/base/',
  port: 8199,
  listen_addr: '127.0.0.1',
  arithmetic: 'bigint',
  workers: 3,
  short_checks: 'here',
  max_queue_time: '7s',
  spare_primes: 5,
  verbose: 1,
  max_header_size: 32,
  stop_timeout: '9s',
  stop_delay: '1s',
  stop_idle: '3s',
  inspect: true,
  inspect_port: 9200,
  inspect_listen_addr: '127.0.0.2',
  metrics_port: 9100,
  metrics_listen_addr: '127.0.0.3',
}
const TLS = {
  files: { tls_cert_file: tlsFile('cert.pem'), tls_privkey_file: tlsFile('key.pem') },
  texts: { tls_cert: cert, tls_privkey: key },
}

/** Without the function that reads the TLS files again. */
const comparable = (settings: object): unknown => JSON.parse(JSON.stringify(settings))

for (const [name, around] of Object.entries({ keyshareServer, oidcServer }))
  for (const [form, tls] of Object.entries(TLS))
    Inner(`each shared option of ${name} reaches the server inside, with TLS in ${form}`, () => {
      const file = { name: 'f.yaml', values: { ...GIVEN, ...tls } }
      const { options } = around.resolve({ flags: {}, variables: {}, file })
      const alone = sessionServer.resolve({ flags: {}, variables: {}, file }).options
      assert.equal(
        comparable(innerSessionSettings(options, { openapi: true })),
        comparable(uncheckedSettings({ ...alone, openapi: true }, localAddress())),
      )
    })

Inner.run()
