/** Recorded issuances of SD-JWT VC replayed over real HTTP, in profile irma. @module */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { loadSchemes } from '../../schemes/load.ts'
import { sharedPool } from '../actors/shared-pool.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { readDifferences } from './differences.ts'
import { promiseOf } from './promises.ts'
import { replay } from './replay.ts'

const FOLDER = 'sd-jwt'
/** Number of the recordings. */
const COUNT = 70

/** The server of these recordings does not start here, because a file in its folders cannot be used. */
const NOT_STARTED: Readonly<Record<string, RegExp>> = {
  'cfg-dirs-absent.json':
    /sdjwtvc\.issuer_certificates_dir: expected an existing directory, got .*dirs-absent\/certs/,
  'cfg-mismatch.json': /keys\/svc-demo\.gov\.pem: expected the key of the first certificate/,
  'cfg-p384-key.json': /certs\/svc-demo\.gov\.pem: expected a key on the curve P-256/,
  'cfg-uri-http.json': /certs\/svc-demo\.gov\.pem: expected an https address/,
  'cfg-uri-none.json': /certs\/svc-demo\.gov\.pem: expected the https address of the issuer as URI/,
}

const files = readdirSync(join(PROJECT, 'test/vectors', FOLDER)).filter(file => file.endsWith('.json'))
const parts = {
  schemes: await loadSchemes(DEMO_SCHEMES),
  pool: sharedPool(),
}

const Replay = suite('replay of recorded issuances of SD-JWT VC')

/** The recorded witness belongs to an accumulator that is in no recording. */
const OTHER_WITNESS = 'revocation.json'

for (const file of files.sort())
  if (NOT_STARTED[file] === undefined && file !== OTHER_WITNESS)
    Replay(`${file} is answered as recorded, or as decided`, async () => {
      const { mismatches } = await replay(`${FOLDER}/${file}`, 'irma', parts)
      assert.equal(mismatches, [], promiseOf(`${FOLDER}/${file}`, 'irma'))
    })

for (const [file, reason] of Object.entries(NOT_STARTED))
  Replay(`the server of ${file} does not start`, async () => {
    await replay(`${FOLDER}/${file}`, 'irma', parts).then(
      () => assert.unreachable('expected a refusal'),
      (error: Error) => assert.match(error.message, reason),
    )
  })

Replay(`${OTHER_WITNESS} is answered as recorded, except for its witness`, async () => {
  const { mismatches } = await replay(`${FOLDER}/${OTHER_WITNESS}`, 'irma', parts)
  const [body = '', witness = '', ...others] = mismatches
  assert.equal(others, [])
  assert.match(witness, /sigs\[0\]: an invalid witness/)
  const [, recorded = '', answered] = /body: recorded (.*), answered (.*)$/s.exec(withoutWitness(body)) ?? []
  assert.is(answered, recorded)
  assert.match(recorded, /^\{"proofStatus":"VALID","sigs":\[.*\],"sdjwts":\[/s)
})

function withoutWitness(text: string): string {
  return text.replace(/"nonrev":\{[^{}]*\{[^{}]*\}[^{}]*\}/g, '"nonrev":{}')
}

Replay('every recording is replayed, and every entry of differences.json is about one of them', () => {
  assert.is(files.length, COUNT)
  const different = readDifferences('irma').filter(({ file }) => file.startsWith(`${FOLDER}/`))
  assert.equal(
    different.filter(({ file }) => !files.includes(file.slice(FOLDER.length + 1))),
    [],
  )
})

Replay.run()
