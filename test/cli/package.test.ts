import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-package-'))
const PACKAGE = 'attribute-session-service'
const TSC = resolve('node_modules/typescript/bin/tsc')
const installed = join(folder, 'node_modules', PACKAGE)

/** Installs the packed file as `npm install` would, with this project's dependencies in place of downloaded ones. */
function install(): void {
  const npm = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  const name = execFileSync('npm', npm, { encoding: 'utf8' }).trim().split('\n').at(-1) ?? ''
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, name), '-C', installed, '--strip-components=1'])
  symlinkSync(resolve('node_modules'), join(installed, 'node_modules'))
}

function run(...words: readonly string[]): string {
  return execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8' })
}

const Package = suite('npm pack: the package works where it is installed')
Package.after(() => rmSync(folder, { recursive: true }))

Package('svc --help and --version work, and the package contains the demo schemes', () => {
  install()
  const main = join(installed, 'dist', 'cli', 'main.js')
  assert.match(run(main, '--help'), /^Usage: svc/)
  assert.match(run(main, '--version'), /^\d+\.\d+\.\d+\n$/)
  const schemes = join(installed, 'demo', 'schemes')
  const wallet = ['--dir', join(folder, 'wallet'), '--schemes-path', schemes]
  assert.match(run(main, 'wallet', 'init', '--demo', ...wallet), /^\d+ credentials in /)
})

Package('the package contains neither tests nor benchmarks', () => {
  const files = execFileSync('find', ['.', '-name', 'node_modules', '-prune', '-o', '-type', 'f', '-print'], {
    cwd: installed,
    encoding: 'utf8',
  }).split('\n')
  assert.ok(files.includes('./dist/libraries/index.d.ts'))
  assert.equal(
    files.filter(file => /\/(test|bench)\//.test(file)),
    [],
  )
})

/** The exports that another program finds, by path below the package. */
const OTHER_EXPORTS = {
  client: 'ServerRefusalError WaitTimeoutError attributes createFrontend createRequestor verifyResult',
  testing: 'startTestKit',
  verify: 'loadSchemes verifySignature',
}

for (const [path, names] of Object.entries(OTHER_EXPORTS))
  Package(`another program imports its ${path}`, () => {
    const program = join(folder, `${path}.mjs`)
    const line = `import * as it from 'attribute-session-service/${path}'\nconsole.log(Object.keys(it).sort().join(' '))`
    writeFileSync(program, line)
    assert.is(run(program).trim(), names)
  })

Package('another program imports it by its name', () => {
  const program = join(folder, 'program.mjs')
  writeFileSync(
    program,
    "import * as service from 'attribute-session-service'\nconsole.log(Object.keys(service).sort().join(' '))",
  )
  const names = [
    'answerSession',
    'changePin',
    'chooseArithmetic',
    'createSessionHandler',
    'createSystemClock',
    'createWallet',
    'environmentFetch',
    'loadSchemes',
    'obtainCredentials',
    'openWallet',
    'parseSchemeId',
    'register',
    'startKeyshareServer',
    'startSessionServer',
    'systemRandomness',
    'unlock',
  ]
  assert.equal(run(program).trim().split(' '), names)
})

/** Compiles a program that uses the package, including the types of its dependencies.
 *  @returns the messages of the compiler, and the files that it has read */
function compiled(resolution: string, ...paths: readonly string[]): string {
  const lines = paths.map((path, i) => `export * as e${i} from '${PACKAGE}${path}'\n`)
  writeFileSync(join(folder, 'program.ts'), lines.join(''))
  const strict = '--strict --exactOptionalPropertyTypes --skipLibCheck false'
  const words = `${strict} ${resolution} --target es2023 --noEmit --ignoreConfig --listFiles program.ts`
  return spawnSync(process.execPath, [TSC, ...words.split(' ')], { cwd: folder, encoding: 'utf8' }).stdout
}

const NODENEXT = '--module nodenext'
const BUNDLER = '--module esnext --moduleResolution bundler'
const COMPLAINT = /^.* error TS.*$/m

for (const path of ['', '/testing', '/verify'])
  Package(`the types of ${PACKAGE}${path} pass the strictest checks, with those of its packages`, () => {
    const said = compiled(NODENEXT, path)
    assert.match(said, '/program.ts')
    assert.not.match(said, COMPLAINT)
  })

Package(
  'the types of the client pass these checks without the types of Node, which a web site may not have',
  () => {
    const said = compiled(NODENEXT, '/client')
    assert.match(said, '/program.ts')
    assert.not.match(said, COMPLAINT)
    assert.not.match(said, '/@types/node/')
  },
)

Package('all types pass these checks with the module resolution of a bundler', () => {
  const said = compiled(BUNDLER, '', '/client', '/testing', '/verify')
  assert.match(said, '/program.ts')
  assert.not.match(said, COMPLAINT)
})
Package.run()
