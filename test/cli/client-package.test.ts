/** The package `attribute-session-client`: its size, its packages, and a strict program that uses it. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { startStandIn } from '../examples/programs.ts'
import { PROJECT } from '../project.ts'
import { suite, tellAtEnd } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { CLIENT, installClient, packClient } from './client-package.ts'
import { LOCKED_PACKAGES } from './lock-file.ts'

const MAX_BYTES = 300_000
const FRAMEWORKS = ['express', 'fastify', 'hono', 'koa', 'next']
const MANIFEST = z.object({
  version: z.string(),
  dependencies: z.record(z.string(), z.string()),
  scripts: z.never().optional(),
})

const file = packClient()
const folder = temporaryFolder()
writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
installClient(folder, 'needed', file)
const own = join(folder, 'node_modules', CLIENT)
const tool = (name: string): string => join(PROJECT, 'node_modules/.bin', name)

/** The sum of the sizes of all files, in bytes. */
function sizeOf(place: string): number {
  const entries = readdirSync(place, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

/** Compiles `program.ts` with the strictest checks and without the types of Node. @returns the messages of the compiler */
function compile(text: string): string {
  writeFileSync(join(folder, 'program.ts'), text)
  const strict = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
    '--skipLibCheck',
    'false',
  ]
  const options = ['--module', 'nodenext', '--target', 'es2022', '--ignoreConfig', 'program.ts']
  return spawnSync(tool('tsc'), [...strict, ...options], { cwd: folder, encoding: 'utf8' }).stdout
}

const program = (url: string, id = 'svc-demo.gov.idcard.over18'): string =>
  `import { attributes, createRequestor } from '${CLIENT}'
const requestor = createRequestor({ url: '${url}' })
const { token } = await requestor.start({ '@context': 'https://svc.example/ld/request/disclosure/v2', disclose: [[['svc-demo.gov.idcard.over18']]] })
const result = await requestor.result(token)
if (result.status === 'DONE' && result.proofStatus === 'VALID') console.log(result.disclosed[0][0].rawvalue, attributes(result)['${id}'])
`

const Client = suite('the package of the client')

Client('installs jose and nothing else, and both are small', () => {
  const { version, dependencies } = MANIFEST.parse(
    JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')),
  )
  const locked = new Map(LOCKED_PACKAGES)
  const jose = locked.get('node_modules/jose')
  assert.equal(dependencies, { jose: jose?.version })
  assert.equal(jose?.dependencies, undefined)
  assert.is(version, JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')).version)
  const [client, whole] = [sizeOf(own), sizeOf(own) + sizeOf(join(PROJECT, 'node_modules/jose'))]
  tellAtEnd(`the package of the client: ${client} bytes; installed with jose ${whole} bytes, 2 packages`)
  assert.ok(client > 10_000)
  assert.ok(whole <= MAX_BYTES, `${whole} bytes`)
})

Client('a strict program of five lines compiles against it, and runs', async () => {
  const server = await startStandIn()
  try {
    const over18 = 'svc-demo.gov.idcard.over18'
    server.willAnswer(200, {
      status: 'DONE',
      proofStatus: 'VALID',
      disclosed: [[{ id: over18, rawvalue: 'yes' }]],
    })
    assert.is(compile(program(server.url)), '')
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'program.js')])
    assert.is(stdout, 'yes yes\n')
  } finally {
    await server.close()
  }
})

Client('a program that reads an attribute which it did not request does not compile', () => {
  assert.match(compile(program('http://127.0.0.1', 'svc-demo.gov.idcard.initials')), /error TS7053/)
})

Client('each framework has its askFor', () => {
  for (const name of FRAMEWORKS) {
    const text = `import { askFor } from '${CLIENT}/${name}'; console.log(typeof askFor)`
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', text], { cwd: folder })
    assert.is(said.toString(), 'function\n', name)
  }
})

Client('imports jose alone, and has the licence of the package whose code it contains', () => {
  const names = readdirSync(own)
  const text = names
    .filter(name => name.endsWith('.js'))
    .map(name => readFileSync(join(own, name), 'utf8'))
    .join('\n')
  const imported = [...text.matchAll(/\bfrom"([^".][^"]*)"/g)].map(([, name]) => name)
  assert.equal([...new Set(imported)], ['jose'])
  assert.match(text, 'onEvent') // of eventsource-parser
  assert.equal(
    names.filter(name => name.startsWith('LICENSE')),
    ['LICENSE', 'LICENSE.eventsource-parser'],
  )
  assert.match(readFileSync(join(own, 'LICENSE.eventsource-parser'), 'utf8'), /Permission is hereby granted/)
})

Client('publint and attw report no problem', () => {
  assert.match(execFileSync(tool('publint'), [file, '--strict'], { encoding: 'utf8' }), /All good!/)
  assert.not.throws(() => execFileSync(tool('attw'), [file, '--profile', 'esm-only'], { stdio: 'pipe' }))
})

Client.run()
