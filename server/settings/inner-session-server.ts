/** The settings of the session server inside a keyshare server or an OpenID provider. Only wallet apps call it: its one requestor is the server around it. @module */
import { localAddress } from '../files/directories.ts'
import { uncheckedSettings } from './server-settings.ts'
import { type OptionValues, sessionServer } from './session-server.ts'

/** The options that apply to the server inside too. */
const SHARED = [
  'production',
  'profile',
  'url',
  'port',
  'listen_addr',
  'arithmetic',
  'workers',
  'short_checks',
  'max_queue_time',
  'spare_primes',
  'tls_cert',
  'tls_cert_file',
  'tls_privkey',
  'tls_privkey_file',
  'verbose',
  'max_header_size',
  'stop_timeout',
  'stop_delay',
  'stop_idle',
  'inspect',
  'inspect_port',
  'inspect_listen_addr',
  'metrics_port',
  'metrics_listen_addr',
] as const satisfies readonly (keyof OptionValues)[]

/** @param options of the server around it
 *  @param own options of the server inside alone; the defaults apply to all others
 *  @throws {SettingsError} about a key or an address */
export function innerSessionSettings(
  options: Pick<OptionValues, (typeof SHARED)[number]>,
  own: Partial<OptionValues>,
) {
  const values = { ...own, ...Object.fromEntries(SHARED.map(name => [name, options[name]])) }
  const file = { name: 'options of the session server inside', values }
  return uncheckedSettings(sessionServer.resolve({ flags: {}, variables: {}, file }).options, localAddress())
}
