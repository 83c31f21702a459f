/** Recorded exchanges replayed over real HTTP, in both profiles: the same status, error type, body, content type, headers of CORS and events, except
 *  where a decision says otherwise (test/vectors/differences.json). @module */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { PROFILES, type ProfileName } from '../../protocol/profiles.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { sharedPool } from '../actors/shared-pool.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { differencesFromDecision } from './compare.ts'
import { type Difference, readDifferences } from './differences.ts'
import { promiseOf } from './promises.ts'
import { type ReplayReport, replay } from './replay.ts'

const FILES = ['transcripts', 'keyshare', 'keyshare-server'].flatMap(folder =>
  readdirSync(join(PROJECT, 'test/vectors', folder))
    .filter(file => file !== 'stored-records.json')
    .sort()
    .map(file => `${folder}/${file}`),
)
/** The numbers of recordings. They show if a file is lost, or if a folder is not read. */
const COUNTS = { transcripts: 80, keyshare: 12, 'keyshare-server': 7 }
/** The flows that are replayed only in profile irma, as those of keyshare servers are. */
const REVOCATION_FLOWS = 2
const NAMES: readonly ProfileName[] = [PROFILES.irma.name, PROFILES.svc.name]
const parts = {
  schemes: await loadSchemes(DEMO_SCHEMES),
  pool: sharedPool(),
}
const reports: Record<ProfileName, ReplayReport[]> = { irma: [], svc: [] }

const Replay = suite('replay of recorded exchanges')

for (const profile of NAMES)
  for (const file of FILES.filter(file => profile === 'irma' || !/^keyshare|\/revocation-/.test(file)))
    Replay(`${file} is answered as recorded, or as decided, in profile ${profile}`, async () => {
      const report = await replay(file, profile, parts)
      reports[profile].push(report)
      assert.equal(report.mismatches, [], promiseOf(file, profile))
    })

Replay('the report of a failure says which promise the recording holds', () => {
  for (const file of FILES)
    assert.match(promiseOf(file, 'irma'), / promises that .* understand each other in profile irma: /)
  assert.match(
    promiseOf('keyshare/keyshare-login.json', 'irma'),
    /the keyshare server and the session server/,
  )
  assert.match(promiseOf('transcripts/cors.json', 'svc'), /frontends that exist today.* in the words of/)
})

const TYPE = 'application/json; charset=UTF-8'
const NOT_REPLAYED = ['a call to the timestamp', 'a wallet of pairing-rejected.json, still polling']

Replay('only calls to other servers, and calls of another recording, are not replayed', () => {
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

Replay('every recording is replayed', () => {
  for (const [folder, count] of Object.entries(COUNTS))
    assert.is(FILES.filter(file => file.startsWith(`${folder}/`)).length, count, folder)
  const files = (profile: ProfileName): string[] => reports[profile].map(({ file }) => file)
  assert.equal(files('irma'), FILES)
  assert.is(files('svc').length, COUNTS.transcripts - REVOCATION_FLOWS)
  assert.ok(NAMES.flatMap(name => reports[name]).every(({ replayed }) => replayed > 0))
})

Replay('every entry of differences.json is about a file that is replayed', () => {
  const entries = NAMES.flatMap(readDifferences).filter(({ file }) => !file.startsWith('sd-jwt/')) // sd-jwt.test.ts
  assert.equal(
    entries.filter(({ file }) => !FILES.includes(file)),
    [],
  )
})

Replay('an entry of differences.json that no longer differs is a mismatch', async () => {
  const stale: Difference = {
    file: 'transcripts/cors.json',
    exchange: 2,
    decision: 'none',
    profile: null,
    answer: {
      status: 200,
      error: null,
      headers: {},
      text: '"INITIALIZED"',
      claims: null,
      frames: null,
      staysOpen: false,
    },
  }
  const { mismatches } = await replay('transcripts/cors.json', 'irma', parts, [stale])
  assert.is(mismatches.length, 1)
  assert.match(mismatches[0] ?? '', /no longer differs/)
})

Replay('an answer that is not the one of differences.json is a mismatch', async () => {
  const wrong: Difference = {
    file: 'transcripts/retention.json',
    exchange: 8,
    decision: 'spec/decisions#d4',
    profile: null,
    answer: {
      status: 200,
      error: null,
      headers: {},
      text: '{"status":"DONE"}',
      claims: null,
      frames: null,
      staysOpen: false,
    },
  }
  const { mismatches } = await replay('transcripts/retention.json', 'irma', parts, [wrong])
  assert.is(mismatches.length, 1)
  assert.match(mismatches[0] ?? '', /decisions#d4: body: expected/)
})

Replay('an answer by decision with other headers than the recorded ones is a mismatch', () => {
  const [decided] = readDifferences('irma').filter(({ file }) => file === 'transcripts/retention.json')
  if (!decided) return assert.unreachable('a difference')
  const { status, text } = decided.answer
  const recorded = { headers: { 'access-control-allow-origin': '*', vary: 'Origin' } }
  const answered = (headers: Record<string, string>) => {
    const ours = { status, text: text ?? '', headers: { 'content-type': TYPE, ...headers } }
    return differencesFromDecision(ours, decided, recorded)
  }
  assert.equal(answered(recorded.headers), [])
  for (const changed of [
    { vary: 'Origin, Accept' },
    { 'access-control-allow-origin': 'x' },
    { 'cache-control': 'x' },
  ])
    assert.is(answered({ ...recorded.headers, ...changed }).length, 1)
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

function countOf(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of [...words].sort()) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

Replay.run()
