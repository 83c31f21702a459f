/** A user without a home folder, such as a user id of a container that is not in passwd. The folder is needed only if a default path is in it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { freePort, runSvc, startSvc, withSvc } from './run-svc.ts'

const folder = temporaryFolder()
/** An empty value counts as none. The system also gives none if HOME is not set and the user is not in passwd. */
const NO_HOME = { HOME: '' }
const SCHEMES = ['--schemes-path', 'demo/schemes']

const needs = (option: string): string =>
  `svc: ${option}: expected a path, because this user has no home folder, where the default one would be, got none\n`

const Home = suite('svc without a home folder')

Home('a server whose paths are given runs', async () => {
  const file = join(folder, 'explicit.yml')
  const port = await freePort()
  writeFileSync(
    file,
    `{profile: irma, store: memory, schemes_path: demo/schemes, no_auth: true, port: ${port}, listen_addr: 127.0.0.1}`,
  )
  const checked = await runSvc(['server', 'check', '--config', file], NO_HOME)
  assert.is(checked.code, 0, checked.stderr)
  await withSvc(startSvc(['server', '--config', file], NO_HOME), running =>
    running.says('svc server running'),
  )
})

const WORKS: Readonly<Record<string, readonly string[]>> = {
  'server check without a settings file': ['server', 'check', ...SCHEMES, '--store', 'memory'],
  request: ['request', ...SCHEMES, '--disclose', 'svc-demo.gov.idcard.over18'],
  'deliveries list': ['deliveries', 'list', '--store', `sqlite:${join(folder, 'deliveries.sqlite')}`],
  'wallet init': ['wallet', 'init', ...SCHEMES, '--dir', join(folder, 'wallet')],
  'scheme verify': ['scheme', 'verify', 'demo/schemes/svc-demo'],
}

for (const [title, words] of Object.entries(WORKS))
  Home(`${title} works where every path is given`, async () => {
    const { code, stderr } = await runSvc(words, NO_HOME)
    assert.not.match(stderr, /home/)
    if (!title.startsWith('deliveries')) assert.is(code, 0, stderr)
  })

const NAMED: Readonly<Record<string, readonly [words: readonly string[], option: string]>> = {
  'the store of a server': [['server', ...SCHEMES, '--listen-addr', '127.0.0.1'], 'store'],
  'the store of a check': [['server', 'check', ...SCHEMES], 'store'],
  'the schemes of a server': [['server', '--store', 'memory'], 'schemes_path'],
  'the store of deliveries': [['deliveries', 'list'], 'store'],
  'the store of deliveries of accounts': [['deliveries', 'list', '--keyshare'], 'store'],
  'the schemes of a request': [['request', '--disclose', 'a.b.c.d'], 'schemes_path'],
  'the folder of a wallet': [['wallet', 'list', ...SCHEMES], '--dir'],
  'the folder of downloads': [['scheme', 'update'], 'PATH'],
}

for (const [title, [words, option]] of Object.entries(NAMED))
  Home(`the message names the option: ${title}`, async () => {
    const { code, stderr } = await runSvc(words, NO_HOME)
    assert.equal([code, stderr.split('\n').slice(-2).join('\n')], [1, needs(option)], stderr)
  })

Home('a keyshare server needs the home folder for its default store only', async () => {
  const words = ['keyshare', 'check', ...SCHEMES]
  const without = await runSvc(words, NO_HOME)
  assert.match(without.stderr, needs('store'))
  assert.not.match((await runSvc([...words, '--store', 'memory'], NO_HOME)).stderr, /home/)
})

Home('XDG_DATA_HOME replaces the home folder', async () => {
  const data = join(folder, 'data')
  mkdirSync(data)
  const { code, stderr } = await runSvc(['server', 'check', ...SCHEMES], { ...NO_HOME, XDG_DATA_HOME: data })
  assert.is(code, 0, stderr)
})
Home.run()
