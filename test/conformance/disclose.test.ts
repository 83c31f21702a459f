import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import type { Json } from './json.ts'
import { disclosure, issuance, NOTE, note, OVER18, WEEK_SEC } from './requests.ts'
import { NOW_SEC, startService } from './service.ts'

const service = await startService()
const NATIONALITY = 'svc-demo.gov.idcard.nationality'

/** @returns the disclosed attributes in the result, if the wallet answers with its first choice */
async function disclosed(disclose: unknown): Promise<Json> {
  const session = await service.create(disclosure({ disclose }))
  await service.answer(session)
  return Object((await service.get(`${session.requestor}/result`)).json).disclosed
}

async function refused(body: unknown, reason: RegExp): Promise<void> {
  const { status, json } = await service.post(body)
  assert.equal([status, Object(json).error], [400, 'INVALID_REQUEST'])
  assert.match(Object(json).message, reason)
}

const values = (lists: Json): Json => lists.map((list: Json) => list.map((each: Json) => each.rawvalue))

const Disclose = suite('spec/interface#2.4: disclose')

Disclose('2.4 string: the attribute with any value', async () => {
  assert.equal(values(await disclosed([[[OVER18]], [[NOTE]]])), [['yes'], ['hello']])
})

Disclose('2.4 object: exactly the value, or any; notNull wants one', async () => {
  const type = NOTE
  assert.equal(values(await disclosed([[[{ type, value: 'other' }]]])), [['other']])
  assert.equal(values(await disclosed([[[{ type, value: null }]]])), [['hello']])
  assert.equal(values(await disclosed([[[{ type, notNull: true }]]])), [['hello']])
  for (const object of [
    { type, value: 'nobody has this' },
    { type: NATIONALITY, notNull: true },
  ])
    assert.is(await disclosed([[[object]]]), undefined) // the wallet has no such credential
})

Disclose('2.4 mixed forms: within one inner conjunction', async () => {
  const mixed = [NOTE, { type: 'svc-demo.fast.note.extra', value: 'world' }]
  assert.equal(values(await disclosed([[mixed]])), [['hello', 'world']])
})

Disclose('2.4 types: every attribute type must exist in its scheme', async () => {
  for (const id of ['svc-demo.gov.idcard.nothing', 'svc-demo.gov.nothing.over18', 'other.gov.idcard.over18'])
    await refused(disclosure({ disclose: [[[id]]] }), /Unknown identifiers/)
})

Disclose('2.4 conjunction: every outer item is satisfied, by one inner conjunction of it', async () => {
  const either = [['svc-demo.gov.registration.number'], ['svc-demo.gov.address.city']]
  assert.equal(values(await disclosed([either, [[OVER18]]])), [['Utrecht'], ['yes']])
})

Disclose('2.4 rule 1: an empty inner conjunction makes a disjunction optional', async () => {
  assert.equal(values(await disclosed([[[], ['svc-demo.gov.registration.number']], [[OVER18]]])), [
    [],
    ['yes'],
  ])
})

Disclose(
  '2.4 rule 2: of several types in an inner conjunction one may contribute more than one',
  async () => {
    const address = ['svc-demo.gov.address.city', 'svc-demo.gov.address.street']
    assert.equal(values(await disclosed([[[...address, OVER18]]])), [['Utrecht', 'Voorstraat', 'yes']])
    const idcard = [OVER18, 'svc-demo.gov.idcard.initials']
    await refused(disclosure({ disclose: [[[...address, ...idcard]]] }), /at most one/)
  },
)

Disclose('2.4 rule 3: attributes of one type come from one instance', async () => {
  const extra = 'svc-demo.fast.note.extra'
  const session = await service.create(disclosure({ disclose: [[[NOTE, { type: extra, value: '' }]]] }))
  await service.answer(session)
  const { disclosed: told } = Object((await service.get(`${session.requestor}/result`)).json)
  assert.equal(values(told), [['other', '']])
  const impossible = [
    [
      [
        { type: NOTE, value: 'hello' },
        { type: extra, value: '' },
      ],
    ],
  ]
  assert.is(await disclosed(impossible), undefined)
})

Disclose('2.4 rule 4: an optional attribute may be null, which is not the empty string', async () => {
  const [[attribute]] = await disclosed([[[NATIONALITY]]])
  assert.equal([attribute.rawvalue, attribute.value], [null, null])
  const empty = await disclosed([[[{ type: 'svc-demo.fast.note.extra', value: '' }]]])
  assert.is(empty[0][0].rawvalue, '')
})

Disclose.run()

const Credentials = suite('spec/interface#2.5: credential requests')

/** @returns the credential that the wallet has received */
async function issued(members: object): Promise<Json> {
  const session = await service.create(issuance({ credentials: [note(members)] }))
  assert.is((await service.answer(session)).outcome.status, 'success')
  return service.wallet.credentials().at(-1)
}

Credentials('2.5 credential: the type to issue, which must exist', async () => {
  assert.is((await issued({})).type, 'svc-demo.fast.note')
  await refused(
    issuance({ credentials: [note({ credential: 'svc-demo.fast.nothing' })] }),
    /Unknown identifiers/,
  )
  await refused(issuance({ credentials: [{ attributes: { text: 'x' } }] }), /credential/)
})

Credentials(
  '2.5 validity: the expiry, rounded down to a week, also as the app is shown it; 6 months by default; in the future when it is rounded',
  async () => {
    const validity = NOW_SEC + 10 * WEEK_SEC + 1234
    const { expiresAtSec } = await issued({ validity })
    assert.is(expiresAtSec, validity - (validity % WEEK_SEC))
    const inSixMonths = Date.UTC(2027, 4, 21, 11, 33, 38) / 1_000
    assert.is((await issued({})).expiresAtSec, inSixMonths - (inSixMonths % WEEK_SEC))
    for (const inPast of [NOW_SEC - 1, NOW_SEC + 1])
      await refused(issuance({ credentials: [note({ validity: inPast })] }), /expired/)
    for (const [members, expected] of [
      [{ validity }, validity],
      [{}, inSixMonths],
    ] as const) {
      const session = await service.create(issuance({ credentials: [note(members)] }))
      const { got } = (await service.answer(session)).call('GET', '')
      assert.is(got.request.credentials[0].validity, expected - (expected % WEEK_SEC))
    }
  },
)

Credentials('2.5 attributes: as given; optional ones may be left out, which issues null', async () => {
  const { attributes } = await issued({ attributes: { text: 'naïve ☃' } })
  assert.equal(
    attributes.map((each: Json) => each.value),
    ['naïve ☃', null],
  )
  await refused(
    issuance({ credentials: [note({ attributes: { extra: 'x' } })] }),
    /Required attributes are missing/,
  )
  const surplus = { text: 'x', nothing: 'y' }
  await refused(issuance({ credentials: [note({ attributes: surplus })] }), /Unknown identifiers/)
})

Credentials.after(() => service.close())
Credentials.run()
