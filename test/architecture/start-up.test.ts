/** The packages that a server loads before it answers: a package for an option is imported where the option is read. */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { fileOf, readSource } from './imports.ts'

const StartUp = suite('packages that a server loads at its start')

/** Imports of values. Imports of types are gone at run time, and dynamic imports happen later. */
const LOADED_AT_ONCE = /^(?:import|export)\b(?! type\b)[^'"`]*?\bfrom '([^']+)'|^import '([^']+)'/gm

/** The packages that are loaded with a file. */
function packagesWith(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>()
  if (seen.has(file)) return packages
  seen.add(file)
  for (const [, from, bare] of readSource(file).matchAll(LOADED_AT_ONCE)) {
    const target = from ?? bare ?? ''
    const other = fileOf({ file, target })
    if (other === null) packages.add(target)
    else for (const each of packagesWith(other, seen)) packages.add(each)
  }
  return packages
}

StartUp(
  'packages of the inspector, metrics, stores on other machines and YAML are loaded only when an option needs them',
  () => {
    const loaded = packagesWith('cli/server/run.ts')
    assert.ok(loaded.has('koa'))
    const forOptions = ['ws', 'prom-client', 'yaml', 'pg', 'kysely', '@redis/client', 'nodemailer']
    assert.equal(
      forOptions.filter(name => loaded.has(name)),
      [],
    )
  },
)

StartUp('the tour loads the OpenID provider at the first click on the step that uses it', () => {
  assert.ok(packagesWith('demo/sign-in/open-sites.ts').has('oidc-provider'))
  assert.is(packagesWith('cli/demo/run.ts').has('oidc-provider'), false)
})

StartUp.run()
