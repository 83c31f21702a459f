/** `npm run build` while programs run from the previous build, in a copy of this project. @module */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  accessSync,
  appendFileSync,
  constants,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { freePort, runSvc, startSvc } from '../cli/run-svc.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const copy = temporaryFolder()
const main = join(copy, 'dist/cli/main.js')

/** Copies the product's own folders, without the tests. */
function copyProject(): void {
  const { include } = JSON.parse(readFileSync(join(PROJECT, 'tsconfig.json'), 'utf8'))
  const product = [...include].filter(name => name !== 'test' && name !== 'tools/bench')
  for (const name of [...product, 'package.json', 'tsconfig.json', 'tools/build.js'])
    cpSync(join(PROJECT, name), join(copy, name), { recursive: true })
  symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'))
}

function build(): number | null {
  return spawnSync('npm', ['run', '-s', 'build'], { cwd: copy }).status
}

const besides = (): string[] => readdirSync(copy).filter(name => /^dist./.test(name))

/** A thread ends when the process gets SIGUSR2. */
const MORTAL_THREADS = `import { BroadcastChannel, isMainThread } from 'node:worker_threads'
const channel = new BroadcastChannel('threads')
if (isMainThread) process.on('SIGUSR2', () => { channel.postMessage('end'); process.stderr.write('threads end\\n') })
else channel.onmessage = () => process.exit(1)
channel.unref()
`

const Build = suite('npm run build')
Build.before(copyProject)

Build('svc runs from the build, and the build leaves no other files', () => {
  assert.is(build(), 0)
  accessSync(main, constants.X_OK)
  assert.match(execFileSync(main, ['--version'], { encoding: 'utf8' }), /^\d+\.\d+\.\d+\n$/)
  assert.equal(besides(), [])
})

Build('a build that fails leaves the previous build', () => {
  const broken = join(copy, 'server/version.ts')
  const before = readFileSync(broken, 'utf8')
  appendFileSync(broken, '\nconst wrong: number = "text"\n')
  assert.is.not(build(), 0)
  writeFileSync(broken, before)
  assert.match(execFileSync(main, ['--version'], { encoding: 'utf8' }), /^\d+\.\d+\.\d+\n$/)
  assert.equal(besides(), [])
})

Build('a later build compiles what has changed, and removes the output of a source that has gone', () => {
  const added = join(copy, 'server/added.ts')
  writeFileSync(added, 'export const added = 1\n')
  assert.is(build(), 0)
  const output = (name: string): string => join(copy, 'dist/server', name)
  assert.match(readFileSync(output('added.js'), 'utf8'), /added = 1/)
  appendFileSync(output('version.js'), '// kept')
  writeFileSync(added, 'export const added = 2\n')
  assert.is(build(), 0)
  assert.match(readFileSync(output('added.js'), 'utf8'), /added = 2/)
  assert.match(readFileSync(output('version.js'), 'utf8'), /\/\/ kept$/) // its source has not changed
  rmSync(added)
  assert.is(build(), 0)
  assert.equal(
    ['added.js', 'added.js.map', 'added.d.ts', 'version.js'].map(name => existsSync(output(name))),
    [false, false, false, true],
  )
})

Build(
  'a running server survives a build: it starts a new worker thread and completes a session',
  async () => {
    const preload = join(copy, 'mortal.mjs')
    writeFileSync(preload, MORTAL_THREADS)
    const port = String(await freePort())
    const schemes = ['--schemes-path', join(copy, 'demo/schemes')]
    const listening = ['--listen-addr', '127.0.0.1', '--port', port, '--store', 'memory']
    const server = startSvc(
      ['server', ...schemes, ...listening],
      { NODE_OPTIONS: `--import ${preload}` },
      main,
    )
    await server.says('svc server running')
    assert.is(build(), 0)
    server.process.kill('SIGUSR2')
    await server.says('threads end')
    const wallet = ['--dir', join(copy, 'phone'), ...schemes]
    assert.is((await runSvc(['wallet', 'init', '--demo', ...wallet])).code, 0)
    const words = [
      '--server',
      `http://127.0.0.1:${port}`,
      '--disclose',
      'svc-demo.gov.idcard.over18',
      '--json',
      '--noqr',
    ]
    const session = startSvc(['session', ...schemes, ...words])
    const said = await session.says('"}\n')
    assert.is(
      (await runSvc(['wallet', 'answer', said.slice(0, said.indexOf('\n')), '--yes', ...wallet])).code,
      0,
    )
    assert.match((await session.finished).stdout, /"proofStatus":"VALID"/)
    server.process.kill('SIGTERM')
    assert.is((await server.finished).code, 0)
  },
)

Build.run()
