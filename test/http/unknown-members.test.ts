/** The log lines about unknown members of session requests: only the names, each once per requestor, up to a maximum. @module */
import * as assert from 'uvu/assert'
import { askNext } from '../../actors/effects/ask-next.ts'
import { storeProgress } from '../../actors/effects/progress.ts'
import { unknownMembersLog } from '../../sessions/unknown-members-log.ts'
import { suite } from '../suite.ts'
import {
  AUTHENTICATED,
  appHeaders,
  disclosure,
  type MakeEffects,
  OF_SHOP,
  type ServerOfTest,
  SHOP,
  sessionIn,
  withServer,
} from './harness.ts'
import { claimsOf, HS256, SECRET, signed } from './signed-requests.ts'

const Unknown = suite('unknown members of requests, in the log')

/** The level, the requestor and the names of each log line about unknown members. */
function told({ log }: Pick<ServerOfTest, 'log'>): unknown[] {
  return log
    .map(line => JSON.parse(line) as { requestor?: string; members?: string[]; level: number })
    .filter(({ members }) => members !== undefined)
    .map(({ requestor, members, level }) => [level, requestor, members])
}

Unknown('each name is logged once, as a warning, without its value, and the session starts', () =>
  withServer({}, async server => {
    const request = disclosure()
    for (let i = 0; i < 3; i++)
      assert.is((await server.post({ request, timout: 5, callbackURL: 'value-of-it' })).status, 200)
    assert.is((await server.post({ request, timout: 5, lables: {} })).status, 200)
    assert.equal(told(server), [
      [40, '', ['timout', 'callbackURL']],
      [40, '', ['lables']],
    ])
    assert.not.match(server.log.join(''), 'value-of-it')
  }),
)

Unknown('each requestor has its own lines, whether it sends a token or signs', () => {
  const { requestors = [] } = AUTHENTICATED
  const perms = { disclosePerms: ['*'], signPerms: [], issuePerms: [], revokePerms: [], hostPerms: [] }
  const signer = { name: 'signer', auth: { method: 'hmac', key: SECRET }, ...perms } as const
  const settings = { ...AUTHENTICATED, requestors: [...requestors, signer] }
  return withServer({ settings }, async server => {
    const body = { request: disclosure(), timout: 5 }
    const jwt = await signed(claimsOf('signer', body, server.clock.now() / 1_000), HS256)
    for (let i = 0; i < 2; i++) {
      await server.post(body, OF_SHOP)
      await server.post(body, { Authorization: 'x' })
      assert.is((await server.post(jwt, { 'Content-Type': 'text/plain' })).status, 200)
    }
    assert.equal(told(server), [
      [40, 'shop', ['timout']],
      [40, 'signer', ['timout']],
    ])
  })
})

Unknown('the answer of a nextSession.url is checked too; names of POST /session are not repeated', () => {
  const request = disclosure()
  const settings = { ...AUTHENTICATED, requestors: [{ ...SHOP, hostPerms: [] }] }
  const text = JSON.stringify({
    request: { ...request, lables: {} },
    timout: 5,
    calbackUrl: 'value-of-it',
  })
  const effects: MakeEffects = parts => ({
    check: async () => ({
      event: { type: 'server.checked', isValid: true },
      progress: storeProgress({ judgement: { proofStatus: 'VALID' }, commitments: null, next: null }),
    }),
    askNext: askNext({ ...parts, outgoing: { post: async () => ({ status: 200, text }) } }),
  })
  return withServer({ effects, settings }, async server => {
    for (let i = 0; i < 2; i++) {
      const nextSession = { url: 'https://shop.example/next' }
      const answer = await server.post({ request, nextSession, timout: 5 }, OF_SHOP)
      const { app } = sessionIn(answer, '/svc')
      await server.call('GET', app, { headers: appHeaders() })
      const outcome = await server.call('POST', `${app}/proofs`, { headers: appHeaders(), body: {} })
      assert.ok('nextSession' in Object(outcome.json), outcome.text)
    }
    assert.equal(told(server), [
      [40, 'shop', ['timout']],
      [40, 'shop', ['calbackUrl', 'request.lables']],
    ])
    assert.not.match(server.log.join(''), 'value-of-it')
  })
})

Unknown('a requestor has at most 16 names in the log, none over 48 characters, and only words', () => {
  const lines: object[] = []
  const note = unknownMembersLog({ warn: (line: object) => void lines.push(line) })
  note('a', ['x'.repeat(48), 'x'.repeat(49), 'two words', '{"', 'ä', ''])
  assert.equal(lines.splice(0), [{ requestor: 'a', members: ['x'.repeat(48), '(no word)'] }])
  note(
    'a',
    Array.from({ length: 1_000 }, (_, i) => `name${i}`),
  )
  const members = Array.from({ length: 14 }, (_, i) => `name${i}`)
  assert.equal(lines.splice(0), [{ requestor: 'a', members }])
  note('a', ['another'])
  assert.equal(lines.splice(0), [])
  note('b', ['another'])
  assert.equal(lines, [{ requestor: 'b', members: ['another'] }])
})

Unknown.run()
