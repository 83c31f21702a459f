/** `svc server check` finds out if the server could open its store, without creating the file. @module */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { checkStore } from '../../stores/open.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { freePort, runSvc, startSvc } from './run-svc.ts'

const REMEDY = 'see that the folder of the file exists, and that this user may write to both'

function checked(...words: readonly string[]) {
  return runSvc(['server', 'check', '--schemes-path', 'demo/schemes', ...words])
}

/** The process gives up root's rights after it has loaded the code, so that file permissions apply. */
const AS_SOMEBODY = `import { checkStore } from ${JSON.stringify(new URL(`../../stores/open${import.meta.url.slice(-3)}`, import.meta.url).href)}
if (process.getuid() === 0) process.setuid(65534)
try { checkStore(process.argv[1]) } catch (error) { process.stdout.write(error.message) }`

function refusalFor(file: string): string {
  const words = ['--input-type=module', '-e', AS_SOMEBODY, `sqlite:${file}`]
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  return stdout + stderr
}

const Check = suite('svc server check: the store could be opened')

Check('a missing folder: the same line and code as from the server', async () => {
  const folder = join(temporaryFolder(), 'none')
  const file = join(folder, 's.sqlite')
  const { code, stdout, stderr } = await checked('--store', `sqlite:${file}`)
  assert.equal([code, stdout], [1, ''])
  assert.is(
    stderr,
    `svc: store ${file}: expected to read and write the file, got "ENOENT: no such file or directory, access '${folder}/'": ${REMEDY}\n`,
  )
  assert.not.ok(existsSync(folder))
})

Check('the folder is a file, or the file is a folder', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'file')
  writeFileSync(file, '')
  assert.throws(() => checkStore(`sqlite:${join(file, 's.sqlite')}`), /ENOTDIR/)
  assert.throws(() => checkStore(`sqlite:${folder}`), /expected a file, got something else/)
})

Check('a check without problems creates no file', async () => {
  const folder = temporaryFolder()
  const { code, stderr } = await checked('--store', `sqlite:${join(folder, 's.sqlite')}`)
  assert.is(code, 0, stderr)
  assert.match(stderr, /WARN schemes: Issuer svc-demo\.old has no nonexpired public keys; make the next key/)
  assert.equal(readdirSync(folder), [])
})

Check('without "store", check and start name the file of the default store, in one line', async () => {
  const home = temporaryFolder()
  const line = `INFO store: sqlite:${join(home, 'svc/sessions.sqlite')}, the default, because "store" is not set\n`
  const words = ['--schemes-path', 'demo/schemes']
  const { stderr } = await runSvc(['server', 'check', ...words], { XDG_DATA_HOME: home })
  assert.is(stderr.split(line).length, 2, stderr)
  assert.equal(readdirSync(home), [])
  const server = startSvc(['server', ...words, '--port', String(await freePort())], { XDG_DATA_HOME: home })
  assert.is((await server.says('svc server running')).split(line).length, 2)
  server.process.kill('SIGTERM')
  assert.is((await server.finished).code, 0)
  const named = await checked('--store', 'memory')
  assert.not.match(named.stderr, 'INFO store')
})

Check('a folder that this user may not write, and a file', () => {
  const folder = temporaryFolder()
  const file = join(folder, 's.sqlite')
  chmodSync(folder, 0o555)
  const refusal = refusalFor(file)
  assert.ok(refusal.endsWith(`EACCES: permission denied, access '${folder}/'": ${REMEDY}`), refusal)
  chmodSync(folder, 0o777)
  assert.is(refusalFor(file), '')
  writeFileSync(file, '')
  chmodSync(file, 0o444)
  assert.ok(refusalFor(file).endsWith(`EACCES: permission denied, access '${file}'": ${REMEDY}`))
})

Check('the default store: its folder may be missing, but not be a file', async () => {
  const data = temporaryFolder()
  const run = () =>
    runSvc(['server', 'check', '--schemes-path', 'demo/schemes'], { XDG_DATA_HOME: join(data, 'new') })
  const { code, stderr } = await run()
  assert.is(code, 0, stderr)
  assert.equal(readdirSync(data), [])
  mkdirSync(join(data, 'new'))
  writeFileSync(join(data, 'new', 'svc'), '')
  const refused = await run()
  assert.is(refused.code, 1)
  assert.match(
    refused.stderr,
    /^svc: store .*new\/svc\/sessions\.sqlite: expected to read and write the file, got "ENOTDIR/,
  )
})

Check.run()
