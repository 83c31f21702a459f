/** The last step before `npm pack`: adds files to the package. These are the manual page, the list of all parts that may be installed with it (CycloneDX 1.5,
 *  generated from the lock file), and their licences. @module */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const PLACE = 'node_modules/'

const { name, version, packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev)
const parts = installed.map(([path, part]) => ({
  name: path.slice(path.lastIndexOf(PLACE) + PLACE.length),
  ...part,
}))
const byName = new Map(parts.map(part => [`${part.name} ${part.version}`, part]))
const once = [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part)

/** The package URL of a part: https://github.com/package-url/purl-spec */
function purlOf(part) {
  return `pkg:npm/${part.name.replace('@', '%40')}@${part.version}`
}

function componentOf(part) {
  const [algorithm, hash] = part.integrity.split('-')
  return {
    ...{ type: 'library', 'bom-ref': purlOf(part), name: part.name, version: part.version },
    hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(hash, 'base64').toString('hex') }],
    licenses: [{ expression: part.license }],
    purl: purlOf(part),
  }
}

const list = {
  ...{ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 },
  metadata: { component: { type: 'library', name, version, purl: purlOf({ name, version }) } },
  components: once.map(componentOf),
}
writeFileSync('dist/sbom.cdx.json', JSON.stringify(list, null, 2))
writeFileSync(
  'dist/licences.txt',
  once.map(part => `${part.name} ${part.version}: ${part.license}\n`).join(''),
)
writeFileSync('dist/svc.1', execFileSync(process.execPath, ['dist/cli/main.js', 'man']))
