/** The packed package beside the packages that it needs, as npm installs them with `--ignore-scripts`: none of their scripts has run. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { LOCKED_PACKAGES } from './lock-file.ts'
import { pack } from './pack.ts'
import { freePort } from './run-svc.ts'

const NAME = 'attribute-session-service'
/** The folder in which a script of a native package leaves the program that it compiles. */
const BUILT = 'build'

/** Starts a session on SQLite with OpenSSL's arithmetic: both need a native package. */
const PROGRAM = `
import { startSessionServer } from '${NAME}'
const [schemesPath, store, port] = process.argv.slice(2)
const options = { schemesPath, store, arithmetic: 'openssl', listenAddr: '127.0.0.1', port: Number(port), quiet: true }
const server = await startSessionServer(options)
const request = { '@context': 'https://svc.example/ld/request/disclosure/v2', disclose: [[['svc-demo.gov.idcard.over18']]] }
const headers = { 'Content-Type': 'application/json' }
const answer = await fetch(\`http://127.0.0.1:\${port}/session\`, { method: 'POST', headers, body: JSON.stringify(request) })
console.log(answer.status)
await server.close()
`

/** Puts the needed packages beside it: those with a script as copies without what it built, the others as links. @returns those with a script */
function install(folder: string): readonly string[] {
  pack(join(folder, 'node_modules', NAME))
  const isTopmost = (path: string): boolean => path.lastIndexOf('node_modules/') === 0
  const needed = LOCKED_PACKAGES.filter(([path, { dev }]) => !dev && isTopmost(path))
    .map(([path]) => path)
    .filter(path => existsSync(join(PROJECT, path))) // packages of other systems are not there
  for (const path of needed) {
    const [from, to] = [join(PROJECT, path), join(folder, path)]
    mkdirSync(dirname(to), { recursive: true })
    if (scripted(path)) cpSync(from, to, { recursive: true, filter: file => file !== join(from, BUILT) })
    else symlinkSync(from, to)
  }
  return needed.filter(scripted)
}

function scripted(path: string): boolean {
  return LOCKED_PACKAGES.some(([each, { hasInstallScript }]) => each === path && hasInstallScript)
}

const Installed = suite('npm install --ignore-scripts')

Installed('a server works with SQLite and with OpenSSL, and no script of a package has run', async () => {
  const folder = temporaryFolder()
  const native = install(folder)
  assert.equal(native, ['node_modules/@photostructure/sqlite', 'node_modules/koffi'])
  for (const path of native) assert.not(existsSync(join(folder, path, BUILT)), path)
  writeFileSync(join(folder, 'program.mjs'), PROGRAM)
  const schemes = join('node_modules', NAME, 'demo/schemes')
  const words = ['program.mjs', schemes, `sqlite:${join(folder, 'store.sqlite')}`, String(await freePort())]
  assert.is(execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8' }), '200\n')
})

Installed.run()
