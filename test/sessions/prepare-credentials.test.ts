/** Requirements of an issuance request beyond its form, before its session starts, and the values that the server adds (spec/interface#2.5,
 *  spec/session-server#6.7). @module */
import * as assert from 'uvu/assert'
import { InvalidRequestError } from '../../protocol/errors.ts'
import { parseCredentialTypeId, parseIssuerId } from '../../protocol/ids.ts'
import type { JsonValue } from '../../protocol/json.ts'
import { PROFILES, type ProfileName } from '../../protocol/profiles.ts'
import { parseSessionRequest } from '../../protocol/request.ts'
import type { CredentialRequest } from '../../protocol/request-members.ts'
import { loadSchemes } from '../../schemes/load.ts'
import type { Schemes } from '../../schemes/types.ts'
import type { LongValues } from '../../sessions/hashed-values.ts'
import { prepareRequest } from '../../sessions/prepare-request.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { acceptFactsOfTest } from './facts-of-test.ts'

const demo = await loadSchemes(DEMO_SCHEMES)
/** both schemes have a keyshare server */
const twoKeyshares: Schemes = {
  ...demo,
  scheme: id => {
    const scheme = demo.scheme(id)
    return scheme && { ...scheme, keyshareServer: 'https://keyshare.example' }
  },
}
const NOW_SEC = Date.UTC(2026, 7, 31, 12) / 1000
const NOTE = { credential: 'svc-demo.fast.note', attributes: { text: 'x' } }
const BALLOT = { credential: 'svc-demo.uni.ballot', attributes: { election: 'e', url: 'u' } }
const MAIL = { credential: 'svc-keyshare.keyshare.mail', attributes: { address: 'a@b.example' } }

type Members = { readonly [name: string]: JsonValue }
type Setting = {
  readonly schemes?: Schemes
  readonly profile?: ProfileName
  readonly nowSec?: number
  readonly canIssueRevocable?: boolean
  readonly longValues?: LongValues
}

function prepared(credentials: Members[], members: Members = {}, setting: Setting = {}): CredentialRequest[] {
  const {
    schemes = demo,
    profile: name = 'svc',
    nowSec = NOW_SEC,
    canIssueRevocable = true,
    ...facts
  } = setting
  const profile = PROFILES[name]
  const context = `${profile.contextBase}/ld/request/issuance/v2`
  const parsed = parseSessionRequest({ '@context': context, credentials, ...members }, profile)
  const options = acceptFactsOfTest({ profile, nowSec, canIssueRevocable: () => canIssueRevocable, ...facts })
  const { request } = prepareRequest(parsed, schemes, options)
  return request.type === 'issuing' ? [...request.credentials] : []
}

/** @returns the reason of the refusal; null if accepted */
function refusal(credentials: Members[], members: Members = {}, setting: Setting = {}): string | null {
  try {
    prepared(credentials, members, setting)
    return null
  } catch (error) {
    if (error instanceof InvalidRequestError) return error.message
    throw error
  }
}

const Prepare = suite('the credentials of an issuance request')

Prepare(
  'the key that signs is the newest private one; the keyCounter of the requestor is ignored (spec/session-server#q10)',
  () => {
    const counters = prepared([BALLOT, { ...NOTE, keyCounter: 9 }]).map(({ keyCounter }) => keyCounter)
    assert.equal(counters, [1, 0])
  },
)

Prepare('without a private key, its public key, or with an expired key, the request is refused', () => {
  const without = (member: Partial<Schemes>): string | null =>
    refusal([NOTE], {}, { schemes: { ...demo, ...member } })
  assert.match(
    without({ latestPrivateKey: () => undefined }) ?? '',
    /^issuer private key not found: svc-demo.fast.note/,
  )
  assert.match(without({ publicKey: () => undefined }) ?? '', /^missing public key of issuer svc-demo.fast/)
  const relic = { credential: 'svc-demo.old.relic', attributes: { value: 'x' } }
  assert.is(refusal([relic]), 'cannot issue using expired public key svc-demo.old-0')
  const expiry = demo.publicKey(parseIssuerId('svc-demo.old'), 0)?.expiresAtSec ?? 0
  assert.is(refusal([relic], {}, { nowSec: expiry }), null)
})

Prepare('required attributes must be given, optional ones may be left out', () => {
  assert.is(
    refusal([
      { credential: 'svc-demo.gov.idcard', attributes: { initials: 'x' } },
      { credential: NOTE.credential },
    ]),
    'Required attributes are missing: svc-demo.gov.idcard.familyname, svc-demo.gov.idcard.over18, svc-demo.gov.idcard.docnumber, svc-demo.fast.note.text',
  )
  assert.is(refusal([NOTE]), null)
})

Prepare('unknown types and attributes are listed, inherited names among them', () => {
  const unknown = (credential: string, attributes: Members = {}): string | null =>
    refusal([{ credential, attributes }])
  assert.is(unknown('svc-demo.gov.nope'), 'Unknown identifiers: svc-demo.gov.nope')
  assert.is(unknown('a.b.c', { d: 'x' }), 'Unknown identifiers: a, a.b, a.b.c')
  assert.is(
    unknown('svc-demo.fast.note', { text: 'x', nope: 'y', toString: 'z' }),
    'Unknown identifiers: svc-demo.fast.note.nope, svc-demo.fast.note.toString',
  )
})

Prepare('a request cannot set values of random blind and revocation attributes', () => {
  const ballot = { ...BALLOT, attributes: { ...BALLOT.attributes, votingnumber: '1' } }
  assert.match(refusal([ballot]) ?? '', /^randomblind attribute cannot be set in credential request/)
  const badge = { credential: 'svc-demo.fast.badge', attributes: { level: '1', '': '1' }, revocationKey: 'k' }
  assert.match(refusal([badge]) ?? '', /^revocation attribute cannot be set in credential request/)
})

Prepare(
  'randomblindIDs has the attribute after each random blind one, and none for the last (spec/session-server#q11)',
  () => {
    const lot = { credential: 'svc-demo.fast.lot', attributes: { draw: 'x' } }
    const known = demo.credentialType(parseCredentialTypeId(lot.credential))?.attributes ?? []
    assert.is(known.at(-1)?.isRandomBlind, true)
    const ids = prepared([{ ...BALLOT, randomblindIDs: ['election'] }, lot]).map(each => each.randomBlindIds)
    assert.equal(ids, [['url'], []])
  },
)

Prepare(
  'a revocable type needs a revocation server, a revocationKey, and an issuer key that supports revocation',
  () => {
    const badge = { credential: 'svc-demo.fast.badge', attributes: { level: '1' }, revocationKey: 'k' }
    const why = 'revocation enabled for svc-demo.fast.badge but'
    assert.is(refusal([badge]), null)
    assert.is(refusal([badge], {}, { canIssueRevocable: false }), `${why} no revocation server configured`)
    for (const revocationKey of ['', null])
      assert.is(refusal([{ ...badge, revocationKey }]), `${why} no revocationKey specified`)
    const publicKey: Schemes['publicKey'] = (issuer, counter) => {
      const { revocation: _, ...key } =
        demo.publicKey(issuer, counter) ?? (assert.unreachable('a key') as never)
      return key
    }
    const schemes = { ...demo, publicKey }
    assert.is(refusal([badge], {}, { schemes }), `${why} key svc-demo.fast-0 does not support it`)
    assert.is(refusal([{ ...NOTE, revocationKey: 'k' }], {}, { canIssueRevocable: false }), null)
  },
)

Prepare('without a validity a credential lasts 6 calendar months; 31 August ends on 3 March', () => {
  const validity = (year: number, month: number, day: number): string => {
    const nowSec = Date.UTC(year, month - 1, day, 12, 34, 56) / 1000
    const [credential] = prepared([NOTE], {}, { nowSec })
    return new Date((credential?.validityAtSec ?? 0) * 1000).toISOString()
  }
  assert.is(validity(2026, 8, 31), '2027-03-03T12:34:56.000Z')
  assert.is(validity(2027, 8, 31), '2028-03-02T12:34:56.000Z')
  assert.is(validity(2026, 8, 28), '2027-02-28T12:34:56.000Z')
  assert.is(validity(2026, 12, 31), '2027-07-01T12:34:56.000Z')
  assert.is(validity(2026, 3, 15), '2026-09-15T12:34:56.000Z')
})

Prepare(
  'a validity must be in the future after rounding down to a week (2.5); 0 does not mean absent',
  () => {
    const asked = (validity: number, nowSec = NOW_SEC): string | null =>
      refusal([{ ...NOTE, validity }], {}, { nowSec })
    const endOfWeek = Math.ceil(NOW_SEC / 604_800) * 604_800
    for (const validity of [0, 1, NOW_SEC - 1, NOW_SEC, NOW_SEC + 5, endOfWeek - 1])
      assert.match(
        asked(validity) ?? '',
        /^cannot issue expired credentials: svc-demo.fast.note/,
        `${validity}`,
      )
    for (const validity of [endOfWeek, endOfWeek + 5]) {
      assert.is(asked(validity), null)
      assert.is(asked(validity, endOfWeek - 1), null)
      assert.match(asked(validity, endOfWeek) ?? '', /^cannot issue expired credentials/)
    }
    assert.is(prepared([{ ...NOTE, validity: endOfWeek + 5 }])[0]?.validityAtSec, endOfWeek + 5)
  },
)

Prepare('a validity may end after the expiry of the key, but its weeks must fit in the metadata', () => {
  const asked = (validity: number): string | null => refusal([{ ...NOTE, validity }])
  const expiry = demo.publicKey(parseIssuerId('svc-demo.fast'), 0)?.expiresAtSec ?? 0
  assert.is(asked(expiry + 1), null)
  const week = 604_800
  const first = Math.floor(NOW_SEC / week) * week
  assert.is(asked(first + 65_536 * week - 1), null)
  assert.match(
    asked(first + 65_536 * week) ?? '',
    /^validity of svc-demo.fast.note: validity in weeks: expected an integer from 0 to 65535, got 65536/,
  )
  assert.match(asked(Number.MAX_SAFE_INTEGER) ?? '', /^validity of svc-demo.fast.note/)
})

Prepare('credentials of several keyshare schemes are refused in profile svc (spec/decisions#d13)', () => {
  const setting = (profile: ProfileName): Setting => ({ schemes: twoKeyshares, profile })
  assert.match(
    refusal([NOTE, MAIL], {}, setting('svc')) ?? '',
    /^issuance: expected at most one scheme with a keyshare server, got svc-demo, svc-keyshare/,
  )
  assert.is(refusal([NOTE, MAIL], {}, setting('irma')), null)
  assert.is(refusal([NOTE, MAIL]), null)
})

Prepare('attributes to disclose count too, unless the user can choose others (spec/decisions#d13)', () => {
  const [here, there] = ['svc-demo.gov.idcard.over18', 'svc-keyshare.keyshare.mail.address']
  const asked = (disclose: string[][][]): string | null =>
    refusal([NOTE], { disclose }, { schemes: twoKeyshares })
  assert.is(asked([[[here]]]), null)
  assert.match(asked([[[here]], [[there]]]) ?? '', /expected at most one scheme/)
  assert.is(asked([[[there], [here]]]), null)
  assert.is(asked([[[there], []]]), null)
  assert.match(asked([[[here, there]]]) ?? '', /expected at most one scheme/)
})

Prepare(
  'long_values: refuse refuses a value whose hash would be signed; the error names only the attribute',
  () => {
    const note = (text: string) => [{ ...NOTE, attributes: { text } }]
    const long = 'a value that is longer than a key'
    assert.is(refusal(note(long)), null)
    assert.is(refusal(note(long.slice(0, 32)), {}, { longValues: 'refuse' }), null)
    assert.is(
      refusal(note(`é${long.slice(0, 30)}`), {}, { longValues: 'refuse' }),
      'attribute svc-demo.fast.note.text: expected a text of at most 255 bits (31 bytes, or one more if it begins with an ASCII character), because long_values is refuse, got 32 bytes',
    )
  },
)

Prepare.run()
