/** The phone's back end, over HTTP: a wallet that shares what its user chooses. @module */

import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { pageOf, startTestDemo } from './start.ts'

type RemoteError = { readonly error: string }

/** One for all tests of this file; its end closes it. */
const demo = await startTestDemo()
const page = pageOf(demo)

const Phone = suite('demo: the phone')

Phone('what is shared is what the shop sees, and the rest of the card is not', async () => {
  const { id, sessionPtr } = await page.start('age')
  const phone = await page.scan(sessionPtr)
  const { items, ...question } = await page.phoneShows(phone, 'consent')
  assert.equal(question, { screen: 'consent', host: new URL(demo.address).host, canAnswer: true })
  assert.equal(items, [
    {
      candidates: [
        {
          cards: [
            {
              name: 'Demo identity card',
              issuer: 'Demo Government',
              attributes: [{ name: 'Over 18', value: 'yes' }],
            },
          ],
        },
      ],
      missing: [],
    },
  ])
  assert.is((await page.answer(phone, [0])).status, 204)
  assert.equal((await page.phoneShows(phone, 'done', 'failed')).shared, [{ name: 'Over 18', value: 'yes' }])
  const { result, ...told } = await page.result(id)
  assert.equal(told, {
    isAccepted: true,
    title: 'Thank you, you are over 18',
    text: 'The bottle is yours. Your name stayed on your phone.',
    seen: [{ card: 'Demo identity card', name: 'Over 18', value: 'yes' }],
    hidden: [
      { card: 'Demo identity card', names: ['Initials', 'Family name', 'Nationality', 'Document number'] },
    ],
  })
  assert.is(result.status, 'DONE')
  assert.is(result.token, undefined)
})

Phone('of several candidates the chosen one is shared', async () => {
  const { id, sessionPtr } = await page.start('login')
  const phone = await page.scan(sessionPtr)
  const { items } = await page.phoneShows(phone, 'consent')
  assert.is(items?.[0]?.candidates.length, 3)
  await page.answer(phone, [1])
  await page.phoneShows(phone, 'done', 'failed')
  assert.is((await page.result(id)).text, 'As student 20-4481 of Music Academy.')
})

Phone('an optional attribute is shared only when it is chosen', async () => {
  for (const [choices, seen, label] of [
    [[0, 0], ['3512 AN', '12'], 'There is no name on the label.'],
    [[1, 1], ['8899 BC', '7', 'de Vries'], 'The label says de Vries.'],
  ] as const) {
    const { id, sessionPtr } = await page.start('delivery')
    const phone = await page.scan(sessionPtr)
    await page.phoneShows(phone, 'consent')
    await page.answer(phone, choices)
    await page.phoneShows(phone, 'done', 'failed')
    const answer = await page.result(id)
    assert.equal(
      answer.seen.map(({ value }) => value),
      seen,
    )
    assert.ok(answer.text.endsWith(label))
  }
})

Phone(
  'with pairing the phone shows the code of the frontend, and asks only after the frontend has confirmed it',
  async () => {
    const { id, sessionPtr, frontendRequest } = await page.start('age')
    const headers = { Authorization: frontendRequest.authorization }
    const frontend = `${sessionPtr.u}/frontend`
    const options = {
      '@context': 'https://svc.example/ld/request/frontendoptions/v1',
      pairingMethod: 'pin',
    }
    const { body } = await page.call<{ readonly pairingCode: string }>(
      `${frontend}/options`,
      'POST',
      options,
      headers,
    )
    const phone = await page.scan(sessionPtr)
    assert.is((await page.phoneShows(phone, 'pairing', 'consent', 'failed')).code, body.pairingCode)
    assert.is((await page.answer(phone, [0])).status, 403)
    assert.is((await page.call(`${frontend}/pairingcompleted`, 'POST', undefined, headers)).status, 204)
    await page.phoneShows(phone, 'consent')
    await page.answer(phone, [0])
    await page.phoneShows(phone, 'done', 'failed')
    assert.ok((await page.result(id)).isAccepted)
  },
)

Phone('a refusal ends the session, and the shop learns nothing from it', async () => {
  const { id, sessionPtr } = await page.start('age')
  const phone = await page.scan(sessionPtr)
  await page.phoneShows(phone, 'consent')
  assert.is((await page.refuse(phone)).status, 204)
  assert.is((await page.phoneShows(phone, 'refused', 'failed')).screen, 'refused')
  const { seen, hidden, title, result } = await page.result(id)
  assert.equal(
    { seen, hidden, title, status: result.status },
    { seen: [], hidden: [], title: 'Stopped', status: 'CANCELLED' },
  )
})

Phone('a choice that names no candidate shares nothing', async () => {
  for (const choices of [[7], [], [0, 0]]) {
    const { id, sessionPtr } = await page.start('age')
    const phone = await page.scan(sessionPtr)
    await page.phoneShows(phone, 'consent')
    await page.answer(phone, choices)
    assert.is((await page.phoneShows(phone, 'done', 'failed')).screen, 'failed')
    assert.equal((await page.result(id)).seen, [])
  }
})

Phone('a session that the shop has cancelled ends on the phone too', async () => {
  const { sessionPtr } = await page.start('age')
  const phone = await page.scan(sessionPtr)
  await page.phoneShows(phone, 'consent')
  await page.call(sessionPtr.u, 'DELETE')
  await page.answer(phone, [0])
  assert.is((await page.phoneShows(phone, 'done', 'failed')).reason, 'The session had already ended.')
})

Phone('a pointer to another server is refused before anything is asked there', async () => {
  for (const u of [
    'http://127.0.0.1:9/svc/session/x',
    `${demo.address}demo/phone/cards`,
    'file:///etc/passwd',
  ]) {
    const { status, body } = await page.call<RemoteError>('/demo/phone/scan', 'POST', {
      pointer: { u, svcqr: 'disclosing' },
    })
    assert.equal([status, body.error], [400, 'INVALID_REQUEST'])
  }
})

Phone('a screen that does not change answers a long question when another one comes', async () => {
  const { sessionPtr } = await page.start('age')
  const phone = await page.scan(sessionPtr)
  await page.phoneShows(phone, 'consent')
  const waiting = page.phoneShows(phone, 'refused', 'failed')
  await page.refuse(phone)
  assert.is((await waiting).screen, 'refused')
})

Phone('past the bound the oldest session on the phone ends as refused', async () => {
  const oldest = await page.start('age')
  const phone = await page.scan(oldest.sessionPtr)
  await page.phoneShows(phone, 'consent')
  for (let i = 0; i < 20; i++) await page.scan((await page.start('age')).sessionPtr)
  assert.is((await page.call(`/demo/phone/${phone}?after=0`)).status, 404)
  for (let status = ''; status !== 'CANCELLED'; )
    status = (
      await page.call<{ readonly status: string }>(
        `${oldest.sessionPtr.u}/frontend/status`,
        'GET',
        undefined,
        {
          Authorization: oldest.frontendRequest.authorization,
        },
      )
    ).body.status
})

Phone.after(() => demo.close())
Phone.run()
