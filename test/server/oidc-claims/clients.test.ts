/** The option `clients`: the sites that may sign in users. */

import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { CARD, CLIENT, read, refused, SECRET } from './values.ts'

const claims = { age: `${CARD}.over18` }
const scopes = { age: ['age'] }
const PUBLIC = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' })
const EC = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' })

function one(more: object) {
  const found = read({ claims, scopes, clients: [{ ...CLIENT, ...more }] })
  return { metadata: found.clients[0], rules: found.rules.clients.get('shop') }
}

function fileWith(text: string): string {
  const file = join(temporaryFolder(), 'given')
  writeFileSync(file, text)
  return file
}

const KEYED = { client_secret: undefined, token_endpoint_auth_method: 'private_key_jwt' }

const Clients = suite('settings of sign-in: clients')

Clients('a client has the metadata of the protocol, and rules of its own', () => {
  assert.equal(one({}), {
    metadata: {
      client_id: 'shop',
      redirect_uris: ['https://shop.example/back'],
      post_logout_redirect_uris: [],
      token_endpoint_auth_method: 'client_secret_basic',
      client_secret: SECRET,
      response_types: ['code'],
      grant_types: ['authorization_code'],
      scope: 'openid',
      subject_type: 'pairwise',
      require_pushed_authorization_requests: false,
      backchannel_logout_session_required: false,
    },
    rules: { clientId: 'shop', scopes: [], mayAsk: null, sector: 'shop.example', hasRandomSubject: false },
  })
})

Clients('every member is read', () => {
  const { metadata, rules } = one({
    client_name: 'The shop',
    redirect_uris: ['https://shop.example/back', 'https://app.example:8443/?a=b'],
    post_logout_redirect_uris: ['https://shop.example/'],
    token_endpoint_auth_method: 'client_secret_post',
    scopes: ['openid', 'age', 'age'],
    may_ask: [`${CARD}.*`],
    subject: 'random',
    sector_identifier: 'shop.example',
    require_pushed_authorization_requests: true,
    backchannel_logout_uri: 'https://shop.example/logout',
    backchannel_logout_session_required: true,
  })
  assert.equal(rules, {
    clientId: 'shop',
    scopes: ['age'],
    mayAsk: [`${CARD}.*`],
    sector: 'shop.example',
    hasRandomSubject: true,
  })
  const { redirect_uris, ...others } = metadata ?? {}
  assert.is(redirect_uris?.length, 2)
  assert.equal(others, {
    client_id: 'shop',
    client_name: 'The shop',
    post_logout_redirect_uris: ['https://shop.example/'],
    token_endpoint_auth_method: 'client_secret_post',
    client_secret: SECRET,
    response_types: ['code'],
    grant_types: ['authorization_code'],
    scope: 'openid age',
    subject_type: 'pairwise',
    sector_identifier_uri: 'https://shop.example',
    require_pushed_authorization_requests: true,
    backchannel_logout_uri: 'https://shop.example/logout',
    backchannel_logout_session_required: true,
  })
})

Clients('a secret or keys can be in a file', () => {
  const secret = fileWith(`${SECRET}\n`)
  assert.is(one({ client_secret: undefined, client_secret_file: secret }).metadata?.client_secret, SECRET)
  const purpose = { kid: 'a', use: 'sig', key_ops: ['verify'] }
  const jwks = {
    keys: [
      { ...PUBLIC, ...purpose, alg: 'PS256' },
      { ...EC('P-256'), alg: 'ES256' },
    ],
  }
  assert.equal(one({ ...KEYED, jwks }).metadata?.jwks, jwks)
  assert.equal(one({ ...KEYED, jwks_file: fileWith(JSON.stringify(jwks)) }).metadata?.jwks, jwks)
  assert.is(
    one({ client_secret: undefined, token_endpoint_auth_method: 'none' }).metadata?.client_secret,
    undefined,
  )
})

Clients('a host of this computer may have http, but not in production', () => {
  for (const host of ['localhost:3000', '127.0.0.1', '[::1]:80'])
    assert.ok(one({ redirect_uris: [`http://${host}/back`] }).metadata)
  refused(
    { clients: [{ ...CLIENT, redirect_uris: ['http://localhost/back'] }], production: true },
    'clients[0].redirect_uris: expected an https address in production, got "http://localhost/back"',
  )
})

Clients('redirect URIs of one host have one sector; each port of localhost has its own', () => {
  const sector = (uri: string) => one({ redirect_uris: [uri] }).rules?.sector
  assert.is(sector('https://shop.example/a'), sector('https://SHOP.example:443/b'))
  assert.is.not(sector('http://localhost:3000/a'), sector('http://localhost:3001/a'))
})

const at = 'clients[0]'
const WRONG: readonly (readonly [more: object, message: string])[] = [
  [{ client_id: undefined }, `${at}.client_id: expected letters, digits and "_.~:/-", got none`],
  [{ client_id: 'a b' }, `${at}.client_id: expected letters, digits and "_.~:/-", got another text`],
  [
    { client_id: '__proto__' },
    `${at}.client_id: expected a name that JavaScript does not reserve, got __proto__`,
  ],
  [{ redirect_uris: undefined }, `${at}.redirect_uris: expected at least one address, got none`],
  [{ redirect_uris: [] }, `${at}.redirect_uris: expected at least one text, got an empty list`],
  [
    { redirect_uris: [7] },
    `${at}.redirect_uris: expected a list of texts, got a number in it; write it in quotes`,
  ],
  [
    { redirect_uris: ['https://shop.example/#a'] },
    `${at}.redirect_uris: expected an address without "#", got "https://shop.example/#..."`,
  ],
  [
    { redirect_uris: ['https://shop.example:6000/'] },
    `${at}.redirect_uris: expected a port that browsers and other HTTP clients call, got "https://shop.example:6000/"`,
  ],
  [
    { redirect_uris: ['https://*.shop.example/'] },
    `${at}.redirect_uris: expected an exact address without "*", got "https://..."`,
  ],
  [
    { redirect_uris: ['https://shop.example/a b'] },
    `${at}.redirect_uris: expected a whole https address, got "https://shop.example/a b"`,
  ],
  [{ redirect_uris: ['app:/back'] }, `${at}.redirect_uris: expected a whole https address, got "app:/back"`],
  [
    { redirect_uris: ['http://shop.example/'] },
    `${at}.redirect_uris: expected https, or http with a loopback host, got "http://shop.example/"`,
  ],
  [
    { redirect_uris: ['http://localhost.shop.example/'] },
    `${at}.redirect_uris: expected https, or http with a loopback host, got "http://localhost.shop.example/"`,
  ],
  [
    { post_logout_redirect_uris: ['http://shop.example/'] },
    `${at}.post_logout_redirect_uris: expected https, or http with a loopback host, got "http://shop.example/"`,
  ],
  [
    { backchannel_logout_uri: 'http://shop.example/' },
    `${at}.backchannel_logout_uri: expected https, or http with a loopback host, got "http://shop.example/"`,
  ],
  [
    { redirect_uris: ['https://a.example/', 'https://b.example/'] },
    `${at}.sector_identifier: expected a host that stands for all redirect URIs, because they have 2 hosts, got none`,
  ],
  [
    { sector_identifier: 'https://shop.example/list.json' },
    `${at}.sector_identifier: expected the name of a host in small letters, got another text`,
  ],
  [
    { scopes: ['ages'] },
    `${at}.scopes: expected a scope that is mapped to claims, got "ages"; the nearest is "age"`,
  ],
  [
    { may_ask: ['svc-dem.*'] },
    `${at}.may_ask: expected a name that the schemes define, got "svc-dem.*"; the nearest is "svc-demo.*"`,
  ],
  [
    { scopes: ['age'], may_ask: ['svc-keyshare.*'] },
    `${at}.may_ask: expected a pattern for the claim age of the scope age, got none`,
  ],
  [{ subject: 'public' }, `${at}.subject: expected one of random, got another value`],
  [
    { token_endpoint_auth_method: 'client_secret_jwt' },
    `${at}.token_endpoint_auth_method: expected one of client_secret_basic, client_secret_post, private_key_jwt, none, got another value`,
  ],
  [
    { client_secret: undefined },
    `${at}.client_secret: expected a secret, here or in "client_secret_file", got none`,
  ],
  [
    { token_endpoint_auth_method: 'none' },
    `${at}.client_secret: expected none, because of the method none, got one`,
  ],
  [{ jwks: {} }, `${at}.jwks: expected none, because of the method client_secret_basic, got one`],
  [KEYED, `${at}.jwks: expected public keys, here or in "jwks_file", got none`],
  [
    { ...KEYED, jwks: { keys: [] } },
    `${at}.jwks: expected {"keys": [...]} with at least one public key, got something else`,
  ],
  ...['code', 'state', 'iss', 'error', 'error_description'].map(
    name =>
      [
        { redirect_uris: [`https://shop.example/?a=b&${name}=1`] },
        `${at}.redirect_uris: expected no parameter of the answer in the query, got "${name}": choose another name`,
      ] as const,
  ),
  ...['two\nlines', '\u202eypaws', '\u2066shop'].map(
    client_name =>
      [
        { client_name },
        `${at}.client_name: expected one line of visible text, got control or direction characters`,
      ] as const,
  ),
  [
    { backchannel_logout_session_required: true },
    `${at}.backchannel_logout_session_required: expected "backchannel_logout_uri" too, got none`,
  ],
  [
    { require_pushed_authorization_requests: 'yes' },
    `${at}.require_pushed_authorization_requests: expected true or false, got a string`,
  ],
  [
    { redirect_uri: 'https://shop.example/' },
    `${at}: expected members by name, got "redirect_uri", which is unknown; the nearest known one is "redirect_uris"`,
  ],
]
for (const [more, message] of WRONG)
  Clients(`refused: ${inspect(more, { breakLength: Infinity })}`, () =>
    refused({ claims, scopes, clients: [{ ...CLIENT, ...more }] }, message),
  )

Clients('no message contains a secret', () => {
  const secret = 'Secret of mine\nin two lines'
  const given = { clients: [{ ...CLIENT, client_secret: secret, client_name: 7 }], production: true }
  refused(
    given,
    /^(?!.*Secret)clients.*\n(?!.*Secret)clients\[0\]\.client_secret: expected one line of ASCII characters, got another text$/,
  )
  const short = { clients: [{ ...CLIENT, client_secret: 'Secret' }], production: true }
  refused(
    short,
    /^(?!.*Secret)clients\[0\]\.client_secret: expected at least 32 characters in production, got 6/,
  )
  const file = fileWith('{"keys": [{"d": "Secret"')
  refused(
    { clients: [{ ...CLIENT, ...KEYED, jwks_file: file }] },
    /^(?!.*Secret)clients\[0\]\.jwks_file: expected \{"keys"/,
  )
  const both = { ...CLIENT, client_secret_file: fileWith('x') }
  refused(
    { clients: [both] },
    `${at}.client_secret: expected either ${at}.client_secret or ${at}.client_secret_file, got both`,
  )
  refused(
    { clients: [{ ...CLIENT, redirect_uris: ['https://me:Secret@shop.example/'] }] },
    /^(?!.*Secret).*without user name/,
  )
})

Clients('there is at least one client, and each occurs once', () => {
  refused({ clients: [CLIENT, CLIENT] }, 'clients[1].client_id: expected each client once, got "shop" twice')
  refused({ clients: [] }, 'clients: expected at least one client, got none')
  refused({ clients: ['shop'] }, 'clients[0]: expected an object, got a string')
})

Clients('all mistakes of all options are reported at once', () => {
  const given = {
    claims: { it: 'x' },
    scopes: { age: ['agee'] },
    acr_values: ['a', 'a'],
    subject: 'always',
    clients: [{}, { ...CLIENT, scopes: ['agee'] }],
  }
  refused(
    given,
    /^acr_values: .*\nclaims\.it: .*\nscopes\.age: .*\nsubject: .*\nclients\[0\]\.client_id: .*\n(?:clients\[0\].*\n)+clients\[1\]\.scopes: .*$/,
  )
})
Clients.run()
