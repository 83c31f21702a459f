/** Messages for users who start a command wrongly: the file, the option and the remedy, and never the value of a secret. @module */
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { runSvc } from './run-svc.ts'

const folder = temporaryFolder()
const none = join(folder, 'none')
const text = join(folder, 'text')
writeFileSync(text, '{"a": 1}')

/** A folder that contains a folder of this name. */
function folderWith(name: string): string {
  const made = temporaryFolder()
  mkdirSync(join(made, name))
  return made
}
const [strange, locked] = [folderWith('wallet.json'), folderWith('lock')]
writeFileSync(join(locked, 'wallet.json'), '{}')

/** The parts of a scheme that signing reads. */
const [unwritable, astray] = [folderWith('timestamp'), temporaryFolder()]
for (const scheme of [unwritable, astray])
  copyFileSync('demo/schemes/svc-demo/description.xml', join(scheme, 'description.xml'))
symlinkSync(none, join(astray, 'link.xml'))

async function listening(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port // the server listens on a port
}

const Messages = suite('svc: messages name file, option and remedy')
const taken = createServer()
const mistrusted = createTlsServer({
  cert: readFileSync('test/vectors/tls/cert.pem'),
  key: readFileSync('test/vectors/tls/key.pem'),
})
let [takenPort, mistrustedPort] = [0, 0]
Messages.before(async () => {
  takenPort = await listening(taken)
  mistrustedPort = await listening(mistrusted)
})
Messages.after(() => {
  taken.close()
  mistrusted.close()
})

type Row = readonly [title: string, words: () => readonly string[], message: string, data?: string]

const SERVER = ['server', '--schemes-path', 'demo/schemes', '--store', 'memory', '--listen-addr', '127.0.0.1']
const ASK = ['request', '--schemes-path', 'demo/schemes', '--disclose', 'svc-demo.gov.idcard.over18']
const [CERT, CERT_KEY] = ['test/vectors/tls/cert.pem', 'test/vectors/tls/key.pem']
const RSA_KEY = 'test/vectors/keys/session-jwt.private.pem'
const KEY = '--key (itself, or an existing file with it): expected'

const NO_FOLDER = 'a folder, or a path at which one can be made'
const INSTALL = 'install the public ones with svc scheme download, or name a folder with --schemes-path'

/** Each exits with code 1 and this one line; some have their own data directory. */
const ROWS: readonly Row[] = [
  [
    'the directory of --privkeys is not there',
    () => [...SERVER, '--privkeys', none],
    `privkeys: expected an existing directory, got ${none}`,
  ],
  [
    'the port is in use',
    () => [...SERVER, '--port', String(takenPort)],
    'port: expected a free port, but another process listens on PORT; stop it, or choose another',
  ],
  [
    'the address is not of this machine',
    () => [...SERVER, '--listen-addr', '192.0.2.1'],
    'listen_addr: expected an address of this machine, got "192.0.2.1"',
  ],
  [
    'the key file of an RSA key is not there',
    () => [...ASK, '--auth-method', 'rsa', '--name', 'a', '--key', none],
    `${KEY} an unencrypted RSA private key in PEM, got something else`,
  ],
  [
    'the key file is a folder',
    () => [...ASK, '--auth-method', 'rsa', '--name', 'a', '--key', folder],
    `${KEY} an unencrypted RSA private key in PEM, got something else`,
  ],
  [
    'the key file of an RSA key holds something else',
    () => [...ASK, '--auth-method', 'rsa', '--name', 'a', '--key', text],
    `--key ${text}: expected an unencrypted RSA private key in PEM, got something else`,
  ],
  [
    'the file of the key for results holds a certificate',
    () => [...SERVER, '--jwt-privkey-file', CERT],
    `jwt_privkey_file ${CERT}: expected an unencrypted RSA private key in PEM, got something else`,
  ],
  [
    'the file of the key for results holds a key that is not RSA',
    () => [...SERVER, '--jwt-privkey-file', CERT_KEY],
    `jwt_privkey_file ${CERT_KEY}: expected an RSA key, got ec`,
  ],
  [
    'the file of the certificate holds a key',
    () => [...SERVER, '--tls-cert-file', CERT_KEY, '--tls-privkey-file', CERT_KEY],
    `tls_cert_file ${CERT_KEY}: expected a certificate chain in PEM, got something else`,
  ],
  [
    'the file of the key of the certificate holds a certificate',
    () => [...SERVER, '--tls-cert-file', CERT, '--tls-privkey-file', CERT],
    `tls_privkey_file ${CERT}: expected an unencrypted private key in PEM, got something else`,
  ],
  [
    'the file of the key of the certificate holds another key',
    () => [...SERVER, '--tls-cert-file', CERT, '--tls-privkey-file', RSA_KEY],
    `tls_privkey_file ${RSA_KEY}: expected the key of the certificate, got another`,
  ],
  [
    'there is a file of a certificate, and none of its key',
    () => [...SERVER, '--client-port', '1', '--client-tls-cert-file', CERT],
    'client_tls_privkey: expected a private key beside "client_tls_cert_file", got none',
  ],
  ...(
    [
      ['publickey', CERT_KEY, 'an RSA public key or certificate in PEM, got something else'],
      ['hmac', CERT, 'a secret in Base64, got something else'],
      ['token', CERT, 'a token of one line that a header can hold, got another text'],
    ] as const
  ).map(
    ([auth_method, key_file, expected]): Row => [
      `the key file of a requestor (${auth_method}) holds something else`,
      () => [...SERVER, '--no-auth=false', '--requestors', JSON.stringify({ a: { auth_method, key_file } })],
      `requestors.a.key_file ${key_file}: expected ${expected}`,
    ],
  ),
  [
    'a secret is not in Base64, and names no file',
    () => [...ASK, '--auth-method', 'hmac', '--name', 'a', '--key', 'no base64!'],
    `${KEY} a secret in Base64, got something else`,
  ],
  [
    'the certificate of a server is not trusted by svc session',
    () => ['session', ...ASK.slice(1), '--server', `https://127.0.0.1:${mistrustedPort}`],
    'session request: expected an answer from https://127.0.0.1:PORT, got none: its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT); start with NODE_EXTRA_CA_CERTS=FILE, the certificate of its authority in PEM',
  ],
  [
    'the certificate of a server is not trusted by the wallet',
    () => [
      'wallet',
      'answer',
      `{"u":"https://127.0.0.1:${mistrustedPort}/svc/session/x","svcqr":"disclosing"}`,
      '--dir',
      join(folder, 'wallet'),
      '--schemes-path',
      'demo/schemes',
    ],
    'transport: expected an answer from 127.0.0.1:PORT, got none: its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT); start with NODE_EXTRA_CA_CERTS=FILE, the certificate of its authority in PEM',
  ],
  [
    'a result without a signature is verified',
    () => ['signature', 'verify', text, '--schemes-path', 'demo/schemes'],
    'signature: expected a signed message, or a session result that holds one, got neither',
  ],
  [
    'the folder of svc demo is a file',
    () => ['demo', '--keep', text],
    `--keep: expected a folder, or a path at which one can be made, got ${text} (EEXIST); choose another`,
  ],
  [
    'the folder of svc demo cannot be made',
    () => ['demo', '--keep', '/proc/x'],
    '--keep: expected a folder, or a path at which one can be made, got /proc/x (ENOENT); choose another',
  ],
  [
    'the file of a signature is not there',
    () => ['signature', 'verify', none, '--schemes-path', 'demo/schemes'],
    `signature: expected a file that can be read, got ${none} (ENOENT)`,
  ],
  [
    'the private key of a scheme is not there',
    () => ['scheme', 'sign', none, folder],
    `PRIVATEKEY: expected a file that can be read, got ${none} (ENOENT)`,
  ],
  [
    'the schemes to verify are not there',
    () => ['scheme', 'verify', none],
    `Verification failed: PATH: expected the folder of a scheme or of schemes, but there is no folder "${none}"; name another`,
  ],
  [
    'the scheme to sign is a file',
    () => ['scheme', 'sign', 'demo/schemes/svc-demo/sk.pem', text],
    `${text}/description.xml: expected a file that can be read, got ENOTDIR`,
  ],
  [
    'a file of the scheme to sign cannot be written',
    () => ['scheme', 'sign', 'demo/schemes/svc-demo/sk.pem', unwritable],
    `${unwritable}/timestamp: expected a file that can be written, got EISDIR`,
  ],
  [
    'a file of the scheme to sign is a broken link',
    () => ['scheme', 'sign', 'demo/schemes/svc-demo/sk.pem', astray],
    `${astray}/link.xml: expected a file that can be read, got ENOENT`,
  ],
  [
    'no schemes are installed that could be updated',
    () => ['scheme', 'update'],
    `PATH: expected the folders of installed schemes, but there is no ${none}/svc/svc_configuration; install some with svc scheme download`,
    none,
  ],
  [
    'the default folder of schemes cannot be made',
    () => ['scheme', 'download', 'http://127.0.0.1:20999'],
    `PATH: expected ${NO_FOLDER}, got /proc/none/svc/svc_configuration (ENOENT); choose another`,
    '/proc/none',
  ],
  [
    'the folder of schemes is a file',
    () => ['wallet', 'list', '--dir', join(folder, 'wallet'), '--schemes-path', text],
    `schemes_path: expected a folder of schemes, but ${text} is no folder; ${INSTALL}`,
  ],
  [
    'the folder of the default store cannot be made',
    () => ['server', '--schemes-path', 'demo/schemes', '--listen-addr', '127.0.0.1'],
    `store: expected ${NO_FOLDER}, got /proc/none/svc (ENOENT); choose another`,
    '/proc/none',
  ],
  [
    'the folder of a new wallet is a file',
    () => ['wallet', 'init', '--dir', text, '--schemes-path', 'demo/schemes'],
    `--dir: expected ${NO_FOLDER}, got ${text} (EEXIST); choose another`,
  ],
  [
    'the folder of a new wallet cannot be made',
    () => ['wallet', 'init', '--dir', '/proc/none/wallet', '--schemes-path', 'demo/schemes'],
    `--dir: expected ${NO_FOLDER}, got /proc/none/wallet (ENOENT); choose another`,
  ],
  [
    'the folder of a new wallet has an empty name',
    () => ['wallet', 'init', '--dir', '', '--schemes-path', 'demo/schemes'],
    `--dir: expected ${NO_FOLDER}, got an empty name (ENOENT); choose another`,
  ],
  [
    'the file of a wallet is a folder',
    () => ['wallet', 'list', '--dir', strange, '--schemes-path', 'demo/schemes'],
    `${strange}/wallet.json: expected a file that can be read, got EISDIR`,
  ],
  [
    'there is no wallet',
    () => ['wallet', 'list', '--dir', none, '--schemes-path', 'demo/schemes'],
    `${none}: no wallet there, expected a file wallet.json; svc wallet init makes one there, and with --demo one with demo cards`,
  ],
  [
    'the lock file of a wallet is a folder',
    () => ['wallet', 'list', '--dir', locked, '--schemes-path', 'demo/schemes'],
    `${locked}/lock: expected a file that can be written, got EISDIR`,
  ],
  [
    'the path to a new issuer key contains a file',
    () => ['issuer', 'keygen', folder, '--privatekey', join(text, 'a', 'sk.xml')],
    `--privatekey: expected ${NO_FOLDER}, got ${text}/a (EEXIST); choose another`,
  ],
  [
    'the path to a settings file contains a file',
    () => ['deliveries', 'list', '--config', join(text, 'a.yaml')],
    `settings file: expected an existing file, got ${text}/a.yaml`,
  ],
  [
    'the path to a certificate contains a file',
    () => [...SERVER, '--tls-cert-file', join(text, 'a.pem')],
    `tls_cert_file: expected an existing file, got ${text}/a.pem`,
  ],
]

Messages('the wallet of the next tests is created', async () => {
  const words = ['--dir', join(folder, 'wallet'), '--schemes-path', 'demo/schemes', '--developer-mode']
  assert.is((await runSvc(['wallet', 'init', ...words])).code, 0)
})

for (const [title, words, message, data] of ROWS)
  Messages(title, async () => {
    const { code, stderr } = await runSvc(words(), data === undefined ? {} : { XDG_DATA_HOME: data })
    const told = [takenPort, mistrustedPort].reduce(
      (said, port) => said.replace(String(port), 'PORT'),
      stderr,
    )
    assert.equal({ code, stderr: told }, { code: 1, stderr: `svc: ${message}\n` })
  })

Messages('malformed JSON in a flag is wrong usage, and the message has the line', async () => {
  const { code, stderr } = await runSvc([...SERVER, '--requestors', '{"a": secret}'])
  assert.is(code, 255)
  assert.match(
    stderr,
    /^Error: flag --requestors: expected JSON, got another text: line 1: expected a value\n/,
  )
})
Messages.run()
