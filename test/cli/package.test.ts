import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-package-'))
const installed = join(folder, 'node_modules', 'attribute-session-service')

/** What `npm install` of the packed file would leave, with this project's dependencies in place of downloaded ones. */
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

Package('svc --help and --version answer, and the demo schemes are in it', () => {
  install()
  const main = join(installed, 'dist', 'cli', 'main.js')
  assert.match(run(main, '--help'), /^Usage: svc/)
  assert.match(run(main, '--version'), /^\d+\.\d+\.\d+\n$/)
  const schemes = join(installed, 'demo', 'schemes')
  const wallet = ['--dir', join(folder, 'wallet'), '--schemes-path', schemes]
  assert.match(run(main, 'wallet', 'init', '--demo', ...wallet), /^\d+ credentials in /)
})

Package('neither tests nor benchmarks are in it', () => {
  const files = execFileSync('find', ['.', '-name', 'node_modules', '-prune', '-o', '-type', 'f', '-print'], {
    cwd: installed,
    encoding: 'utf8',
  }).split('\n')
  assert.ok(files.includes('./dist/index.d.ts'))
  assert.equal(
    files.filter(file => /\/(test|bench)\//.test(file)),
    [],
  )
})

Package('another program imports it by its name', () => {
  const program = join(folder, 'program.mjs')
  writeFileSync(
    program,
    "import * as service from 'attribute-session-service'\nconsole.log(Object.keys(service).sort().join(' '))",
  )
  const names = [
    ...['answerSession', 'changePin', 'chooseArithmetic', 'createSessionHandler', 'createSystemClock'],
    ...['createWallet', 'loadSchemes'],
    ...['obtainCredentials', 'openWallet', 'parseSchemeId', 'register', 'startKeyshareServer'],
    ...['startSessionServer', 'systemRandomness', 'unlock'],
  ]
  assert.equal(run(program).trim().split(' '), names)
})
Package(
  'its types pass the strictest checks of another program, which reads those of its dependencies too',
  () => {
    writeFileSync(join(folder, 'program.ts'), "export * from 'attribute-session-service'\n")
    const strict = '--strict --exactOptionalPropertyTypes --skipLibCheck false'
    const kind = '--module nodenext --target es2023 --noEmit --ignoreConfig'
    const words = [
      resolve('node_modules/typescript/bin/tsc'),
      ...`${strict} ${kind}`.split(' '),
      'program.ts',
    ]
    assert.not.throws(() => run(...words))
  },
)
Package.run()
