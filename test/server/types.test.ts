/** The options of a program with an embedded server: options that compile, options that do not, and the errors for a program without types. */
import * as assert from 'uvu/assert'
import { type SessionServerOptions, startSessionServer } from '../../libraries/index.ts'
import { settingsOfProgram } from '../../server/settings/of-program.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { suite } from '../suite.ts'

const Types = suite('options of a program')

const RIGHT: SessionServerOptions = {
  schemesPath: 'demo/schemes',
  clientPort: 8443,
  profile: 'irma',
  noAuth: false,
  disclosePerms: ['a.*'],
  requestors: { my_shop: { authMethod: 'token', key: 'k', disclosePerms: ['a.b.c.*'] } },
  revocationSettings: { 'a.b.my_type': { authority: true, revocationServerUrl: '' } },
  staticSessions: { one: { callbackUrl: 'https://a.example/', request: {} } },
}

/** Each entry has one mistake. `npm run check` fails if an entry compiles. */
const WRONG: readonly (readonly [SessionServerOptions, string])[] = [
  [
    // @ts-expect-error a name that is misspelt
    { schemePath: 'demo/schemes' },
    'options: expected options by name, got "schemePath", which is unknown; the nearest known one is "schemesPath"',
  ],
  [
    // @ts-expect-error the name in a settings file
    { schemes_path: 'demo/schemes' },
    'options: expected options by name, got "schemes_path", which is unknown; the nearest known one is "schemesPath"',
  ],
  [
    // @ts-expect-error an option of other servers
    { sse: true },
    'options: expected options by name, got "sse", which is unknown; the nearest known one is "store"',
  ],
  [
    // @ts-expect-error a member that is misspelt
    { requestors: { my_shop: { authMethod: 'token', key: 'k', disclosePerm: [] } } },
    'requestors.my_shop in options: expected members by name, got "disclosePerm", which is unknown; the nearest known one is "disclosePerms"',
  ],
  [
    // @ts-expect-error the name of a member in a settings file
    { requestors: { my_shop: { auth_method: 'token', key: 'k' } } },
    'requestors.my_shop in options: expected members by name, got "auth_method", which is unknown; the nearest known one is "authMethod"',
  ],
  [
    // @ts-expect-error text for a number
    { clientPort: '8443' },
    'clientPort in options: expected an integer from 0 to 65535, got "8443"',
  ],
  [
    // @ts-expect-error a profile that there is not
    { profile: 'other' },
    'profile in options: expected one of svc, irma, got "other"',
  ],
  [
    // @ts-expect-error a number for a pattern
    { requestors: { my_shop: { authMethod: 'token', disclosePerms: [1] } } },
    'requestors.my_shop.disclosePerms.0 in options: expected text, got a number that is not shown',
  ],
  [
    // @ts-expect-error text for objects by name
    { requestors: 'my_shop' },
    'requestors in options: expected an object: requestor name to its settings, got text that is not shown',
  ],
  [
    // @ts-expect-error a list of objects
    { requestors: [{ authMethod: 'token', key: 'k' }] },
    'requestors in options: expected a plain object, got a list',
  ],
  [
    // @ts-expect-error text for an object
    { requestors: { my_shop: 'secret' } },
    'requestors.my_shop in options: expected an object, got text that is not shown',
  ],
  [
    // @ts-expect-error a member that is misspelt. The message ends a name at the first character that names never have: the rest may be a secret
    { requestors: { 'my_shop:secret': { authMethods: 'token' } } },
    'requestors.my_shop... in options: expected members by name, got "authMethods", which is unknown; the nearest known one is "authMethod"',
  ],
]

Types('options in camel case are read as those of a settings file', () => {
  const { values } = settingsOfProgram(RIGHT, sessionServer)
  assert.equal(values, {
    schemes_path: 'demo/schemes',
    client_port: 8443,
    profile: 'irma',
    no_auth: false,
    disclose_perms: ['a.*'],
    requestors: { my_shop: { auth_method: 'token', key: 'k', disclose_perms: ['a.b.c.*'] } },
    revocation_settings: { 'a.b.my_type': { authority: true, revocation_server_url: '' } },
    static_sessions: { one: { callbackUrl: 'https://a.example/', request: {} } },
  })
})

Types('every option of a settings file has a name in a program', () => {
  const options = { ...sessionServer.resolve({ flags: {}, variables: {}, file: undefined }).options }
  const named = Object.keys(options).map(name => [
    name.replace(/_./g, letters => letters.slice(1).toUpperCase()),
    Reflect.get(options, name),
  ])
  assert.equal(settingsOfProgram(Object.fromEntries(named), sessionServer).values, options)
})

Types('for every option, a value of a wrong type is refused with a message of this project', () => {
  for (const option of sessionServer.names) {
    const file = { name: 'options', values: { [option]: 0.5 } }
    assert.throws(
      () => sessionServer.resolve({ flags: {}, variables: {}, file }),
      (error: Error) => error.message.startsWith(`${option} in options: expected `),
    )
  }
})

for (const [options, message] of WRONG)
  Types(`refused: ${JSON.stringify(options)}`, async () => {
    const refusal = await startSessionServer(options).catch(error => error)
    assert.is(refusal.name, 'SettingsError')
    assert.is(refusal.message, message)
  })
Types.run()
