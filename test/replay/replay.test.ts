/** Recorded exchanges replayed over real HTTP, in both profiles: the same status, error type, body, content type, headers of CORS and events, except
 *  where a decision says otherwise (test/vectors/differences.json). @module */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createProofPool } from '../../actors/workers/proof-pool.ts'
import { PROFILES, type ProfileName } from '../../protocol/profiles.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { type Difference, readDifferences } from './differences.ts'
import { type ReplayReport, replay } from './replay.ts'

const FILES = ['transcripts', 'keyshare'].flatMap(folder =>
  readdirSync(join(PROJECT, 'test/vectors', folder))
    .sort()
    .map(file => `${folder}/${file}`),
)
const NAMES: readonly ProfileName[] = [PROFILES.irma.name, PROFILES.svc.name]
const parts = {
  schemes: await loadSchemes(DEMO_SCHEMES),
  pool: createProofPool({ arithmetic: 'auto', threads: 1 }),
}
const reports: Record<ProfileName, ReplayReport[]> = { irma: [], svc: [] }

const Replay = suite('replay of recorded exchanges')

for (const profile of NAMES)
  for (const file of FILES.filter(file => profile === 'irma' || !/^keyshare\/|\/revocation-/.test(file)))
    Replay(`${file} is answered as recorded, or as decided, in profile ${profile}`, async () => {
      const report = await replay(file, profile, parts)
      reports[profile].push(report)
      assert.equal(report.mismatches, [])
    })

const NOT_REPLAYED = [
  'a call to the keyshare',
  'a call to the timestamp',
  'a wallet of pairing-rejected.json, still polling',
]

Replay('what is not replayed is no call to this server', () => {
  for (const profile of NAMES) {
    const skipped = reports[profile].flatMap(report => report.skipped)
    for (const [reason, count] of Object.entries(countOf(skipped)))
      console.log(`profile ${profile}: not replayed: ${reason}: ${count}`)
    assert.equal(
      skipped.filter(reason => !NOT_REPLAYED.includes(reason)),
      [],
    )
  }
})

Replay('every entry of differences.json is about a file that is replayed', () => {
  const entries = NAMES.flatMap(readDifferences)
  assert.equal(
    entries.filter(({ file }) => !FILES.includes(file)),
    [],
  )
})

Replay('an entry of differences.json that no longer differs is a mismatch', async () => {
  const stale: Difference = {
    ...{ file: 'transcripts/cors.json', exchange: 2, decision: 'none', profile: null },
    answer: { status: 200, error: null, text: '"INITIALIZED"', claims: null, frames: null, staysOpen: false },
  }
  const { mismatches } = await replay('transcripts/cors.json', 'irma', parts, [stale])
  assert.is(mismatches.length, 1)
  assert.match(mismatches[0] ?? '', /no longer differs/)
})

Replay('an answer that is not the one of differences.json is a mismatch', async () => {
  const wrong: Difference = {
    ...{ file: 'transcripts/retention.json', exchange: 8, decision: 'D4', profile: null },
    answer: {
      status: 200,
      error: null,
      text: '{"status":"DONE"}',
      claims: null,
      frames: null,
      staysOpen: false,
    },
  }
  const { mismatches } = await replay('transcripts/retention.json', 'irma', parts, [wrong])
  assert.is(mismatches.length, 1)
  assert.match(mismatches[0] ?? '', /D4: body: expected/)
})

Replay('counts of exchanges by decision', () => {
  for (const profile of NAMES) {
    const replayed = reports[profile].reduce((sum, report) => sum + report.replayed, 0)
    const decided = reports[profile].flatMap(report => report.decisions)
    console.log(`profile ${profile}: ${replayed} exchanges replayed, ${decided.length} answered by decision:`)
    for (const [decision, count] of Object.entries(countOf(decided))) console.log(`  ${decision}: ${count}`)
    assert.ok(decided.length < replayed)
  }
})

Replay.after(() => parts.pool.close())

function countOf(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of [...words].sort()) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

Replay.run()
