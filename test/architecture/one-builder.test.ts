/** A node is built in one place, `server/create-node.ts`, and a keyshare server in another. Any other caller of the functions for their parts would build a
 *  second kind of node. @module */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const [BUILDER, OF_KEYSHARE] = ['server/create-node.ts', 'server/keyshare/create-keyshare-node.ts']
/** Callbacks of the first, mails of the second. */
const BOTH = [BUILDER, 'server/keyshare/open-mails.ts']
const ROOMS = ['actors', 'http', 'server', 'demo', 'cli', 'tools/bench', 'test']
/** For each part of a node: its function, its module, and the tests of this part alone. */
const MAKERS = [
  // without HTTP and schemes: several nodes on one store; the test chooses the names and clocks of the nodes
  ['createSessions', 'create-sessions', /^test\/actors\/node\.ts$/, BUILDER],
  [
    'createDeliveries',
    'deliveries',
    /^test\/actors\/((?:several-nodes|fail-over)\.test|delivering|mails\/world)\.ts$/,
    BOTH,
  ],
  ['createRevocation', 'create-revocation', /^test\/actors\/started-authority\.ts$/, BUILDER],
  ['createProofPool', 'proof-pool', /^test\/(actors|http|replay)\/[\w.-]+\.ts$/, BUILDER],
  ['createEffects', 'create-effects', /^$/, BUILDER],
  ['createSessionServer', 'server', /^$/, BUILDER],
  ['createAccounts', 'create-accounts', /^test\/(actors|http)\/[\w./-]+\.ts$/, OF_KEYSHARE],
  ['createKeyshareServer', 'server', /^test\/http\/keyshare\/harness\.ts$/, OF_KEYSHARE],
] as const

const sources = ROOMS.flatMap(room =>
  readdirSync(join(PROJECT, room), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(room, name)),
).map(file => ({ file, text: readFileSync(join(PROJECT, file), 'utf8') }))

const OneBuilder = suite('one place that builds a node')

for (const [maker, module, tests, builder] of MAKERS)
  OneBuilder(`${maker} is imported in ${[builder].flat().join(' and ')}`, () => {
    const imports = new RegExp(`import \\{[^}]*\\b${maker}\\b[^}]*\\} from '[^']*/${module}\\.ts'`)
    const files = sources.filter(({ text }) => imports.test(text)).map(({ file }) => file)
    assert.equal(
      files.filter(file => !tests.test(file)),
      [builder].flat(),
    )
  })
OneBuilder.run()
