import * as assert from 'uvu/assert'
import { openSqlite } from '../../../stores/sqlite/statements.ts'
import { suite } from '../../suite.ts'
import { killFacts } from '../kill-facts.ts'
import { killableServer } from '../killable-server.ts'
import { insist } from './insist.ts'
import { type KillTest, killTest, shown } from './kill-test.ts'
import { heardAll } from './laws.ts'
import { assertRefused } from './play.ts'

const Kills = suite(
  'kill -9 at every step of a combined session and of a chain (spec/laws#1 to #3; spec/decisions#chain)',
)
const facts = await killFacts()
const server = await killableServer({ ...facts, profile: 'svc' })
Kills.after(async () => {
  await server.end()
  await facts.end()
})

function rule(title: string, run: (on: KillTest) => Promise<void>): void {
  Kills(title, () => killTest(facts, server, run))
}

for (const step of ['checking', 'signing'])
  rule(`a combined session while ${step}: the app submits again and gets one answer`, async on => {
    const played = await on.play('combined', {
      'submit 0': async () => assert.equal(shown(await on.killIn(step)), [step]),
    })
    assert.ok(heardAll(played.sessions))
    assert.equal(shown(await on.laws(played)), ['DONE'])
  })

rule('during the call for the next session: the call is repeated with the same key', async on => {
  const release = on.requestor.hold()
  const played = await on.play('issuing, then disclosing', {
    'submit 0': async () => {
      await on.requestor.isAsked
      const [parent, ...others] = await on.killIn('askingNext')
      assert.equal([parent?.result, others], [null, []])
      release()
    },
  })
  assert.ok(heardAll(played.sessions))
  assert.is(on.requestor.asked.length, 2)
  assert.equal(shown(await on.laws(played)), ['DONE', 'DONE'])
})

rule('while the first session of a chain signs: the next session is prepared, and not stored', async on => {
  const played = await on.play('issuing, then disclosing', {
    'submit 0': async () => {
      const [parent, ...others] = await on.killIn('signing')
      assert.equal([parent?.hasProgress, parent?.result, others], [true, null, []])
    },
  })
  assert.ok(heardAll(played.sessions))
  assert.is(on.requestor.asked.length, 2)
  assert.equal(shown(await on.laws(played)), ['DONE', 'DONE'])
})

for (const step of ['checking', 'signing'])
  rule(`while the second session of a chain is ${step}: the first one keeps its result`, async on => {
    const played = await on.play('disclosing, then issuing', {
      'submit 1': async () => assert.equal(shown(await on.killIn(step)), ['DONE', step]),
    })
    assert.ok(heardAll(played.sessions))
    assert.is(on.requestor.asked.length, 1)
    assert.equal(shown(await on.laws(played)), ['DONE', 'DONE'])
  })

rule('between any two calls of a chain: the chain continues as without a kill', async on => {
  const left: string[] = []
  const kill = async (): Promise<void> => void left.push(shown(await on.kill()).join())
  const before = { 'connect 0': kill, 'submit 0': kill, 'told 0': kill, 'submit 1': kill, 'told 1': kill }
  const played = await on.play('issuing, then disclosing', {}, before)
  const expected = ['INITIALIZED', 'awaiting', 'DONE,INITIALIZED', 'DONE,awaiting', 'DONE,DONE']
  assert.equal(left, expected)
  assert.ok(heardAll(played.sessions))
  assert.is(on.requestor.asked.length, 1)
  assert.equal(shown(await on.laws(played)), ['DONE', 'DONE'])
})

for (const step of ['checking', 'askingNext', 'signing'])
  rule(
    `deleted while ${step}, then killed: no next session follows, and the submission is refused`,
    async on => {
      const release = step === 'askingNext' ? on.requestor.hold() : () => {}
      const played = await on.play('issuing, then disclosing', {
        'submit 0': async url => {
          await on.isIn(step)
          assert.is((await insist(server, { method: 'DELETE', url })).status, 200)
          assert.equal(shown(await on.killIn('CANCELLED')), ['CANCELLED'])
          release()
        },
      })
      assert.is(played.sessions.length, 1)
      assert.equal(shown(await on.laws(played)), ['CANCELLED'])
      for (const answer of played.sessions[0]?.answers ?? []) assertRefused(answer)
    },
  )

/** Ages the file as if lease and deadline had passed while there was no server. */
async function age(): Promise<void> {
  const database = await openSqlite(server.file)
  const now = Date.now()
  database.exec(`update sessions set due_at = ${now}, deadline_at = ${now},
    claim = json_set(claim, '$.leaseUntil', ${now}),
    snapshot = json_set(snapshot, '$.context.deadlineAt', ${now}) where claim is not null`)
  database.close()
}

rule('an app that does not come back leaves no claim and no next session: TIMEOUT', async on => {
  const GIVEN_UP = 'the app gave up'
  let attempts = 0
  const giveUp = async (): Promise<void> => {
    if (++attempts > 1) throw new Error(GIVEN_UP)
  }
  const during = async (): Promise<void> => void (await on.killIn('signing', age))
  try {
    await on.play('issuing, then disclosing', { 'submit 0': during }, { 'submit 0': giveUp })
    assert.unreachable()
  } catch (error) {
    if (!(error instanceof Error) || error.message !== GIVEN_UP) throw error
  }
  await on.isIn('TIMEOUT')
  const stored = await on.laws({ sessions: [], token: '' })
  assert.equal(shown(stored), ['TIMEOUT'])
})

Kills.run()
