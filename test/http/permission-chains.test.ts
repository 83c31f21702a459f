/** Permissions along a chain (spec/interface#5.1 rule 2; spec/session-server#15; spec/decisions#d16): every next session is checked against the permissions of the
 *  requestor that started the first one, at every depth. @module */
import * as assert from 'uvu/assert'
import { askNext } from '../../actors/effects/ask-next.ts'
import { cancellable } from '../../actors/effects/outcomes.ts'
import { storeProgress } from '../../actors/effects/progress.ts'
import type { OutgoingAnswer } from '../../ports/outgoing.ts'
import { VALID } from '../actors/node.ts'
import { followUpsOf } from '../machines/follow-ups.ts'
import type { SettingsOfTest } from '../server/node-of-test.ts'
import { suite } from '../suite.ts'
import type { Answer } from './client.ts'
import { appHeaders, disclosure, type MakeEffects, type ServerOfTest, withServer } from './harness.ts'
import {
  ASKS,
  isAllowed,
  type Patterns,
  PERMISSIONS,
  permsOf,
  requestorsWith,
  signing,
} from './permissions.ts'
import { claimsOf, RS256, signed } from './signed-requests.ts'

const NOW_SEC = Date.UTC(2026, 5, 1) / 1000 // as the clock of the harness begins
const TOKEN = { Authorization: 'token-of-the-shop' }

/** Effects in which all proofs are valid. The real `askNext` requests the next session, and the test gives the requestor's answer. */
function answering(answer: (path: string) => string): MakeEffects {
  const post = async (url: string): Promise<OutgoingAnswer> => ({
    status: 200,
    text: answer(new URL(url).pathname),
  })
  return deps => ({
    check: async row =>
      followUpsOf(row.snapshot).hasNextSession
        ? {
            event: { type: 'server.checked', isValid: true },
            progress: storeProgress({ judgement: { proofStatus: 'VALID' }, commitments: null, next: null }),
          }
        : VALID,
    askNext: cancellable(deps.settings, askNext({ ...deps, outgoing: { post } })),
  })
}

const followedBy = (path: string, request: object) => ({
  request,
  nextSession: { url: `http://shop.example${path}` },
})

/** Answers the session of a pointer, as an app does. */
async function answered(server: ServerOfTest, { json }: Answer): Promise<Answer> {
  const told = { ...(json as object) } as { sessionPtr?: { u: string }; nextSession?: { u: string } }
  const app = new URL((told.sessionPtr ?? told.nextSession)?.u ?? '').pathname
  await server.call('GET', app, { headers: appHeaders() })
  return server.call('POST', `${app}/proofs`, { headers: appHeaders(), body: {} })
}

/** Starts a session that needs no permission. `depth` sessions later comes the request under test. */
async function outcomeOf(
  server: ServerOfTest,
  depth: number,
  headers: Record<string, string>,
): Promise<Answer> {
  let answer = await server.post(followedBy(`/${depth}`, signing()), headers)
  for (let left = depth; left > 0; left -= 1) answer = await answered(server, answer)
  return answer
}

let asked: object = signing()
const ANSWERS = answering(path =>
  path === '/1' ? JSON.stringify({ request: asked }) : JSON.stringify(followedBy('/1', signing())),
)

async function assertChains(
  server: ServerOfTest,
  patterns: Patterns,
  depth: number,
  headers: Record<string, string>,
) {
  for (const [title, request, needs] of ASKS) {
    asked = request
    const sessions = await server.store.sessions.count()
    const { status, json, text } = await outcomeOf(server, depth, headers)
    const allowed = isAllowed(needs, patterns)
    assert.is(status, allowed ? 200 : 500, `${title}: ${text}`)
    assert.is(await server.store.sessions.count(), sessions + depth + (allowed ? 1 : 0))
    if (allowed) assert.ok('nextSession' in (json as object))
    else assert.is((json as { error: string }).error, 'NEXT_SESSION')
    if (!allowed) assert.match(text, 'not authorized')
  }
}

const Chains = suite('permissions: a chain gives no further permissions (spec/interface#5.1 rule 2)')

type PermissionSource = readonly [
  title: string,
  settings: (patterns: Patterns) => SettingsOfTest,
  headers: Record<string, string>,
]
const PLACES: readonly PermissionSource[] = [
  [
    'its own',
    patterns => ({ noAuth: false, requestors: requestorsWith(patterns), permissions: permsOf({}) }),
    TOKEN,
  ],
  ['those of the server, no_auth', patterns => ({ permissions: permsOf(patterns) }), {}],
]

/** The permissions that allow the first session, at the host of the server. */
const STARTING = PERMISSIONS.filter(patterns => isAllowed({}, patterns))

for (const [place, settings, headers] of PLACES)
  for (const patterns of STARTING)
    Chains(`the next session, with ${JSON.stringify(patterns)} as permissions: ${place}`, () =>
      withServer({ settings: settings(patterns), effects: ANSWERS }, server =>
        assertChains(server, patterns, 1, headers),
      ),
    )

for (const patterns of [
  {},
  { disclose: ['svc-demo.gov.*'], issue: ['svc-demo.fast.note'] },
  { disclose: ['*'], sign: ['*'], issue: ['*'] },
])
  Chains(`the session after the next, with ${JSON.stringify(patterns)} as permissions`, () =>
    withServer(
      {
        settings: { noAuth: false, requestors: requestorsWith(patterns), permissions: permsOf({}) },
        effects: ANSWERS,
      },
      server => assertChains(server, patterns, 2, TOKEN),
    ),
  )

Chains('a signed request in the answer gives no permission: only JSON is read', async () => {
  const powerful = permsOf({ disclose: ['*'] })
  const requestors = requestorsWith({}).map((one, i) => (i === 2 ? { ...one, ...powerful } : one))
  const jwt = await signed(claimsOf('rsashop', { request: disclosure() }, NOW_SEC), RS256)
  const settings = { noAuth: false, requestors, permissions: permsOf({}) }
  for (const answer of [jwt, JSON.stringify(jwt), JSON.stringify({ request: jwt })])
    await withServer({ settings, effects: answering(() => answer) }, async server => {
      const { status, json } = await outcomeOf(server, 1, TOKEN)
      assert.equal([status, (json as { error: string }).error], [500, 'NEXT_SESSION'])
      assert.is(await server.store.sessions.count(), 1)
    })
})

Chains('a requestor that was removed from the settings has only the permissions of the server', () =>
  withServer(
    {
      settings: { noAuth: false, requestors: requestorsWith({ disclose: ['*'] }), permissions: permsOf({}) },
      effects: deps => {
        const settings = { ...deps.settings, requestors: [] }
        return answering(() => JSON.stringify(disclosure()))({ ...deps, settings })
      },
    },
    async server => {
      const { status, text } = await outcomeOf(server, 1, TOKEN)
      assert.is(status, 500)
      assert.match(text, 'not authorized')
    },
  ),
)

Chains.run()
