/** Every setting of an existing keyshare server that this server accepts, with a value other than its default (spec/keyshare-server#16). @module */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEMO_SCHEMES, PROJECT } from '../../project.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder()
const VECTORS = join(PROJECT, 'test/vectors')

function template(name: string, html: string): string {
  const path = join(folder, name)
  writeFileSync(path, html)
  return path
}

export const KEYSHARE_TAKEN = {
  schemes_path: DEMO_SCHEMES,
  schemes_assets_path: DEMO_SCHEMES,
  schemes_update: 30,
  privkeys: folder,
  url: 'https://kss.example/',
  port: 8099,
  listen_addr: '127.0.0.1',
  jwt_privkey: 'PEM',
  jwt_privkey_file: join(VECTORS, 'keys/kss-0.private.pem'),
  jwt_privkey_id: 3,
  jwt_issuer: 'kss',
  jwt_pin_expiry: 600,
  storage_primary_key_file: join(VECTORS, 'keys/storage-key.aes'),
  storage_fallback_keys_dir: folder,
  keyshare_attribute: 'svc-keyshare.keyshare.login.username',
  email_server: 'mail.example:25',
  email_hostname: 'mail.example',
  email_username: 'a',
  email_password: 'b',
  email_from: 'a@svc.example',
  default_language: 'nl',
  email_token_validity: 24,
  registration_email_files: { nl: template('r.html', '{{.VerificationURL}}') },
  registration_email_subjects: { nl: 'Bevestig' },
  expired_email_files: { nl: template('e.html', '{{.Username}} {{.Email}} {{.Delay}}') },
  expired_email_subjects: { nl: 'Verloopt' },
  verification_url: { nl: 'https://my.example/nl/#verify=' },
  expiry_delay: 300,
  delete_delay: 20,
  tls_cert: 'PEM',
  tls_cert_file: join(VECTORS, 'tls/cert.pem'),
  tls_privkey: 'PEM',
  tls_privkey_file: join(VECTORS, 'tls/key.pem'),
  no_tls: true,
  verbose: 1,
  quiet: true,
  log_json: true,
  production: true,
}
