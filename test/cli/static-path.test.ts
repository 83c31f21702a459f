/** `static_path` publishes no secret: the server does not start, and the check of the settings reports the same (spec/session-server#2.6). @module */
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { sessionServer } from '../../server/settings/session-server.ts'
import { checkStaticPath } from '../../server/settings/static-path.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { runSvc } from './run-svc.ts'

type Values = Readonly<Record<string, unknown>>

/** A folder `www` with one page, and beside it a folder `etc`. */
function site() {
  const base = temporaryFolder()
  const [www, etc] = [join(base, 'www'), join(base, 'etc')]
  for (const folder of [www, join(www, 'sub'), join(www, '.hidden'), etc]) mkdirSync(folder)
  writeFileSync(join(www, 'index.html'), 'hello')
  return { base, www, etc }
}

function check(static_path: string, values: Values = {}, settingsFile?: string): void {
  const file = { name: 'f', values: { static_path, store: 'memory', ...values } }
  checkStaticPath(sessionServer.resolve({ flags: {}, variables: {}, file }).options, settingsFile)
}

function refused(act: () => void, folder: string, what: string): void {
  assert.throws(act, (error: unknown) => {
    assert.is(
      error instanceof Error && error.message,
      `static_path: expected a folder without secrets, because every file below it is public, got ${folder}, which holds ${what}; move one of the two`,
    )
    return true
  })
}

function written(path: string): string {
  writeFileSync(path, 'secret')
  return path
}

const requestorsWith = (key_file: string) => ({ requestors: { shop: { auth_method: 'token', key_file } } })

/** The settings that name each secret, for an existing file. */
const NAMED: readonly (readonly [what: string, valuesOf: (path: string) => Values])[] = [
  ['the store', path => ({ store: `sqlite:${path}` })],
  ['the keys of "tls_privkey_file"', tls_privkey_file => ({ tls_privkey_file })],
  ['the keys of "client_tls_privkey_file"', client_tls_privkey_file => ({ client_tls_privkey_file })],
  ['the keys of "jwt_privkey_file"', jwt_privkey_file => ({ jwt_privkey_file })],
  ['the keys of "privkeys"', privkeys => ({ privkeys })],
  ['the keys of "requestors.shop.key_file"', requestorsWith],
]

const Static = suite('static_path publishes no secret')

for (const [what, valuesOf] of NAMED)
  Static(`${what}: refused at any depth below the folder, and accepted beside it`, () => {
    const { base, www, etc } = site()
    for (const path of [written(join(www, 'a')), written(join(www, 'sub', 'a'))])
      refused(() => check(www, valuesOf(path)), www, `${what}, ${path}`)
    const beside = written(join(etc, 'a'))
    check(www, valuesOf(beside))
    refused(() => check(base, valuesOf(beside)), base, `${what}, ${beside}`)
    check(www, valuesOf(written(join(www, '.hidden', 'a')))) // which is never served
  })

Static('the settings file', () => {
  const { www, etc } = site()
  const path = written(join(www, 'svcserver.yml'))
  refused(() => check(www, {}, path), www, `the settings file, ${path}`)
  check(www, {}, join(etc, 'svcserver.yml'))
})

Static('real paths count: links to the folder, to the file, and from the folder to the outside', () => {
  const { base, www, etc } = site()
  const [link, inside, outside] = [join(base, 'link'), written(join(www, 'a')), written(join(etc, 'b'))]
  symlinkSync(www, link)
  refused(
    () => check(link, requestorsWith(inside)),
    link,
    `the keys of "requestors.shop.key_file", ${inside}`,
  )
  symlinkSync(inside, join(etc, 'a'))
  const linked = requestorsWith(join(etc, 'a'))
  refused(() => check(www, linked), www, `the keys of "requestors.shop.key_file", ${inside}`)
  symlinkSync(outside, join(www, 'b'))
  check(www, requestorsWith(join(www, 'b'))) // the static server does not follow links out of the folder
})

Static('a store that does not exist yet, in a folder that is a link', () => {
  const { base, www } = site()
  symlinkSync(www, join(base, 'link'))
  const store = `sqlite:${join(base, 'link', 'none', 's.sqlite')}`
  refused(() => check(www, { store }), www, `the store, ${join(www, 'none', 's.sqlite')}`)
})

Static('files that are served below .well-known count too', () => {
  const { www } = site()
  mkdirSync(join(www, '.well-known'))
  const path = written(join(www, '.well-known', 'a'))
  refused(() => check(www, requestorsWith(path)), www, `the keys of "requestors.shop.key_file", ${path}`)
})

Static('files that our commands write: wallets, keys of schemes, keys of issuers', () => {
  for (const [name, what] of [
    ['wallet.json', 'a wallet'],
    ['sk.pem', 'the private key of a scheme'],
    ['PrivateKeys', 'private keys of an issuer'],
  ] as const) {
    const { www } = site()
    const path = written(join(www, 'sub', name))
    refused(() => check(www), www, `${what}, ${path}`)
    renameSync(path, join(www, '.hidden', name))
    check(www)
  }
})

Static('a folder that this user may not list does not prevent the start', () => {
  const { www } = site()
  const closed = join(www, 'sub')
  chmodSync(www, 0o755)
  chmodSync(join(www, '..'), 0o755)
  chmodSync(closed, 0)
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    check(www)
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(closed, 0o755)
  }
})

Static('svc server and svc server check end with 1 and that one line', async () => {
  const { www } = site()
  const config = join(www, 'svcserver.json')
  writeFileSync(config, JSON.stringify({ static_path: www, store: 'memory', schemes_path: 'demo/schemes' }))
  const line = `svc: static_path: expected a folder without secrets, because every file below it is public, got ${www}, which holds the settings file, ${config}; move one of the two\n`
  for (const words of [
    ['server', 'check'],
    ['server', '--listen-addr', '192.0.2.1'], // an address at which it could not listen
  ])
    assert.equal(await runSvc([...words, '--config', config]), { code: 1, stdout: '', stderr: line })
  const moved = join(www, '..', 'svcserver.json')
  renameSync(config, moved)
  const { code, stderr } = await runSvc(['server', 'check', '--config', moved])
  assert.is(code, 0, stderr)
})

Static.run()
