/** Requested and issued attributes (spec/interface#2.4, #2.5). @module */
import { attributeNameOf } from '../../../protocol/ids.ts'
import { expectEqual, expectError, expectSame, expectThat, NotTriedError } from '../expect.ts'
import { at, listOf, put } from '../json.ts'
import { callOf, type Service, wordsOf } from '../service.ts'
import { twoTypes } from '../subject.ts'
import type { Trials } from './trial.ts'

const WEEK_SEC = 604_800
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
}

const DISCLOSE: Trials = {
  async '2.4 structure'(service) {
    const { id } = service.subject.attribute
    const { ids } = await asked(service, [[[{ type: id, value: NOBODY_HAS_THIS }], [id]], [[id]]])
    expectEqual('an answer to each outer item, by one inner conjunction of it', ids, [[id], [id]])
    await refused(service, 'a list too few', service.disclosure({ disclose: [[id]] }))
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
    const { ids } = await asked(service, [[[attribute.id, { type: other.id, value: other.value }]]])
    expectEqual('what is disclosed', ids, [[attribute.id, other.id]])
  },
  async '2.4 types'(service) {
    const { id } = service.subject.attribute
    for (const wrong of [`${id}-nothing`, id.replace(/^[^.]+/, 'nobody-knows')])
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

/** @returns the new credential in the wallet */
async function issued(service: Service, members: object) {
  const played = await playedIssuance(service, members)
  expectThat(played.outcome.status === 'success', 'a credential that is issued', wordsOf(played))
  const credential = service.wallet.credentials().at(-1)
  expectThat(credential !== undefined, 'a credential in the wallet', 'none')
  return credential
}

async function sixMonths(service: Service): Promise<void> {
  const { expiresAtSec } = await issued(service, {})
  const inWeeks = (expiresAtSec - service.clock.wallNow() / 1_000) / WEEK_SEC
  const isSo = inWeeks > 24.5 && inWeeks < 26.5
  expectThat(isSo, 'a validity of six months, rounded down to a week', `${inWeeks.toFixed(1)} weeks`)
}

async function weeks(service: Service): Promise<void> {
  const validity = Math.floor(service.clock.wallNow() / 1_000) + 10 * WEEK_SEC
  const rounded = validity - (validity % WEEK_SEC)
  const { expiresAtSec } = await issued(service, { validity })
  expectEqual('expiry, rounded down to a week', expiresAtSec, rounded)
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
  },
  async '2.5 validity'(service) {
    await weeks(service)
    await sixMonths(service)
    const credentials = [service.credential({ validity: 1 })]
    await refused(service, 'a validity in the past', service.request('issuing', { credentials }))
  },
  async '2.5 attributes'(service) {
    const { attributes, first } = service.offered()
    const got = (await issued(service, {})).attributes.find(({ id }) => id === first.id)
    expectSame('the value that was asked for', got?.value, first.value)
    for (const wrong of [{}, { ...attributes, nobody_knows: 'x' }]) {
      const credentials = [service.credential({ attributes: wrong })]
      await refused(service, 'attributes that do not fit', service.request('issuing', { credentials }))
    }
  },
  '8 credential validity default': sixMonths,
  '8 credential validity granularity': weeks,
}

export const TRIALS_OF_DISCLOSE: Trials = { ...DISCLOSE, ...CREDENTIALS }
