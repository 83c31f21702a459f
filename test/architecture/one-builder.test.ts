/** A node is put together in one place, `server/create-node.ts`: whoever else called what makes its parts would build a node of its own. @module */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const BUILDER = 'server/create-node.ts'
const ROOMS = ['actors', 'http', 'server', 'demo', 'cli', 'bench', 'test']
/** What makes a part, with the files that test this part by itself. */
const MAKERS: Readonly<Record<string, RegExp>> = {
  // below HTTP and without schemes: several nodes on one store, whose names and clocks a test chooses
  createSessions: /^test\/actors\/node\.ts$/,
  createDeliveries: /^test\/actors\/deliveries\.test\.ts$/,
  createRevocation: /^test\/actors\/authority\.test\.ts$/,
  createProofPool: /^test\/(actors|http|replay)\/[\w.-]+\.ts$/,
  createEffects: /^$/,
  createSessionServer: /^$/,
}

const calls = ROOMS.flatMap(room =>
  readdirSync(join(PROJECT, room), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(room, name)),
).flatMap(file => {
  const text = readFileSync(join(PROJECT, file), 'utf8')
  return Object.keys(MAKERS)
    .filter(maker => new RegExp(`(?<!function )\\b${maker}\\(`).test(text))
    .map(maker => ({ maker, file }))
})

const OneBuilder = suite('one place that builds a node')

for (const [maker, tests] of Object.entries(MAKERS))
  OneBuilder(`${maker} is called in ${BUILDER}`, () => {
    const files = calls.filter(call => call.maker === maker).map(({ file }) => file)
    assert.equal(
      files.filter(file => !tests.test(file)),
      [BUILDER],
    )
  })
OneBuilder.run()
