/** Permissions (spec/interface#5.1 rule 2, spec/decisions#d9): the allowed requests of a requestor, and the allowed hosts. @module */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { UnauthorizedError } from '../../protocol/errors.ts'
import { PROFILES, type Profile } from '../../protocol/profiles.ts'
import { type ExtendedRequest, parseSessionRequest } from '../../protocol/request.ts'
import { matchesGlob } from '../../sessions/glob.ts'
import { checkPermissions, type Permissions } from '../../sessions/permissions.ts'
import { suite } from '../suite.ts'

const OVER18 = 'svc-demo.gov.idcard.over18'
const CITY = 'svc-demo.gov.address.city'
const NONE: Permissions = { disclosePerms: [], signPerms: [], issuePerms: [], revokePerms: [], hostPerms: [] }
const ALL: Permissions = {
  disclosePerms: ['*'],
  signPerms: ['*'],
  issuePerms: ['*'],
  revokePerms: [],
  hostPerms: [],
}

type Members = { readonly [name: string]: string | readonly object[] | readonly (readonly string[][])[] }

function request(type: 'disclosure' | 'signature' | 'issuance', members: Members = {}): ExtendedRequest {
  const disclose = type === 'disclosure' ? [[[OVER18]]] : []
  const json = { '@context': `https://svc.example/ld/request/${type}/v2`, disclose, ...members }
  return parseSessionRequest(JSON.parse(JSON.stringify(json)), PROFILES.svc)
}

/** @returns the reason of the refusal; null if allowed */
function refusal(
  asked: ExtendedRequest,
  own: Partial<Permissions>,
  globals: Partial<Permissions> = {},
  profile: Profile = PROFILES.svc,
): string | null {
  try {
    const server = { globals: { ...NONE, ...globals }, urlHost: 'id.example:8443', profile }
    checkPermissions(asked, { name: 'shop', ...NONE, ...own }, server)
    return null
  } catch (error) {
    if (error instanceof UnauthorizedError) return error.message
    throw error
  }
}

const Attributes = suite('permissions to disclose, sign and issue')

Attributes('a pattern is an identifier, or its first parts followed by a star', () => {
  for (const pattern of ['*', 'svc-demo.*', 'svc-demo.gov.*', 'svc-demo.gov.idcard.*', OVER18])
    assert.is(refusal(request('disclosure'), { disclosePerms: [pattern] }), null, pattern)
  const others = [
    '',
    'svc-demo',
    'svc-demo.gov.idcard',
    'svc-*',
    'svc-demo.gov.id*',
    'svc-demo.*.idcard.over18',
    `${OVER18}.*`,
  ]
  for (const pattern of [...others, '**', '*.*', 'svc-demo.gov.idcard.over1?', 'SVC-DEMO.*'])
    assert.is(refusal(request('disclosure'), { disclosePerms: [pattern] }), OVER18, pattern)
})

Attributes(
  'every attribute of every inner conjunction is checked, and the first forbidden one is named',
  () => {
    const disclose = [[[OVER18]], [[OVER18], [OVER18, CITY]]]
    const own = { disclosePerms: ['svc-demo.gov.idcard.*'] }
    assert.is(refusal(request('disclosure', { disclose }), own), CITY)
    assert.is(refusal(request('disclosure', { disclose }), own, { disclosePerms: [CITY] }), null)
  },
)

Attributes('the credential itself is covered by the pattern of its attributes', () => {
  const asked = request('disclosure', { disclose: [[['svc-demo.gov.idcard']]] })
  for (const pattern of ['*', 'svc-demo.gov.*', 'svc-demo.gov.idcard.*'])
    assert.is(refusal(asked, { disclosePerms: [pattern] }), null)
  for (const pattern of ['svc-demo.gov.idcard', OVER18, 'svc-demo.gov.address.*'])
    assert.is(refusal(asked, { disclosePerms: [pattern] }), 'svc-demo.gov.idcard')
})

Attributes('attributes in a signature need permission to sign, in other sessions to disclose', () => {
  const signature = request('signature', { message: 'm', disclose: [[[OVER18]]] })
  assert.is(refusal(signature, { disclosePerms: ['*'] }), OVER18)
  assert.is(refusal(signature, { signPerms: ['*'] }), null)
  const credentials = [{ credential: 'svc-demo.gov.idcard', attributes: {} }]
  const combined = request('issuance', { credentials, disclose: [[[CITY]]] })
  assert.is(refusal(combined, { issuePerms: ['*'], signPerms: ['*'] }), CITY)
  assert.is(refusal(combined, { issuePerms: ['*'], disclosePerms: ['*'] }), null)
})

Attributes('issuing is checked first, by credential type', () => {
  const credentials = [{ credential: 'svc-demo.fast.note' }, { credential: 'svc-demo.gov.idcard' }]
  const asked = request('issuance', { credentials, disclose: [[[CITY]]] })
  for (const pattern of ['svc-demo.fast.*', 'svc-demo.fast.note'])
    assert.is(
      refusal(asked, { issuePerms: [pattern] }),
      "No issuer permissions configured for credential 'svc-demo.gov.idcard'",
    )
  assert.is(refusal(asked, { issuePerms: ['svc-demo.gov.idcard'] }, ALL), null)
})

Attributes('a request without attributes needs no permission', () => {
  assert.is(refusal(request('signature', { message: 'm' }), {}), null)
})

Attributes.run()

const Hosts = suite('permissions of hosts')

const { svc, irma } = PROFILES

function hostRefusal(
  host: string,
  own: readonly string[],
  global: readonly string[] = [],
  profile: Profile = irma,
): string | null {
  const asked = request('disclosure', { host })
  return refusal(asked, { ...ALL, hostPerms: own }, { hostPerms: global }, profile)
}

const NOT_ALLOWED =
  'requestor not allowed to use the requested host: expected that of "url", because there are no host_perms, got '
const NOT_MATCHED =
  'requestor not allowed to use the requested host: expected one that its host_perms or those of the server match, got '

Hosts('without patterns only the host of the server URL is allowed, in profile irma with its port', () => {
  assert.is(hostRefusal('', []), null)
  assert.is(hostRefusal('id.example:8443', []), null)
  for (const host of ['id.example', 'id.example:443', 'ID.example:8443', 'other.example'])
    assert.is(hostRefusal(host, []), `${NOT_ALLOWED}"${host}"`)
  assert.is(hostRefusal('a'.repeat(81), []), `${NOT_ALLOWED}"${'a'.repeat(80)}"`)
})

Hosts(
  'in profile svc host names are compared without port, in profile irma with it (spec/interface#2.3, #5.1)',
  () => {
    for (const [host, patterns] of [
      ['id.example', []],
      ['id.example:443', []],
      ['', ['id.example']],
      ['', ['id.example:9']],
      ['a.example:81', ['a.example', 'b.example']],
      ['a.example', ['a.example:8443']],
      ['a.example', ['*.example:*']],
      ['[::1]:81', ['\\[::1\\]']],
      ['[::1]', ['\\[::1\\]:81']],
    ] as const) {
      assert.is(hostRefusal(host, patterns, [], svc), null, `${host} ${patterns}`)
      assert.match(hostRefusal(host, patterns) ?? '', /^requestor not allowed/, `${host} ${patterns}`)
    }
    for (const [host, patterns] of [
      ['other.example:8443', []],
      ['a.example:81', ['b.example:81']],
      ['[::2]', ['\\[::1\\]:81']],
      ['a.example', ['*']],
    ] as const)
      assert.is(hostRefusal(host, patterns, [], svc) === null, hostRefusal(host, patterns) === null, host)
  },
)

Hosts('with patterns the default host is allowed only if one of them matches', () => {
  assert.is(
    hostRefusal('', ['*.shop.example']),
    `${NOT_MATCHED}"id.example:8443", that of "url", because the request names none`,
  )
  assert.is(hostRefusal('', ['*.shop.example', 'id.example:*']), null)
  assert.is(hostRefusal('a.b.shop.example', ['*.shop.example']), null)
  assert.is(hostRefusal('shop.example', ['*.shop.example']), `${NOT_MATCHED}"shop.example"`)
})

Hosts('patterns of the server count for every requestor (spec/decisions#d9)', () => {
  assert.is(hostRefusal('x.example', [], ['x.example']), null)
  assert.is(hostRefusal('x.example', ['y.example'], ['x.example']), null)
  assert.is(hostRefusal('y.example', ['y.example'], ['x.example']), null)
})

Hosts('globs have stars, question marks, classes and escapes; a broken glob matches nothing', () => {
  const matching = [
    ['a.example', '*'],
    ['', '*'],
    ['a.example', '?.example'],
    ['a.example', '[a-c].example'],
    ['d.example', '[^a-c].example'],
    ['-', '[a\\-]'],
    ['a*b', 'a\\*b'],
    ['aXbXc', 'a*b*c'],
    ['abab', '*ab'],
    ['aab', 'a*ab'],
    [']', '\\]'],
  ]
  const others = [
    ['a/b', '*'],
    ['a/b', 'a?b'],
    ['axb', 'a\\*b'],
    ['ab.example', '?.example'],
    ['d.example', '[a-c].example'],
    ['a.example', '[b-c].example'],
    ['a', '[a'],
    ['[a', '[a'],
    ['a', '[]'],
    ['a', 'a\\'],
    ['a.example', 'A.example'],
    ['aXexample', 'a.example'],
    ['', '?'],
  ]
  for (const [text = '', pattern = ''] of matching)
    assert.ok(matchesGlob(text, pattern), `${text} ${pattern}`)
  for (const [text = '', pattern = ''] of others) assert.not(matchesGlob(text, pattern), `${text} ${pattern}`)
})

Hosts('globs of stars and question marks match what the regular expression matches', () => {
  const letter = fc.constantFrom('a', 'b', '.')
  const pattern = fc
    .array(fc.constantFrom('a', 'b', '.', '*', '?'), { maxLength: 8 })
    .map(list => list.join(''))
  const text = fc.array(letter, { maxLength: 10 }).map(list => list.join(''))
  fc.assert(
    fc.property(text, pattern, (host, glob) => {
      const source = glob.replaceAll('.', '\\.').replaceAll('?', '.').replaceAll('*', '.*')
      assert.is(matchesGlob(host, glob), new RegExp(`^${source}$`).test(host))
    }),
    { numRuns: 2000 },
  )
})

Hosts.run()
