/** A node is put together in one place, `server/create-node.ts`: whoever else called what makes its parts would build a node of its own. @module */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const BUILDER = 'server/create-node.ts'
const ROOMS = ['actors', 'http', 'server', 'demo', 'cli', 'bench', 'test']
/** What makes a part and where it stands, with the tests of this part by itself. */
const MAKERS = [
  // below HTTP and without schemes: several nodes on one store, whose names and clocks a test chooses
  ['createSessions', 'create-sessions', /^test\/actors\/node\.ts$/],
  ['createDeliveries', 'deliveries', /^test\/actors\/deliveries\.test\.ts$/],
  ['createRevocation', 'create-revocation', /^test\/actors\/authority\.test\.ts$/],
  ['createProofPool', 'proof-pool', /^test\/(actors|http|replay)\/[\w.-]+\.ts$/],
  ['createEffects', 'create-effects', /^$/],
  ['createSessionServer', 'server', /^$/],
] as const

const sources = ROOMS.flatMap(room =>
  readdirSync(join(PROJECT, room), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(room, name)),
).map(file => ({ file, text: readFileSync(join(PROJECT, file), 'utf8') }))

const OneBuilder = suite('one place that builds a node')

for (const [maker, module, tests] of MAKERS)
  OneBuilder(`${maker} is imported in ${BUILDER}`, () => {
    const imports = new RegExp(`import \\{[^}]*\\b${maker}\\b[^}]*\\} from '[^']*/${module}\\.ts'`)
    const files = sources.filter(({ text }) => imports.test(text)).map(({ file }) => file)
    assert.equal(
      files.filter(file => !tests.test(file)),
      [BUILDER],
    )
  })
OneBuilder.run()
