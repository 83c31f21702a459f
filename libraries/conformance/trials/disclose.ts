/** Requested and issued attributes (spec/interface#2.4, #2.5). @module */
import { attributeNameOf } from '../../../protocol/ids.ts'
import { expectEqual, expectError, expectSame, expectStatus, expectThat, NotTriedError } from '../expect.ts'
import { at, listOf, membersOf, put } from '../json.ts'
import { callOf, type Service, wordsOf } from '../service.ts'
import { twoTypes } from '../subject.ts'
import { type Trials, WEEK_SEC } from './trial.ts'

/** Maximum difference between the clocks of the server and of this process. */
const MAX_SKEW_MS = 300_000
const NOBODY_HAS_THIS = 'a value that nobody has'

/** Runs a session. @returns its outcome, and the attributes of each outer item in the result */
async function asked(service: Service, disclose: unknown) {
  const session = await service.create(service.disclosure({ disclose }))
  const played = await service.answer(session)
  const disclosed = listOf(at(await service.result(session), 'disclosed')).map(listOf)
  const of = (name: string): unknown => disclosed.map(list => list.map(each => at(each, name)))
  return { status: await service.status(session), ids: of('id'), values: of('rawvalue'), played }
}

async function refused(service: Service, what: string, request: object): Promise<void> {
  expectError(`POST /session with ${what}`, await service.post(request), 400, 'INVALID_REQUEST')
}

async function ruleTwo(service: Service): Promise<void> {
  const types = twoTypes(service.subject, service.wallet.schemes)
  if (types === null)
    throw new NotTriedError('the scheme has no two credential types with two attributes each')
  await refused(
    service,
    'two types with two attributes each in an inner conjunction',
    service.disclosure({ disclose: [[types.flat()]] }),
  )
  if (service.profile.innerConjunctionRule !== 'one-type-with-several') return
  const [[one = '', other = ''] = [], [single = ''] = []] = types
  const allowed = await service.post(service.disclosure({ disclose: [[[one, other, single]]] }))
  expectStatus('POST /session with one attribute of the second type', allowed, 200)
  await severalOfOne(service)
}

/** Discloses two attributes of one credential and one of another, in an inner conjunction. */
async function severalOfOne(service: Service): Promise<void> {
  const { attribute, others, type } = service.subject
  const [next] = others
  const single = service.wallet
    .credentials()
    .filter(each => each.type !== type && !each.isExpired && each.revocation === null)
    .flatMap(({ attributes }) => attributes)
    .find(({ value }) => value !== null)
  if (next === undefined || single === undefined) return
  const { status, values } = await asked(service, [[[attribute.id, next.id, single.id]]])
  expectEqual('status', status, 'DONE')
  expectSame('the values that the wallet holds', values, [[attribute.value, next.value, single.value]])
}

const DISCLOSE: Trials = {
  async '2.4 structure'(service) {
    const { id } = service.subject.attribute
    const { ids } = await asked(service, [[[{ type: id, value: NOBODY_HAS_THIS }], [id]], [[id]]])
    expectEqual('an answer to each outer item, by one inner conjunction of it', ids, [[id], [id]])
    await refused(service, 'one level of lists too few', service.disclosure({ disclose: [[id]] }))
  },
  async '2.4 string'(service) {
    const { id, value } = service.subject.attribute
    const { values } = await asked(service, [[[id]]])
    expectSame('the value that the wallet holds', values, [[value]])
  },
  async '2.4 object type'(service) {
    const { id } = service.subject.attribute
    expectEqual('what is disclosed', (await asked(service, [[[{ type: id }]]])).ids, [[id]])
    await refused(service, 'an object without type', service.disclosure({ disclose: [[[{ value: 'x' }]]] }))
  },
  async '2.4 object value'(service) {
    const { id: type, value } = service.subject.attribute
    for (const wanted of [value, null]) {
      const { values } = await asked(service, [[[{ type, value: wanted }]]])
      expectSame('the value that is wanted', values, [[value]])
    }
    await answeredInPlaceOf(service, { type, value: NOBODY_HAS_THIS })
  },
  async '2.4 object notNull'(service) {
    const { id: type, value } = service.subject.attribute
    const { values } = await asked(service, [[[{ type, notNull: true }]]])
    expectSame('a value that is not null', values, [[value]])
  },
  async '2.4 mixed forms'(service) {
    const { attribute, others } = service.subject
    const [other] = others
    if (other === undefined) throw new NotTriedError('the credential has one attribute alone')
    const { ids, values } = await asked(service, [[[attribute.id, { type: other.id, value: other.value }]]])
    expectEqual('what is disclosed', ids, [[attribute.id, other.id]])
    expectSame('the values that the wallet holds', values, [[attribute.value, other.value]])
  },
  async '2.4 types'(service) {
    const { id } = service.subject.attribute
    const { type } = service.subject
    const unknown = [
      `${id}-nothing`,
      id.replace(/^[^.]+/, 'nobody-knows'),
      id.replace(type, `${type}-nothing`),
    ]
    for (const wrong of unknown)
      await refused(service, 'a type that no scheme has', service.disclosure({ disclose: [[[wrong]]] }))
  },
  async '2.4 rule 1'(service) {
    const { id } = service.subject.attribute
    const { status, ids } = await asked(service, [[[], [{ type: id, value: NOBODY_HAS_THIS }]], [[id]]])
    expectEqual('status when an optional item is left out', status, 'DONE')
    expectEqual('what is disclosed', ids, [[], [id]])
  },
  '2.4 rule 2': ruleTwo,
  '8 inner conjunction': ruleTwo,
  async '2.4 rule 4'(service) {
    const { type, attributes, optional } = service.offered()
    if (optional === null) throw new NotTriedError(`${type.id} has no optional attribute`)
    const name = attributeNameOf(optional)
    for (const value of [null, '']) {
      const credential = service.credential({ attributes: { ...attributes, [name]: value ?? undefined } })
      const session = await service.create(service.request('issuing', { credentials: [credential] }))
      const played = await service.answer(session)
      expectThat(played.outcome.status === 'success', 'a credential that is issued', wordsOf(played))
      const candidates = service.wallet.credentials().filter(each => each.type === type.id)
      const chosen = candidates.at(-1)?.id
      const got = await choosing(service, optional, chosen)
      expectSame(value === null ? 'null of an attribute left out' : 'an empty text', got, value)
    }
  },
}

/** Runs a session with a choice of the instance. @returns the raw value of the disclosed attribute */
async function choosing(service: Service, id: string, credential: string | undefined): Promise<unknown> {
  const session = await service.create(service.disclosure({ disclose: [[[id]]] }))
  await service.answer(session, {
    consent: async ({ candidates: { items } }) => ({
      answer: 'disclose',
      choices: items.map(({ candidates }) =>
        candidates.findIndex(({ attributes }) => attributes[0]?.credential === credential),
      ),
    }),
  })
  return at(await service.result(session), 'disclosed', 0, 0, 'rawvalue')
}

/** Changes the request that the wallet receives, so that it discloses another value than the requested one. */
async function answeredInPlaceOf(
  service: Service,
  wanted: { readonly type: string; readonly value: string },
): Promise<void> {
  const session = await service.create(service.disclosure({ disclose: [[[wanted]]] }))
  const played = await service.answer(session, {
    deliver: answer => put(answer, ['request', 'disclose'], [[[wanted.type]]]),
  })
  const proofStatus = at(callOf(played, 'POST', '/proofs').got, 'proofStatus')
  expectEqual('proofStatus of another value than was asked for', proofStatus, 'MISSING_ATTRIBUTES')
}

async function playedIssuance(service: Service, members: object) {
  const credentials = [service.credential(members)]
  return service.answer(await service.create(service.request('issuing', { credentials })))
}

/** Expects the app to get the request as it was posted, but for members of credentials that the server adds. */
async function delivered(service: Service): Promise<void> {
  const { got } = callOf(await service.ordinary('issuing'), 'GET', '/')
  const { nonce, context, protocolVersion, devMode, ...request } = membersOf(at(got, 'request'))
  const credentials = listOf(request.credentials).map(each => {
    const { keyCounter, validity, ...rest } = membersOf(each)
    return rest
  })
  expectSame('the request that was posted', { ...request, credentials }, service.request('issuing'))
}

/** @returns the new credential in the wallet */
async function issued(service: Service, members: object) {
  const played = await playedIssuance(service, members)
  expectThat(played.outcome.status === 'success', 'a credential that is issued', wordsOf(played))
  const credential = service.wallet.credentials().at(-1)
  expectThat(credential !== undefined, 'a credential in the wallet', 'none')
  return credential
}

/** The start of the week in which six calendar months from this time end. */
function inSixMonths(ms: number): number {
  const date = new Date(ms)
  date.setUTCMonth(date.getUTCMonth() + 6)
  const sec = Math.floor(date.getTime() / 1_000)
  return sec - (sec % WEEK_SEC)
}

async function sixMonths(service: Service): Promise<void> {
  const { expiresAtSec } = await issued(service, {})
  const nowMs = service.clock.wallNow()
  const possible = [nowMs - MAX_SKEW_MS, nowMs + MAX_SKEW_MS].map(inSixMonths)
  const isSo = possible.includes(expiresAtSec)
  const weeks = ((expiresAtSec - nowMs / 1_000) / WEEK_SEC).toFixed(1)
  expectThat(isSo, 'a validity of six months, rounded down to a week', `${weeks} weeks`)
  if (service.profile.sentValidity !== 'whole-weeks') return
  const { got } = callOf(await playedIssuance(service, {}), 'GET', '/')
  expectEqual('validity that the app gets', at(got, 'request', 'credentials', 0, 'validity'), expiresAtSec)
}

async function weeks(service: Service): Promise<void> {
  const validity = Math.floor(service.clock.wallNow() / 1_000) + 10 * WEEK_SEC
  const rounded = validity - (validity % WEEK_SEC)
  const { signedAtSec, expiresAtSec } = await issued(service, { validity })
  expectEqual('expiry, rounded down to a week', expiresAtSec, rounded)
  expectEqual('seconds from the beginning of a week to the time of issuance', signedAtSec % WEEK_SEC, 0)
  expectThat(signedAtSec <= service.clock.wallNow() / 1_000, 'a time of issuance in the past', 'the future')
  const { got } = callOf(await playedIssuance(service, { validity }), 'GET', '/')
  const expected = service.profile.sentValidity === 'whole-weeks' ? rounded : validity
  expectEqual('validity that the app gets', at(got, 'request', 'credentials', 0, 'validity'), expected)
}

const CREDENTIALS: Trials = {
  async '2.5 credential'(service) {
    const { type } = await issued(service, {})
    expectEqual('type of what is issued', type, service.offered().type.id)
    const credentials = [service.credential({ credential: `${type}-nothing` })]
    await refused(service, 'a type that no scheme has', service.request('issuing', { credentials }))
    const untyped = [{ attributes: service.offered().attributes }]
    await refused(service, 'no type', service.request('issuing', { credentials: untyped }))
    await delivered(service)
  },
  async '2.5 validity'(service) {
    await weeks(service)
    await sixMonths(service)
    const nowSec = Math.floor(service.clock.wallNow() / 1_000)
    for (const validity of [1, nowSec - 1, nowSec + 1]) {
      const credentials = [service.credential({ validity })]
      await refused(service, 'a validity in the past', service.request('issuing', { credentials }))
    }
  },
  async '2.5 attributes'(service) {
    const { attributes, first } = service.offered()
    const got = (await issued(service, {})).attributes.find(({ id }) => id === first.id)
    expectSame('the value that was asked for', got?.value, first.value)
    const value = 'naïve ☃'
    const other = { ...attributes, [attributeNameOf(first.id)]: value }
    const unusual = (await issued(service, { attributes: other })).attributes
    expectSame('a value beyond ASCII', unusual.find(({ id }) => id === first.id)?.value, value)
    for (const wrong of [{}, { ...attributes, nobody_knows: 'x' }]) {
      const credentials = [service.credential({ attributes: wrong })]
      await refused(
        service,
        'attributes that do not match their type',
        service.request('issuing', { credentials }),
      )
    }
  },
  '8 credential validity default': sixMonths,
  '8 credential validity granularity': weeks,
}

export const TRIALS_OF_DISCLOSE: Trials = { ...DISCLOSE, ...CREDENTIALS }
