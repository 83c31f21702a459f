/** The types of results follow the request, and `attributes` reads a valid result. */
import * as assert from 'uvu/assert'
import {
  attributes,
  type DisclosedAttribute,
  type Requestor,
  type SessionResult,
  type ValidResult,
} from '../../libraries/client.ts'
import { suite } from '../suite.ts'

const DISCLOSURE = 'https://svc.example/ld/request/disclosure/v2'
const ID = 'svc-demo.gov.idcard.over18'
type Is<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

/** If the compiler finds another type in one of these lines, `npm run check` fails there. */
export async function modern(requestor: Requestor): Promise<readonly unknown[]> {
  const { token } = await requestor.start({
    '@context': DISCLOSURE,
    disclose: [
      [[ID]],
      [['a.b.e.f', { type: 'a.b.e.g', notNull: true }], []],
      [['x.y.z.q'], ['x.y.z.r', { type: 'x.y.z.s', value: 'yes' }]],
    ],
  })
  const result = await requestor.result(token)
  // @ts-expect-error a result that was not checked need not have attributes
  result.disclosed[0]
  if (result.status !== 'DONE' || result.proofStatus !== 'VALID') return []
  const { disclosed } = result
  const values = attributes(result)
  // @ts-expect-error an attribute that was not requested
  values['a.b.e.h']
  // @ts-expect-error the first conjunction has one attribute
  disclosed[0][1]
  // @ts-expect-error this disjunction is optional
  disclosed[1][0]
  return [
    disclosed[0][0].rawvalue satisfies string | null,
    true satisfies Is<(typeof disclosed)[0][0]['id'], typeof ID>,
    disclosed[1]?.[0]?.id satisfies 'a.b.e.f' | undefined,
    disclosed[1]?.[1]?.rawvalue satisfies string | undefined,
    disclosed[2][0].id satisfies 'x.y.z.q' | 'x.y.z.r',
    disclosed[2].length === 2 && (disclosed[2][1].rawvalue satisfies 'yes'),
    disclosed[3]?.[0]?.status,
    true satisfies Is<(typeof values)[typeof ID], string | null>,
    true satisfies Is<(typeof values)['a.b.e.g'], string | undefined>,
    true satisfies Is<(typeof values)['x.y.z.q'], string | null | undefined>,
    result satisfies SessionResult,
  ]
}

export async function legacy(requestor: Requestor): Promise<readonly unknown[]> {
  const { token } = await requestor.start({
    type: 'disclosing',
    content: [
      { label: 'one of two', attributes: ['a.b.c.d', 'a.b.c.e'] },
      { attributes: [ID] },
      { attributes: { 'a.b.c.g': 'yes' } },
    ],
  })
  const result = await requestor.result(token)
  if (result.status !== 'DONE' || result.proofStatus !== 'VALID') return []
  const { disclosed } = result
  const values = attributes(result)
  return [
    true satisfies Is<(typeof disclosed)[0]['id'], 'a.b.c.d' | 'a.b.c.e'>,
    disclosed[2].rawvalue satisfies 'yes',
    true satisfies Is<(typeof values)[typeof ID], string | null>,
    true satisfies Is<(typeof values)['a.b.c.e'], string | null | undefined>,
  ]
}

export async function others(requestor: Requestor): Promise<readonly unknown[]> {
  const request = { '@context': DISCLOSURE, disclose: [[[ID]]] } as const
  const extended = await requestor.start({ request, callbackUrl: 'https://shop.example/answer' })
  const signing = { '@context': 'https://svc.example/ld/request/signature/v2', message: 'yes' } as const
  const signature = await requestor.result((await requestor.start({ ...signing, disclose: [[[ID]]] })).token)
  const nothing = await requestor.result((await requestor.start(signing)).token)
  const unknown = await requestor.result('a stored token')
  // @ts-expect-error a member that no server knows
  await requestor.start({ ...request, hosts: 'shop.example' })
  // @ts-expect-error an option beside the request instead of around it
  await requestor.start({ ...request, callbackUrl: 'https://shop.example' })
  return [
    valid(await requestor.result(extended.token)).disclosed[0][0].rawvalue,
    valid(await requestor.result<typeof request>('a stored token')).disclosed[0][0].rawvalue,
    valid(signature).disclosed[0][0].rawvalue,
    // @ts-expect-error the request asks for no attributes
    valid(nothing).disclosed[0],
    attributes(valid(unknown))[ID] satisfies string | null | undefined,
  ]
}

function valid<R extends SessionResult>(result: R): Extract<R, { readonly proofStatus: 'VALID' }> {
  return result as Extract<R, { readonly proofStatus: 'VALID' }> // for types alone
}

const attribute = (id: typeof ID | 'a.b.c.d', rawvalue: string, status: 'PRESENT' | 'EXTRA' = 'PRESENT') =>
  ({ id, rawvalue, value: { '': rawvalue, en: rawvalue, nl: rawvalue }, status, issuancetime: 0 }) as const
const DONE = { token: 'secret', status: 'DONE', type: 'disclosing', proofStatus: 'VALID' } as const

const Results = suite('attributes of a result')

Results('are the requested values by identifier, and null without a value', () => {
  const none: DisclosedAttribute = { ...attribute(ID, ''), rawvalue: null, value: null, status: 'NULL' }
  const result: ValidResult = { ...DONE, disclosed: [[none], null, [attribute('a.b.c.d', 'x')]] }
  assert.equal(attributes(result), { [ID]: null, 'a.b.c.d': 'x' })
  assert.equal(attributes(DONE), {})
})

Results('are the same in the form without conjunctions', () => {
  assert.equal(attributes({ ...DONE, disclosed: [attribute(ID, 'yes'), attribute('a.b.c.d', 'x')] }), {
    [ID]: 'yes',
    'a.b.c.d': 'x',
  })
})

Results('are those of the request: neither an extra attribute nor a second one replaces them', () => {
  const lists = [[attribute(ID, 'yes')], [attribute(ID, 'no')], [attribute('a.b.c.d', 'x', 'EXTRA')]]
  assert.equal(attributes({ ...DONE, disclosed: lists }), { [ID]: 'yes' })
})

Results('are not read from a result that is not valid', () => {
  for (const wrong of [{ status: 'CONNECTED' }, { proofStatus: 'EXPIRED' }, { proofStatus: undefined }]) {
    const result = { ...DONE, ...wrong, disclosed: [[attribute(ID, 'yes')]] } as unknown as ValidResult // as a program without types passes it
    assert.throws(() => attributes(result), /expected the status DONE/)
  }
})

Results.run()
