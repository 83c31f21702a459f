import * as assert from 'uvu/assert'
import type { ProfileName } from '../../protocol/profiles.ts'
import { suite } from '../suite.ts'
import { type KillCase, killCase } from './kill-case.ts'
import { killFacts } from './kill-facts.ts'

/** Longer than a restart, so that the deadline is still ahead when the server is back. */
const TIMEOUT_SEC = 8

const Kill = suite('kill -9 of the server: a session continues in its stored state (spec/laws#1 to #3)')
const facts = await killFacts()
Kill.after(facts.end)

function rule(profile: ProfileName, title: string, run: (on: KillCase) => Promise<void>): void {
  Kill(`${profile}: ${title}`, async () => {
    const on = await killCase(facts, profile)
    try {
      await run(on)
    } finally {
      await on.end()
    }
  })
}

for (const profile of ['svc', 'irma'] as const) {
  rule(profile, 'in INITIALIZED the app connects as without a kill', async on => {
    const session = await on.create()
    await on.killAndRestart()
    await session.connect()
    await session.submit()
    await session.isDone()
  })

  rule(profile, 'in PAIRING the app gets the same answer again, and pairing continues', async on => {
    const session = await on.create()
    await session.enablePairing()
    const answer = await session.connect()
    assert.is(await session.status(), 'PAIRING')
    await on.killAndRestart()
    assert.is(await session.status(), 'PAIRING')
    assert.is(await session.connect(), answer)
    await session.completePairing()
    await session.submit()
    await session.isDone()
  })

  rule(profile, 'in CONNECTED the app gets the same answer again', async on => {
    const session = await on.create()
    const answer = await session.connect()
    await on.killAndRestart()
    assert.is(await session.status(), 'CONNECTED')
    assert.is(await session.connect(), answer)
    await session.submit()
    await session.isDone()
  })

  rule(profile, 'while checking, the claim is void and the app submits again', async on => {
    const session = await on.create()
    await session.connect()
    const lost = session.submit().catch(() => 'lost')
    await session.isBeingChecked()
    await on.killAndRestart()
    assert.is(await lost, 'lost')
    assert.is(await session.status(), 'CONNECTED')
    await session.submit()
    await session.isDone()
  })
}

rule('svc', 'a session whose app does not call again times out at the original deadline', async on => {
  const create = () => on.create({ timeout: TIMEOUT_SEC })
  const [initialized, pairing, connected, checking] = [
    await create(),
    await create(),
    await create(),
    await create(),
  ]
  await pairing.enablePairing()
  for (const session of [pairing, connected, checking]) await session.connect()
  const lost = checking.submit().catch(() => 'lost')
  await checking.isBeingChecked()
  const all = [initialized, pairing, connected, checking]
  const deadlines = await Promise.all(all.map(session => session.deadlineAt()))
  await on.killAndRestart()
  assert.is(await lost, 'lost')
  await Promise.all(all.map((session, i) => session.isTimedOut(deadlines[i] ?? 0)))
})
Kill.run()
