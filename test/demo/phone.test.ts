/** The phone's back end, over HTTP: a wallet that shares, signs and receives on its user's orders. @module */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { pageOf, startTestDemo } from './start.ts'

type RemoteError = { readonly error: string }

/** One demo for all tests of this file; the end of the file closes it. */
const demo = await startTestDemo()
const page = pageOf(demo)
await page.complete('cards', [])

const Phone = suite('demo: the phone')

Phone('the site sees the shared attributes, and not the rest of the card', async () => {
  const { id, phone, question } = await page.ask('login')
  const { items, ...rest } = question
  const host = `course-pages.localhost:${new URL(demo.address).port}`
  assert.equal(rest, {
    screen: 'consent',
    host,
    kind: 'disclosing',
    message: null,
    offers: [],
    canAnswer: true,
  })
  const attributes = [{ name: 'Student number', value: 's1234567' }]
  const card = { name: 'Demo student card', issuer: 'Demo University', attributes }
  assert.equal(items, [{ candidates: [{ cards: [card] }], missing: [], unprovable: [], isRepeated: false }])
  assert.is((await page.answer(phone, [0])).status, 204)
  assert.equal((await page.phoneShows(phone, 'done')).shared, attributes)
  const { isAccepted, text, seen, hidden, results } = await page.result(id)
  assert.equal([isAccepted, text], [true, 'As student s1234567.'])
  assert.equal(seen, [
    { card: 'Demo student card', name: 'Student number', value: 's1234567', isNotRevoked: false },
  ])
  assert.equal(hidden, [{ card: 'Demo student card', names: ['University', 'Level', 'Remarks'] }])
  assert.not(JSON.stringify(results).includes('token'))
})

Phone(
  'the chosen one of several candidates is shared, and an optional attribute only if it is chosen',
  async () => {
    for (const [choices, text] of [
      [[0, 0], 'As student s1234567 of City University. You kept your name to yourself.'],
      [[1, 1], 'With identity card SPECI2014. Welcome, de Vries.'],
    ] as const)
      assert.is((await page.complete('either', choices)).told.text, text)
  },
)

Phone(
  'with pairing the phone shows the code of the frontend, and asks only after the frontend has confirmed it',
  async () => {
    const { id, sessionPtr, frontendRequest } = await page.start('login')
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
    const phone = await page.open(JSON.stringify(sessionPtr))
    assert.is((await page.phoneShows(phone, 'pairing')).code, body.pairingCode)
    assert.is((await page.answer(phone, [0])).status, 403)
    assert.is((await page.call(`${frontend}/pairingcompleted`, 'POST', undefined, headers)).status, 204)
    await page.phoneShows(phone, 'consent')
    await page.answer(phone, [0])
    await page.phoneShows(phone, 'done')
    assert.ok((await page.result(id)).isAccepted)
  },
)

Phone('a refusal ends the session, and the site learns nothing from it', async () => {
  const { id, phone } = await page.ask('login')
  assert.is((await page.refuse(phone)).status, 204)
  await page.phoneShows(phone, 'refused')
  const { seen, hidden, title, results } = await page.result(id)
  assert.equal({ seen, hidden, title }, { seen: [], hidden: [], title: 'Stopped' })
  assert.equal(results, [{ status: 'CANCELLED', type: 'disclosing' }])
})

Phone('a choice that names no candidate shares nothing', async () => {
  for (const choices of [[7], [], [0, 0]]) {
    const { id, phone } = await page.ask('login')
    await page.answer(phone, choices)
    await page.phoneShows(phone, 'failed')
    assert.equal((await page.result(id)).seen, [])
  }
})

Phone('a session that the site has cancelled ends on the phone too', async () => {
  const { sessionPtr, phone } = await page.ask('login')
  await page.call(sessionPtr.u, 'DELETE')
  await page.answer(phone, [0])
  assert.is((await page.phoneShows(phone, 'failed')).reason, 'The session had already ended.')
})

Phone('a pointer to another server is refused before anything is asked there', async () => {
  const pointer = (u: string) => JSON.stringify({ u, svcqr: 'disclosing' })
  const elsewhere = pointer('http://127.0.0.1:9/svc/session/x')
  for (const text of [
    elsewhere,
    `svc://qr/json/${encodeURIComponent(elsewhere)}`,
    pointer(`${demo.address}demo/phone/cards`),
    pointer('file:///etc/passwd'),
    pointer(`http://evil.localhost:${new URL(demo.address).port}/svc/session/x`),
    pointer('http://course-pages.localhost:9/svc/session/x'),
    pointer(`http://course-pages.localhost:${new URL(demo.address).port}/demo/phone/cards`),
    'hello',
  ]) {
    const refused = await page.call<RemoteError>('/demo/phone/open', 'POST', { pointer: text })
    assert.equal([refused.status, refused.body.error], [400, 'INVALID_REQUEST'])
  }
})

Phone('a session belongs to its web site: the phone cannot open it at the name of another site', async () => {
  const { id, sessionPtr } = await page.start('login')
  const pointer = JSON.stringify(sessionPtr).replace('course-pages', 'film-club')
  assert.match(pointer, 'http://film-club.localhost:')
  assert.is(
    (await page.phoneShows(await page.open(pointer), 'failed')).host,
    new URL(JSON.parse(pointer).u).host,
  )
  assert.is((await page.call(`/demo/site/result/${id}`)).status, 403, 'it is still open')
})

Phone('a call that waits for the next screen is answered when the screen changes', async () => {
  const { phone } = await page.ask('login')
  const waiting = page.phoneShows(phone, 'refused')
  await page.refuse(phone)
  assert.is((await waiting).screen, 'refused')
})

Phone('past the bound the oldest session on the phone ends as refused', async () => {
  const oldest = await page.ask('login')
  for (let i = 0; i < 20; i++) await page.open(JSON.stringify((await page.start('login')).sessionPtr))
  assert.is((await page.call(`/demo/phone/${oldest.phone}?after=0`)).status, 404)
  const headers = { Authorization: oldest.frontendRequest.authorization }
  const status = `${oldest.sessionPtr.u}/frontend/status`
  for (let now = ''; now !== 'CANCELLED'; )
    now = (await page.call<{ readonly status: string }>(status, 'GET', undefined, headers)).body.status
})

Phone.after(() => demo.close())
Phone.run()
