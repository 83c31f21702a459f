/** The wallet and the session server of this project, over HTTP, in both profiles (spec/interface#3, #4.3, #5.3). @module */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { DEMO_CREDENTIALS } from '../../demo/wallet-credentials.ts'
import type { Candidate } from '../../libraries/wallet/candidates.ts'
import { answerSession, type SessionHandlers, type SessionOutcome } from '../../libraries/wallet/session.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { suite } from '../suite.ts'
import { deps, newWallet } from './demo-wallets.ts'
import { type Started, startRealServer } from './real-server.ts'

const clock = createSystemClock()
const now = { ...deps, clock }
const RELIC = {
  type: 'svc-demo.old.relic',
  attributes: { value: 'silver' },
  signedAtSec: Date.UTC(2018, 0, 4) / 1000,
  expiresAtSec: Date.UTC(2019, 0, 3) / 1000,
}
const wallet = await newWallet([...DEMO_CREDENTIALS, RELIC], true, now)
const servers = [await startRealServer(PROFILES.svc), await startRealServer(PROFILES.irma)]

function answer(
  { pointer }: Started,
  handlers: SessionHandlers,
  send: typeof fetch = fetch,
): Promise<SessionOutcome> {
  return answerSession({ ...now, wallet, fetch: send }, pointer, handlers)
}

/** Chooses the candidate at `at` in each outer item, modulo their number. */
function choosing(at = 0): SessionHandlers {
  return {
    consent: async ({ candidates: { items } }) => ({
      answer: 'disclose',
      choices: items.map(({ candidates }) => at % candidates.length),
    }),
  }
}
const refusing: SessionHandlers = { consent: async () => ({ answer: 'refuse' }) }

async function assertDisclosed(
  session: Started,
  expected: readonly (readonly (string | null)[])[],
): Promise<void> {
  const { status, proofStatus, disclosed } = await session.result()
  assert.equal([status, proofStatus], ['DONE', 'VALID'])
  assert.equal(
    (disclosed ?? []).map(item => item.map(({ rawvalue }) => rawvalue)),
    expected,
  )
}

/** One credential type in each inner conjunction: the profiles differ for several types. */
const conjunction = fc.oneof(
  fc.constant([]),
  fc.subarray(['svc-demo.gov.address.city', 'svc-demo.gov.address.addition', 'svc-demo.gov.address'], {
    minLength: 1,
  }),
  fc.subarray(['svc-demo.fast.note.text', 'svc-demo.fast.note.extra'], { minLength: 1 }),
  fc.subarray(['svc-demo.fast.lot.draw', 'svc-demo.fast.lot.number'], { minLength: 1 }),
  fc.constantFrom([{ type: 'svc-demo.gov.address.addition', notNull: true }], ['svc-demo.gov.permit.kind']),
  fc.constantFrom([
    { type: 'svc-demo.gov.address.city', value: 'Vlieland' },
    'svc-demo.gov.address.addition',
  ]),
)
const disclosures = fc
  .array(fc.array(conjunction, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
  .filter(disclose => disclose.flat(2).length > 0) // a request for nothing is refused at creation

for (const server of servers) {
  const Pairing = suite(`pairing of wallet and server in profile ${server.profile.name}`)
  const options = {
    '@context': `${server.profile.contextBase}/ld/request/frontendoptions/v1`,
    pairingMethod: 'pin',
  }
  const startPairing = async (): Promise<Started> => {
    const session = await server.start([[['svc-demo.gov.idcard.over18']]])
    assert.is(await session.frontend('POST', '/frontend/options', options), 200)
    return session
  }

  Pairing('the session continues if the code is confirmed after the stream is open', async () => {
    const session = await startPairing()
    const confirming: typeof fetch = async (address, init) => {
      const response = await fetch(address, init)
      if (String(address).endsWith('/status')) await session.frontend('POST', '/frontend/pairingcompleted')
      return response
    }
    const codes: string[] = []
    const outcome = await answer(session, { ...choosing(), pairing: code => codes.push(code) }, confirming)
    assert.is(outcome.status, 'success')
    assert.equal(codes, ['0815'])
    await assertDisclosed(session, [['yes']])
  })

  Pairing('the session continues if the code is confirmed before the stream is open', async () => {
    const session = await startPairing()
    const confirming: typeof fetch = async (address, init) => {
      if (String(address).endsWith('/statusevents'))
        await session.frontend('POST', '/frontend/pairingcompleted')
      return fetch(address, init)
    }
    assert.is((await answer(session, choosing(), confirming)).status, 'success')
    await assertDisclosed(session, [['yes']])
  })

  Pairing('if the frontend cancels, the outcome is pairing-rejected', async () => {
    const session = await startPairing()
    const cancelling: typeof fetch = async (address, init) => {
      const response = await fetch(address, init)
      if (String(address).endsWith('/status')) await session.frontend('DELETE', '')
      return response
    }
    const outcome = await answer(session, choosing(), cancelling)
    assert.is(outcome.status === 'failed' && outcome.reason, 'pairing-rejected')
    assert.is((await session.result()).status, 'CANCELLED')
  })

  Pairing.run()
}

for (const server of servers) {
  const EndToEnd = suite(`wallet and server in profile ${server.profile.name}`)

  EndToEnd('the requestor gets the value that the user chose', async () => {
    const session = await server.start([
      [['svc-demo.gov.address.city', 'svc-demo.gov.address.addition']],
      [['svc-demo.uni.student']],
    ])
    assert.is((await answer(session, choosing(1))).status, 'success')
    await assertDisclosed(session, [['Vlieland', null], ['present']])
  })

  EndToEnd(
    'an optional item may be left out, an expired credential shown where that is allowed',
    async () => {
      const request = [[[], ['svc-demo.fast.note.text']], [['svc-demo.old.relic.value']]]
      const session = await server.start(request, { skipExpiryCheck: ['svc-demo.old.relic'] })
      assert.is((await answer(session, choosing())).status, 'success')
      await assertDisclosed(session, [[], ['silver']])
    },
  )

  EndToEnd('clientReturnUrl reaches the user', async () => {
    const session = await server.start([[['svc-demo.fast.note.text']]], {
      clientReturnUrl: 'https://shop.example.test/',
    })
    assert.is((await answer(session, choosing())).clientReturnUrl, 'https://shop.example.test/')
  })

  EndToEnd('a refusal and a missing attribute look the same to the requestor', async () => {
    const results: string[] = []
    for (const id of ['svc-demo.gov.idcard.over18', 'svc-demo.gov.permit.kind']) {
      const session = await server.start([[[id]]])
      assert.is((await answer(session, refusing)).status, 'cancelled')
      const { token, ...rest } = { token: '', ...(await session.result()) }
      results.push(JSON.stringify(rest))
    }
    assert.is(results[0], results[1])
    assert.match(results[0] ?? '', /CANCELLED/)
  })

  EndToEnd('a session is answered once', async () => {
    const session = await server.start([[['svc-demo.fast.note.text']]])
    await answer(session, choosing())
    const again = await answer(session, choosing())
    assert.is(again.status === 'failed' && again.remote?.type, 'SESSION_UNKNOWN')
    await assertDisclosed(session, [['hello']])
  })

  EndToEnd('every candidate of the wallet is VALID for the server', async () => {
    await fc.assert(
      fc.asyncProperty(disclosures, fc.nat(1000), async (disclose, at) => {
        const session = await server.start(disclose)
        const chosen: Candidate[] = []
        const outcome = await answer(session, {
          consent: async ({ candidates: { items, isSatisfiable } }) => {
            if (!isSatisfiable) return { answer: 'refuse' }
            const choices = items.map(({ candidates }) => at % candidates.length)
            chosen.push(...items.flatMap(({ candidates }, i) => candidates[choices[i] ?? 0] ?? []))
            return { answer: 'disclose', choices }
          },
        })
        if (outcome.status === 'cancelled') return
        assert.is(outcome.status, 'success')
        const { status, proofStatus, disclosed } = await session.result()
        assert.equal([status, proofStatus], ['DONE', 'VALID'])
        // the first matching inner conjunction is reported (spec/decisions#indices): the chosen one, or a prefix of it
        for (const [i, { attributes }] of chosen.entries()) {
          const shown = disclosed?.[i]?.map(({ id, rawvalue }) => ({ id, value: rawvalue })) ?? []
          assert.equal(
            shown,
            attributes.slice(0, shown.length).map(({ id, value }) => ({ id, value })),
          )
        }
      }),
      { numRuns: 25 },
    )
  })

  EndToEnd.run()
}

const Closing = suite('closing')

Closing('servers and wallet close', async () => {
  await Promise.all(servers.map(server => server.close()))
  await wallet.close()
})

Closing.run()
