/** A keyshare server inside another program: options that compile, options that do not, and the errors if it cannot start. */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { type KeyshareServerOptions, startKeyshareServer } from '../../../libraries/index.ts'
import { keyshareServer } from '../../../server/settings/keyshare-server.ts'
import { settingsOfProgram } from '../../../server/settings/of-program.ts'
import { freePort } from '../../cli/run-svc.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { NEEDED, registeredWallet } from './node.ts'

const RIGHT: KeyshareServerOptions = {
  schemesPath: NEEDED.schemes_path,
  keyshareAttribute: NEEDED.keyshare_attribute,
  storagePrimaryKeyFile: NEEDED.storage_primary_key_file,
  jwtPrivkeyFile: NEEDED.jwt_privkey_file,
  store: 'memory',
  listenAddr: '127.0.0.1',
  quiet: true,
  workers: 1,
}

/** Each entry has one mistake. `npm run check` fails if an entry compiles. */
const WRONG: readonly (readonly [KeyshareServerOptions, string])[] = [
  [
    // @ts-expect-error a name that is misspelt
    { jwtPinExpiri: 900 },
    'options: expected options by name, got "jwtPinExpiri", which is unknown; the nearest known one is "jwtPinExpiry"',
  ],
  [
    // @ts-expect-error the name in a settings file
    { jwt_pin_expiry: 900 },
    'options: expected options by name, got "jwt_pin_expiry", which is unknown; the nearest known one is "jwtPinExpiry"',
  ],
  [
    // @ts-expect-error an option of session servers
    { clientPort: 8443 },
    'options: expected options by name, got "clientPort", which is unknown; the nearest known one is "inspectPort"',
  ],
  [
    // @ts-expect-error text for a number
    { jwtPinExpiry: '900' },
    'jwtPinExpiry in options: expected an integer from 61 to 604800, got "900"',
  ],
  [
    { jwtPrivkeyId: 7 },
    'jwt_privkey_id: expected a number N for which scheme svc-keyshare has kss-N.pem, got 7',
  ],
]

const Program = suite('a keyshare server inside another program')

Program('it listens; after it is closed, its port and its file are free', async () => {
  const port = await freePort()
  const server = await startKeyshareServer({ ...RIGHT, port, url: `http://127.0.0.1:${port}` })
  assert.is(server.port, port)
  await registeredWallet(port)
  const store = `sqlite:${join(temporaryFolder(), 'keyshare.sqlite')}`
  const taken = await startKeyshareServer({ ...RIGHT, port, store }).catch(error => error)
  assert.match(String(taken), /^SettingsError: port: expected a free port/)
  await server.close()
  const again = await startKeyshareServer({ ...RIGHT, port, store }) // succeeds because the file was released
  await again.close()
})

Program('every option of a settings file has a name in a program', () => {
  const options = { ...keyshareServer.resolve({ flags: {}, variables: {}, file: undefined }).options }
  const named = Object.keys(options).map(name => [
    name.replace(/_./g, letters => letters.slice(1).toUpperCase()),
    Reflect.get(options, name),
  ])
  assert.equal(settingsOfProgram(Object.fromEntries(named), keyshareServer).values, options)
})

for (const [options, message] of WRONG)
  Program(`refused: ${JSON.stringify(options)}`, async () => {
    const refusal = await startKeyshareServer({ ...RIGHT, ...options }).catch(error => error)
    assert.is(String(refusal), `SettingsError: ${message}`)
  })
Program.run()
