/** Every type of session between the wallet and the session server of this project, in both profiles: issuance with random blind values,
 *  signatures with timestamps, combined and chained sessions, each also with pairing and refused (spec/interface#2.3, #3, #4.3). @module */
import { createServer } from 'node:http'
import * as assert from 'uvu/assert'
import { listen } from '../../demo/listen.ts'
import { createTimestampServer } from '../../demo/timestamp-server.ts'
import { closeListener } from '../../http/listen.ts'
import { answerSession, type SessionHandlers, type SessionOutcome } from '../../libraries/wallet/session.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import type { SessionType } from '../../protocol/request.ts'
import { suite } from '../suite.ts'
import { deps, newWallet } from './demo-wallets.ts'
import { agreeToAll, refuse } from './play.ts'
import { type Started, startRealServer } from './real-server.ts'
import { schemesWith } from './support.ts'

const clock = createSystemClock()
const stamps = createTimestampServer({ clock, expiresAtSec: Math.floor(clock.now() / 1000) + 3600 })
const schemes = schemesWith({ 'svc-demo': await stamps.listen(0, '127.0.0.1') })
const now = { ...deps, clock, schemes }
const wallet = await newWallet(undefined, true, now)

/** Answers to the posts of a chain, each used once: a session request without its context. */
const posts: { readonly type: SessionType; readonly body: object }[] = []
let contextBase = ''
const requestor = createServer((req, res) => {
  req.resume()
  const next = posts.shift()
  if (!next) return res.writeHead(204).end()
  const path = { disclosing: 'disclosure', signing: 'signature', issuing: 'issuance' }[next.type]
  const context = `${contextBase}/ld/request/${path}/v2`
  const { request, ...options } = { request: {}, ...next.body }
  const inner = { '@context': context, ...request }
  return res.end(JSON.stringify({ ...options, request: inner }))
})
const requestorUrl = await listen(requestor, 0, '127.0.0.1')

const NOTE = { credential: 'svc-demo.fast.note', attributes: { text: 'real' } }
const BALLOT = {
  credential: 'svc-demo.uni.ballot',
  attributes: { election: 'Council', url: 'https://vote.example.test/' },
}
const LOT = { credential: 'svc-demo.fast.lot', attributes: { draw: 'Spring' } }
const NAME = [[['svc-demo.gov.idcard.familyname']]]
const BODIES: Readonly<Record<SessionType, object>> = {
  disclosing: { disclose: NAME },
  signing: { disclose: NAME, message: 'I agree.' },
  issuing: { credentials: [NOTE] },
}
const TYPES = ['disclosing', 'signing', 'issuing'] as const

function answer(
  { pointer }: Pick<Started, 'pointer'>,
  handlers: SessionHandlers = agreeToAll,
  send: typeof fetch = fetch,
): Promise<SessionOutcome> {
  return answerSession({ ...now, wallet, fetch: send }, pointer, handlers)
}

async function assertEnded(
  session: Pick<Started, 'result'>,
  values: readonly (readonly (string | null)[])[] = [],
) {
  const result = await session.result()
  assert.equal([result.status, result.proofStatus], ['DONE', 'VALID'])
  const shown = (result.disclosed ?? []).map(item => item.map(({ rawvalue }) => rawvalue))
  assert.equal(shown, values)
  return result
}

const servers = await Promise.all(Object.values(PROFILES).map(profile => startRealServer(profile, schemes)))

for (const server of servers) {
  const Every = suite(`every type of session in profile ${server.profile.name}`)
  Every.before.each(() => {
    contextBase = server.profile.contextBase
    posts.length = 0
  })

  Every('credentials are received, also with random blind values', async () => {
    const before = wallet.credentials().length
    const session = await server.create('issuing', { credentials: [BALLOT, NOTE, LOT] })
    assert.equal(await answer(session), { status: 'success', proofStatus: 'VALID', clientReturnUrl: null })
    await assertEnded(session)
    const received = wallet.credentials().slice(before)
    assert.equal(
      received.map(({ type }) => String(type)),
      [BALLOT, NOTE, LOT].map(({ credential }) => credential),
    )
    const number = received[0]?.attributes[1]?.value ?? ''
    assert.match(number, /^[0-9a-zA-Z]{38,43}$/)
    const asked = [[[{ type: 'svc-demo.uni.ballot.votingnumber', value: number }]]]
    const shown = await server.create('disclosing', { disclose: asked })
    assert.is((await answer(shown)).status, 'success')
    await assertEnded(shown, [[number]])
  })

  Every('a combined session discloses and issues', async () => {
    const session = await server.create('issuing', { credentials: [NOTE], disclose: NAME })
    assert.is((await answer(session)).status, 'success')
    await assertEnded(session, [['Voorbeeld']])
  })

  Every('a signature has the message, the attributes and a timestamp', async () => {
    const session = await server.create('signing', BODIES.signing)
    assert.is((await answer(session)).status, 'success')
    const { signature } = await assertEnded(session, [['Voorbeeld']])
    assert.is(signature?.message, 'I agree.')
    assert.ok(Math.abs((signature?.timestamp?.Time ?? 0) - clock.now() / 1000) < 60)
  })

  for (const type of TYPES)
    Every(`a session of type ${type} that is refused is cancelled`, async () => {
      const session = await server.create(type, BODIES[type])
      assert.is((await answer(session, refuse)).status, 'cancelled')
      assert.is((await session.result()).status, 'CANCELLED')
    })

  for (const type of TYPES)
    Every(`a session of type ${type} can be paired`, async () => {
      const session = await server.create(type, BODIES[type])
      const options = {
        '@context': `${server.profile.contextBase}/ld/request/frontendoptions/v1`,
        pairingMethod: 'pin',
      }
      assert.is(await session.frontend('POST', '/frontend/options', options), 200)
      const codes: string[] = []
      const confirming: typeof fetch = async (address, init) => {
        if (String(address).endsWith('/statusevents'))
          await session.frontend('POST', '/frontend/pairingcompleted')
        return fetch(address, init)
      }
      const outcome = await answer(session, { ...agreeToAll, pairing: code => codes.push(code) }, confirming)
      assert.is(outcome.status, 'success')
      assert.equal(codes, ['0815'])
      await assertEnded(session, type === 'issuing' ? [] : [['Voorbeeld']])
    })

  Every(
    'a chain of two is followed; the second session discloses the attributes of the first again',
    async () => {
      posts.push({
        type: 'signing',
        body: { request: { disclose: [[['svc-demo.uni.student.level']]], message: 'm' } },
      })
      const first = await server.create('disclosing', {
        nextSession: { url: requestorUrl },
        request: {
          disclose: [[['svc-demo.gov.idcard.over18', 'svc-demo.gov.idcard.initials']], [[], ...NAME.flat()]],
        },
      })
      const outcome = await answer(first)
      assert.equal([outcome.status, outcome.chainLink], ['success', 2])
      const { nextSession = '' } = await assertEnded(first, [['yes', 'A.B.'], []])
      await assertEnded(first.next(nextSession), [['master'], ['yes', 'A.B.'], []])
    },
  )

  Every('a chain of three may issue a credential that its last session requests', async () => {
    posts.push(
      { type: 'issuing', body: { nextSession: { url: requestorUrl }, request: { credentials: [LOT] } } },
      { type: 'disclosing', body: { request: { disclose: [[['svc-demo.fast.lot.draw']]] } } },
    )
    const first = await server.create('disclosing', {
      nextSession: { url: requestorUrl },
      request: { disclose: NAME },
    })
    const outcome = await answer(first)
    assert.equal([outcome.status, outcome.chainLink], ['success', 3])
    const { nextSession: second = '' } = await assertEnded(first, [['Voorbeeld']])
    const { nextSession: third = '' } = await assertEnded(first.next(second), [['Voorbeeld']])
    await assertEnded(first.next(third), [['Spring'], ['Voorbeeld']])
  })

  Every('if the requestor has no next session, the outcome is that of a single session', async () => {
    const first = await server.create('issuing', {
      nextSession: { url: requestorUrl },
      request: { credentials: [NOTE] },
    })
    const outcome = await answer(first)
    assert.equal([outcome.status, outcome.chainLink], ['success', undefined])
    assert.is((await assertEnded(first)).nextSession, undefined)
  })

  Every('in a chain a later session may be refused; the result of the first one stays', async () => {
    posts.push({ type: 'issuing', body: { request: { credentials: [NOTE] } } })
    const first = await server.create('disclosing', {
      nextSession: { url: requestorUrl },
      request: { disclose: NAME },
    })
    const outcome = await answer(first, {
      consent: question => (question.kind === 'issuing' ? refuse : agreeToAll).consent(question),
    })
    assert.equal([outcome.status, outcome.chainLink], ['cancelled', 2])
    const { nextSession = '' } = await assertEnded(first, [['Voorbeeld']])
    assert.is((await first.next(nextSession).result()).status, 'CANCELLED')
  })

  Every('commitments whose answer was lost are sent again, and the credential is issued once', async () => {
    const before = wallet.credentials().length
    let lost = 0
    const losing: typeof fetch = async (address, init) => {
      const response = await fetch(address, init)
      if (!String(address).endsWith('/commitments') || lost++ > 0) return response
      await response.text()
      throw new TypeError('connection reset')
    }
    const session = await server.create('issuing', BODIES.issuing)
    assert.is((await answer(session, agreeToAll, losing)).status, 'success')
    assert.is(lost, 2)
    assert.is(wallet.credentials().length, before + 1)
    await assertEnded(session)
  })

  Every.run()
}

const Closing = suite('closing after every type')

Closing('servers, requestor and wallet close', async () => {
  await Promise.all(servers.map(server => server.close()))
  await Promise.all([stamps.close(), wallet.close(), closeListener(requestor)])
})

Closing.run()
