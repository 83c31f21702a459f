/** Loads schemes, and compares that with the XML library alone on the same bytes in the same run. The 10 schemes have 40 issuers and 100 credential types each;
 *  they are created and signed for this benchmark. @module */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { XMLParser } from 'fast-xml-parser'
import { loadSchemes } from '../../schemes/load.ts'
import { DEMO_SCHEMES } from '../../test/project.ts'
import {
  type MadeIssuer,
  type MadeType,
  makeScheme,
  temporaryFolder,
} from '../../test/schemes/make-scheme.ts'

const SCHEMES = 10
const ISSUERS = 40
const TYPES = 100
const ROUNDS = 5

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`)

/** Writes the schemes into the folder. */
export async function makeSchemes(folder: string): Promise<void> {
  const publicXml = readFileSync(join(DEMO_SCHEMES, 'svc-demo/gov/PublicKeys/0.xml'), 'utf8')
  const types: MadeType[] = names('type', TYPES).map(name => ({ name, attributes: names('attribute', 5) }))
  const issuers: MadeIssuer[] = names('issuer', ISSUERS).map((name, i) => ({
    name,
    keys: [{ counter: 0, public: publicXml }],
    types: types.filter((_, j) => j % ISSUERS === i),
  }))
  for (const id of names('scheme', SCHEMES)) await makeScheme(folder, { id, issuers })
}

/** CPU milliseconds of all threads of the process. */
async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** Prints one line: CPU of both, and their ratio (aim: at most 3). */
export async function run(options: { readonly json: boolean }): Promise<void> {
  const folder = await temporaryFolder()
  try {
    await makeSchemes(folder.path)
    const texts = readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.xml'))
      .map(name => readFileSync(join(folder.path, name), 'utf8'))
    const library = new XMLParser({ ignoreAttributes: false })
    let [libraryMs, loadMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let round = 0; round < ROUNDS; round++) {
      // in turn, so that other load of the machine affects both; the minimum of each counts
      libraryMs = Math.min(libraryMs, await cpuMs(async () => texts.map(text => library.parse(text))))
      loadMs = Math.min(loadMs, await cpuMs(() => loadSchemes(folder.path)))
    }
    const bytes = texts.reduce((sum, text) => sum + text.length, 0)
    const figures = {
      bench: 'schemes',
      files: texts.length,
      bytes,
      libraryMs,
      loadMs,
      ratio: loadMs / libraryMs,
    }
    if (options.json) console.log(JSON.stringify(figures))
    else
      console.log(
        `${texts.length} files, ${bytes} bytes: XML library ${libraryMs.toFixed(0)} ms, load ${loadMs.toFixed(0)} ms, ratio ${figures.ratio.toFixed(2)}`,
      )
  } finally {
    await folder.remove()
  }
}
