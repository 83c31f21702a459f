/** Any body gives a remote error or a judgement, never another exception, and never VALID for a changed proof. `test/fuzz/` tries the parsers alone. @module */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { parseCommitmentMessage } from '../../protocol/commitment-message.ts'
import { parseDisclosureMessage } from '../../protocol/disclosure-message.ts'
import { RemoteError } from '../../protocol/errors.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { parseSessionRequestText } from '../../protocol/request.ts'
import { parseSignedMessage } from '../../protocol/signed-message.ts'
import { prepareRequest } from '../../sessions/prepare-request.ts'
import { bodyText, transcript } from '../protocol/recorded.ts'
import { suite } from '../suite.ts'
import { acceptFactsOfTest } from './facts-of-test.ts'
import { judged, onlySubmission, schemes } from './submissions.ts'

const { irma } = PROFILES

/** Replaces, removes or duplicates one node of the JSON text. */
function mutated(text: string): fc.Arbitrary<string> {
  const odd = fc.constantFrom(
    null,
    0,
    -1,
    1.5,
    1e300,
    true,
    '',
    'AQ==',
    'x',
    [],
    {},
    [[]],
    { '1': '' },
    257,
    '__proto__',
  )
  const action = fc.oneof(odd, fc.jsonValue({ maxDepth: 3 }))
  return fc.tuple(fc.nat(), action, fc.boolean()).map(([at, value, isRemoved]) => {
    let count = at % nodes(JSON.parse(text))
    return JSON.stringify(
      JSON.parse(text, (_, node) => {
        if (count-- !== 0) return node
        return isRemoved ? undefined : value
      }) ?? null,
    )
  })
}

function nodes(json: unknown): number {
  if (typeof json !== 'object' || json === null) return 1
  return Object.values(json).reduce((sum: number, child) => sum + nodes(child), 1)
}

const MESSAGES = [
  ['a disclosure message', 'transcripts/disclosure-1024', parseDisclosureMessage],
  ['a signed message', 'transcripts/signature-1024', parseSignedMessage],
  ['a commitment message', 'transcripts/issuance-randomblind-last', parseCommitmentMessage],
  ['a commitment message after a disclosure', 'transcripts/combined-two-and-two', parseCommitmentMessage],
  [
    "a commitment message with a keyshare server's part",
    'keyshare/keyshare-combined',
    parseCommitmentMessage,
  ],
] as const

const Mutations = suite('changed and broken input')

for (const [what, file, parse] of MESSAGES)
  Mutations(`${what} with a change is judged or refused, and VALID only with the same proofs`, async () => {
    const { input, services } = onlySubmission(file)
    const toldOf = async (body: string): Promise<string> =>
      (await judged({ input: { ...input, body }, services })).told
    assert.is(await toldOf(input.body), 'VALID')
    const { proofs } = parse(input.body)
    await fc.assert(
      fc.asyncProperty(mutated(input.body), async text => {
        if ((await toldOf(text)) === 'VALID') assert.equal(parse(text).proofs, proofs)
      }),
      { numRuns: 300 },
    )
  })

Mutations('a session request with a change is accepted or refused', () => {
  const bodies = [
    'disclosure-labels-and-options',
    'legacy-request-disclosure-values',
    'disclosure-value-constrained',
    'issuance-randomblind',
    'combined-two-and-two',
    'signature-with-timestamp',
  ]
    .map(name => transcript(name, 'irma').exchanges[0])
    .map(exchange => bodyText(exchange?.request ?? {}))
  for (const body of bodies)
    fc.assert(
      fc.property(mutated(body), text => {
        refusesOrAccepts(() => {
          const extended = parseSessionRequestText(text, irma)
          const facts = { profile: irma, augmentAllowed: true, canIssueRevocable: () => true }
          prepareRequest(extended, schemes, acceptFactsOfTest(facts))
        })
      }),
      { numRuns: 300 },
    )
})

function refusesOrAccepts(parse: () => unknown): void {
  try {
    parse()
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
  }
}

Mutations.run()
