/** The lock file: npm installs exactly the content that it names, and runs no script of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { LOCKED_PACKAGES, nameOf, ROOT } from '../cli/lock-file.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/
const EXACT = /^\d+\.\d+\.\d+$/

const NAMES = z.record(z.string(), z.string())
const PACKAGE = z.object({
  dependencies: NAMES,
  devDependencies: NAMES,
  allowScripts: z.record(z.string(), z.boolean()),
})
const read = (file: string): string => readFileSync(join(PROJECT, file), 'utf8')
const own = PACKAGE.parse(JSON.parse(read('package.json')))

const Lock = suite('the lock file')

Lock('each package is named by the SHA-512 hash of its content', () => {
  assert.ok(LOCKED_PACKAGES.length > 200)
  assert.equal(
    LOCKED_PACKAGES.filter(([, { integrity = '' }]) => !INTEGRITY.test(integrity)).map(([path]) => path),
    [],
  )
})

// a Git repository, an address or a folder would be there in `resolved` or `link`
Lock('each package comes from the registry that npm is set to', () => {
  assert.equal(
    LOCKED_PACKAGES.filter(([, { resolved, link }]) => resolved !== undefined || link).map(([path]) => path),
    [],
  )
  assert.match(read('.npmrc'), /^omit-lockfile-registry-resolved=true$/m)
})

Lock('one version of a package has one hash', () => {
  const hashes = new Map<string, Set<string>>()
  for (const [path, { version, integrity = '' }] of LOCKED_PACKAGES) {
    const part = `${nameOf(path)} ${version}`
    hashes.set(part, (hashes.get(part) ?? new Set()).add(integrity))
  }
  assert.equal(
    [...hashes].filter(([, { size }]) => size !== 1).map(([part]) => part),
    [],
  )
})

Lock('it locks the exact versions of package.json', () => {
  const { dependencies, devDependencies } = own
  assert.equal(
    Object.entries({ ...dependencies, ...devDependencies }).filter(([, version]) => !EXACT.test(version)),
    [],
  )
  assert.equal([ROOT?.dependencies, ROOT?.devDependencies], [dependencies, devDependencies])
  const versions = Object.fromEntries(LOCKED_PACKAGES.map(([path, { version }]) => [path, version]))
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    assert.is(versions[`node_modules/${name}`], version, name)
})

Lock('npm runs no script of a package, and refuses a package with a script that is not listed', () => {
  assert.match(read('.npmrc'), /^strict-allow-scripts=true$/m)
  const scripted = LOCKED_PACKAGES.filter(([, { hasInstallScript }]) => hasInstallScript)
  assert.equal(
    own.allowScripts,
    Object.fromEntries(scripted.map(([path]) => [nameOf(path), false]).toSorted()),
  )
})

Lock.run()
