/** The result of `npm pack`, compared with the imports of its users and with the lists that it contains. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { LOCKED_PACKAGES, nameOf } from './lock-file.ts'
import { pack } from './pack.ts'

const MAP = z.object({ sources: z.array(z.string()), sourcesContent: z.array(z.string()) })
const PACKAGE = z.object({
  scripts: z.record(z.string(), z.string()),
})
const PARTS = z.object({
  metadata: z.object({ component: z.object({ name: z.string() }) }),
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      hashes: z.array(z.object({ alg: z.string(), content: z.string() })),
      licenses: z.array(z.object({ expression: z.string() })),
    }),
  ),
})

/** Licences that are allowed for the parts. */
const LICENCES = [
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]

const tool = (name: string): string => join(PROJECT, 'node_modules', '.bin', name)

const { file, folder } = pack()
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')
const packed = PACKAGE.parse(JSON.parse(textOf('package.json')))

const Packed = suite('npm pack: what is in the package')

Packed('publint reports no problem', () => {
  const said = execFileSync(tool('publint'), [file, '--strict'], { encoding: 'utf8' })
  assert.match(said, /All good!/)
})

Packed(
  'its types are those of its modules, for every way in which another program of ES modules imports it',
  () => {
    assert.not.throws(() => execFileSync(tool('attw'), [file, '--profile', 'esm-only'], { stdio: 'pipe' }))
  },
)

Packed('the package runs no script at its installation', () => {
  const atInstallation = ['preinstall', 'install', 'postinstall', 'prepare']
  assert.equal(
    atInstallation.filter(name => name in packed.scripts),
    [],
  )
})

Packed('each source map holds its source', () => {
  const maps = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.map'),
  )
  assert.ok(maps.length > 100)
  for (const name of maps) {
    const { sources, sourcesContent } = MAP.parse(JSON.parse(textOf(name)))
    assert.is(sourcesContent.length, sources.length, name)
  }
})

/** The parts in the lock file as npm lists them: the name, "@" and the version. */
function partsOfNpm(): readonly string[] {
  const npm = ['ls', '--all', '--omit', 'dev', '--parseable', '--long', '--package-lock-only']
  const lines = execFileSync('npm', npm, { cwd: PROJECT, encoding: 'utf8', stdio: 'pipe' }).trim().split('\n')
  const [, ...parts] = lines.map(line => line.slice(line.lastIndexOf(':') + 1))
  return parts
}

Packed(
  'the list of parts has every package that npm installs, and the list of licences has every part',
  () => {
    const { metadata, components } = PARTS.parse(JSON.parse(textOf('dist/sbom.cdx.json')))
    assert.is(metadata.component.name, 'attribute-session-service')
    const parts = components.map(({ name, version }) => `${name} ${version}`)
    const ofNpm = partsOfNpm().map(part => part.replace(/(?<=.)@/, ' '))
    assert.ok(ofNpm.length > 50)
    assert.equal(
      ofNpm.filter(part => !parts.includes(part)),
      [],
    )
    const licences = textOf('dist/licences.txt')
      .trim()
      .split('\n')
      .map(line => line.split(': '))
    assert.equal(licences.map(([part]) => part).sort(), [...parts].sort())
    assert.equal(
      licences.filter(([, licence = '']) => !LICENCES.includes(licence)),
      [],
    )
  },
)

Packed('both lists give each part the hash and the licence of the lock file', () => {
  const { components } = PARTS.parse(JSON.parse(textOf('dist/sbom.cdx.json')))
  const listed = new Map(components.map(part => [`${part.name} ${part.version}`, part]))
  const licences = textOf('dist/licences.txt').split('\n')
  const needed = LOCKED_PACKAGES.filter(([, { dev }]) => !dev)
  assert.ok(needed.length > 50)
  for (const [path, { version, integrity = '', license = '' }] of needed) {
    const part = `${nameOf(path)} ${version}`
    const { hashes, licenses } = listed.get(part) ?? {}
    const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
    assert.equal([part, hashes, licenses], [part, [{ alg: 'SHA-512', content }], [{ expression: license }]])
    assert.ok(licences.includes(`${part}: ${license}`), part)
  }
})

Packed('the package contains the page for man', () => {
  assert.match(textOf('dist/svc.1'), /^\.TH SVC 1 /)
})
Packed.run()
