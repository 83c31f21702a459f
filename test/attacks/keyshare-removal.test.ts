/** The removal of a keyshare server during issuance (spec/decisions#keyshare_v1), by the rule of both servers. */
import * as assert from 'uvu/assert'
import { createSystemClock } from '../../ports/clock.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import type { KeyshareV1 } from '../../sessions/first-version.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { startRealKeyshare } from '../wallet/keyshare/real-keyshare.ts'
import { startRealServer } from '../wallet/real-server.ts'
import { removeKeyshare, WAYS, type Way } from './keyshare-removal.ts'

const clock = createSystemClock()

/** Starts both servers.
 *  @returns an attempt, and the issuers in the warnings of each server */
async function serversWith(keyshareRule: KeyshareV1, sessionRule: KeyshareV1) {
  const [warned, warnedAtIssuer]: [unknown[], unknown[]] = [[], []]
  const logTo = (issuers: unknown[]) => ({
    info() {},
    warn: (facts: unknown) => issuers.push(Object(facts).issuer),
    error: console.log,
  })
  const settings = { keyshareV1: sessionRule, log: logTo(warnedAtIssuer) }
  const sessions = await startRealServer(PROFILES.svc, undefined, undefined, settings)
  const facts = { profile: 'svc', folder: DEMO_SCHEMES, scheme: 'svc-keyshare', clock } as const
  const options = { keyshare_v1: keyshareRule }
  const keyshare = await startRealKeyshare({ ...facts, options, log: logTo(warned) })
  return {
    attempt: (way: Way) =>
      removeKeyshare(way, {
        keyshare: keyshare.url,
        create: async (type, body) => {
          const { pointer, result } = await sessions.create(type, body)
          return { pointer, status: async () => (await result()).proofStatus }
        },
      }),
    warned: () => ({ keyshare: issuersIn(warned), issuer: issuersIn(warnedAtIssuer) }),
    close: () => Promise.all([sessions.close(), keyshare.close()]),
  }
}

/** Each issuer once, because a day may end meanwhile. Other warnings have no issuer. */
function issuersIn(issuers: readonly unknown[]): readonly unknown[] {
  return [...new Set(issuers)].filter(issuer => issuer !== undefined)
}

function wayOf(name: string): Way {
  const way = WAYS[name]
  if (way === undefined) throw new Error(`no way ${name}`)
  return way
}

const FIRST = wayOf('the first version')
const LINKABLE = wayOf('the linkable answer')
const Removal = suite('the removal of a keyshare server')
const servers = await serversWith('warn', 'warn')
Removal.after(async () => {
  await servers.close()
})

for (const [name, way] of Object.entries(WAYS)) {
  const isPrevented = /^the second version|earlier session/.test(name)
  Removal(`where both versions are allowed, ${name} ${isPrevented ? 'fails' : 'succeeds'}`, async () => {
    const reason = await servers.attempt(way)
    if (isPrevented) assert.match(reason ?? 'it succeeded', /INVALID/)
    else assert.is(reason, null)
  })
}

Removal('each server logs a warning that names the issuer', () => {
  assert.equal(servers.warned(), { keyshare: ['svc-keyshare.shop'], issuer: ['svc-keyshare.shop'] })
})

Removal('a session server that refuses the first version prevents the removal, with 403', async () => {
  const { attempt, warned, close } = await serversWith('allow', 'refuse')
  for (const way of [FIRST, LINKABLE])
    assert.match((await attempt(way)) ?? 'it succeeded', /403 KEYSHARE_PROOF_MISSING/)
  assert.equal(warned(), { keyshare: [], issuer: [] })
  await close()
})

Removal(
  'a keyshare server that refuses the first version prevents the removal, and registers the wallet',
  async () => {
    const { attempt, warned, close } = await serversWith('refuse', 'allow')
    assert.is(await attempt(FIRST), '400 of /prove/getCommitments')
    assert.is(await attempt(LINKABLE), '400 of /api/v2/prove/getResponseLinkable')
    assert.equal(warned(), { keyshare: [], issuer: [] })
    await close()
  },
)

Removal.run()
