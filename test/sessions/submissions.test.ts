/** Recorded submissions of every type, right and wrong ones, each judged as in the recording or in a decision. @module */
import * as assert from 'uvu/assert'
import { writeJson } from '../../protocol/json.ts'
import { implicitDisclosures } from '../../sessions/implicit-disclosures.ts'
import { suite } from '../suite.ts'
import { judged, recordedAnswer, type Submission, submissions } from './submissions.ts'

/** Our own answers where they differ on purpose, by number of the exchange. */
type Differences = { readonly [n: number]: string }

async function judgedAsRecorded(file: string, differences: Differences = {}): Promise<void> {
  const all = submissions(file)
  assert.ok(all.length > 0)
  for (const submission of all) {
    const { n, note } = submission
    const recorded = recordedAnswer(submission)
    const { told, checked } = await judged(submission)
    assert.is(told, differences[n] ?? recorded, `${file} ${n} ${note}`)
    if (n in differences) assert.not.equal(told, recorded, `${file} ${n} ${note}: no difference`)
    const isIssued = told === 'VALID' && submission.input.extended.request.type === 'issuing'
    assert.is(checked !== null && checked.commitments !== null, isIssued)
    if (!(n in differences)) assertResult(submission, checked?.judgement)
  }
}

/** The disclosed and signed values equal the recorded result; extra attributes have no order. */
function assertResult({ result, n }: Submission, judgement: object = {}): void {
  const { status, disclosed, signature } = Object(result)
  if (status !== 'DONE') return
  const ours = Object(judgement)
  assert.equal(sorted(ours.disclosed), sorted(disclosed), `${n}: disclosed`)
  assert.is(writeJson(ours.signature ?? null), writeJson(signature ?? null), `${n}: signature`)
}

function sorted(disclosed: readonly (readonly { readonly id: string }[] | null)[] = []): unknown {
  return disclosed.map(list => list && [...list].sort((a, b) => (a.id < b.id ? -1 : 1)))
}

const MALFORMED = '400 MALFORMED_INPUT'
const REFUSED_JWT = '403 KEYSHARE_PROOF_MISSING'

const Submissions = suite('recorded submissions')

for (const name of [
  'signature-1024',
  'signature-with-timestamp',
  'legacy-request-signature',
  'version-2.5-signature',
  'version-2.6-signature',
  'version-2.7-signature',
  'issuance-one-credential',
  'issuance-1024',
  'issuance-two-credentials',
  'issuance-optional-omitted',
  'issuance-default-validity',
  'issuance-randomblind',
  'issuance-randomblind-last',
  'pairing-issuance',
  'legacy-request-issuance',
  'version-2.5-issuance',
  'version-2.6-issuance',
  'version-2.7-issuance',
  'combined-disclosure-issuance',
  'combined-two-and-two',
  'disclosure-several-credentials',
])
  Submissions(`${name}: valid, with what was disclosed and signed as recorded`, () =>
    judgedAsRecorded(`transcripts/${name}`),
  )

for (const name of [
  'issuance-2048',
  'issuance-mixed',
  'issuance-two',
  'combined',
  'combined-into-plain',
  'disclosure-mixed',
  'disclosure-1024',
  'disclosure-2048',
  'signature',
])
  Submissions(`keyshare-${name}: valid, with the keyshare server's part`, () =>
    judgedAsRecorded(`keyshare/keyshare-${name}`),
  )

for (const name of [
  'transcripts/revocation-1024',
  'transcripts/revocation-2048',
  'keyshare/keyshare-revocable',
])
  Submissions(`${name}: valid, with the recorded facts about revocation (14.6)`, () => judgedAsRecorded(name))

/** A submission with a proof of non-revocation. */
function proved(name: string): Submission {
  const found = submissions(name).find(({ input }) => input.nonRevocation.sent.size > 0)
  return found ?? (assert.unreachable(`${name}: a proof of non-revocation`) as never)
}

Submissions(
  'a proof about an accumulator older than the one that was sent is INVALID (14.6 rule 2)',
  async () => {
    for (const name of ['transcripts/revocation-1024', 'transcripts/revocation-2048']) {
      const { input, services } = proved(name)
      assert.is((await judged({ input, services })).told, 'VALID')
      const later = [...input.nonRevocation.sent].map(([type, byKey]) => {
        const revoked = [...byKey].map(
          ([counter, each]) => [counter, { ...each, index: each.index + 1 }] as const,
        )
        return [type, new Map(revoked)] as const
      })
      const nonRevocation = { ...input.nonRevocation, sent: new Map(later) }
      assert.is((await judged({ input: { ...input, nonRevocation }, services })).told, 'INVALID')
    }
  },
)

Submissions('a proof of non-revocation that is left out or changed is INVALID (14.6 rule 1)', async () => {
  const { input, services } = proved('transcripts/revocation-1024')
  const message = JSON.parse(input.body)
  const [{ nonrev_proof: nonrev, ...bare }] = message.proofs
  const told = async (changed: object): Promise<string> => {
    const body = JSON.stringify({ ...message, proofs: [{ ...bare, ...changed }] })
    return (await judged({ input: { ...input, body }, services })).told
  }
  assert.is(await told({ nonrev_proof: nonrev }), 'VALID')
  assert.is(await told({}), 'INVALID')
  assert.is(await told({ nonrev_proof: { ...nonrev, C_r: nonrev.C_u } }), 'INVALID')
  assert.is(await told({ nonrev_proof: {} }), '400 MALFORMED_INPUT')
})

Submissions('every changed signed message gets its proof status, and the result contains the message', () =>
  judgedAsRecorded('transcripts/invalid-signatures'),
)

Submissions(
  'every changed commitment message is refused, with INVALID if the version has a proof status (spec/decisions#d23)',
  () =>
    judgedAsRecorded('transcripts/invalid-commitments', {
      ...Object.fromEntries([7, 11, 15, 19, 23, 27, 39, 51, 63].map(n => [n, 'INVALID'])),
      59: 'MISSING_ATTRIBUTES',
      ...Object.fromEntries([31, 35, 55].map(n => [n, MALFORMED])),
    }),
)

Submissions(
  'every wrong JWT of a keyshare server is refused, also another algorithm or subject; kid may be a number',
  () =>
    judgedAsRecorded('keyshare/keyshare-issuer-errors', {
      51: REFUSED_JWT,
      55: REFUSED_JWT,
      75: MALFORMED,
      79: MALFORMED,
      ...Object.fromEntries([83, 91, 95, 99].map(n => [n, 'INVALID'])),
      87: REFUSED_JWT,
    }),
)

Submissions(
  'two keys of one keyshare scheme in one issuance are INVALID, because the JWT is for one of them',
  () => judgedAsRecorded('keyshare/keyshare-issuance-two-keys', { 11: 'INVALID' }),
)

Submissions(
  'every proof status; attributes of two instances of one type are MISSING_ATTRIBUTES (spec/interface#2.4 rule 3)',
  () =>
    judgedAsRecorded('transcripts/proof-status', {
      37: 'MISSING_ATTRIBUTES',
      68: 'EXPIRED',
      72: 'MISSING_ATTRIBUTES',
    }),
)

for (const version of ['2.5', '2.6'])
  Submissions(
    `below version 2.7 an invalid issuance is a remote error, as recorded (spec/decisions#d23): ${version}`,
    async () => {
      const [major = 2, minor = 0] = version.split('.').map(Number)
      const told = async (file: string, n: number): Promise<string> => {
        const found = submissions(file).find(each => each.n === n)
        if (found === undefined) throw new Error(`${file}: no exchange ${n}`)
        return (await judged({ ...found, input: { ...found.input, protocolVersion: { major, minor } } })).told
      }
      assert.is(await told('transcripts/invalid-commitments', 7), '400 INVALID_PROOFS')
      assert.is(await told('transcripts/invalid-commitments', 59), '400 INVALID_PROOFS')
      assert.is(await told('transcripts/proof-status', 68), '400 ATTRIBUTES_EXPIRED')
      assert.is(await told('transcripts/proof-status', 72), '400 INVALID_PROOFS')
      assert.is(await told('transcripts/invalid-commitments', 3), 'VALID')
    },
  )

Submissions(
  'a chain: each session, of every type, discloses again the attributes of earlier sessions',
  async () => {
    const [first, second, third] = submissions('transcripts/chained-three')
    if (first === undefined || second === undefined || third === undefined) throw new Error('expected three')
    const after = async (parent: Submission, child: Submission): Promise<Submission> => {
      const { checked } = await judged(parent)
      const implicitDisclose = implicitDisclosures(checked?.judgement.disclosed)
      return { ...child, input: { ...child.input, extended: { ...child.input.extended, implicitDisclose } } }
    }
    const asSecond = await after(first, second)
    const asThird = await after(asSecond, third)
    for (const submission of [first, asSecond, asThird]) {
      const { told, checked } = await judged(submission)
      assert.is(told, 'VALID')
      assertResult(submission, checked?.judgement)
    }
    const stranger = await judged({
      ...asThird,
      input: { ...asThird.input, body: '{"proofs":[],"indices":[]}' },
    })
    assert.is(stranger.told, 'MISSING_ATTRIBUTES')
  },
)

Submissions.run()
