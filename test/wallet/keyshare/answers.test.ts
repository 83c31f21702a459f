/** Answers of a keyshare server that a wallet rejects, and sessions that it does not join (spec/keyshare-server#6.4, #17.2, #17.4; spec/interface#4.6 rule 5). @module */
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { signAuthentication, signProof } from '../../../accounts/server-jwts.ts'
import type { KeyshareProof } from '../../../crypto/keyshare/merge.ts'
import { answerSession } from '../../../libraries/wallet/session.ts'
import { readProofP } from '../../../protocol/keyshare/answers.ts'
import { PROJECT } from '../../project.ts'
import { suite } from '../../suite.ts'
import { assertFailed } from '../play.ts'
import { type Answer, reply, signer } from './fake-keyshare.ts'
import { LOGIN, LOYALTY, MAIL, PIN, registeredWallet, renew, startWorld, typing } from './registered.ts'

const world = await startWorld()
const { askedPaths, depsOf, keyshare, sessions, nowSec } = world
const wallet = await registeredWallet(world)

const START = '/users/verify_start'
const LOG_IN = '/users/verify/pin_challengeresponse'
const GET_PS = '/api/v2/prove/getPs'
const [COMMIT, RESPOND] = ['/api/v2/prove/getCommitments', '/api/v2/prove/getResponse']
/** The same in the first version. */
const [COMMIT_1, RESPOND_1] = ['/prove/getCommitments', '/prove/getResponse']
const USER_NAME = [[[`${LOGIN}.username`]]]
const KEY = 'svc-keyshare.keyshare-0'
/** A different key from the one that the scheme publishes under this number. */
const otherKey = createPrivateKey(readFileSync(join(PROJECT, 'test/vectors/keys/kss-1.private.pem')))
const forger = { ...signer, privateKey: otherKey }

const Answers = suite('answers of a keyshare server')
Answers.before.each(() => {
  renew(world)
  keyshare.hasSecondVersion = true
  wallet.tokens.clear()
})
Answers.after(async () => {
  await wallet.close()
  await world.close()
})

async function issue() {
  askedPaths()
  const session = await sessions.create('issuing', { credentials: [MAIL] })
  const outcome = await answerSession(depsOf(wallet), session.pointer, typing(PIN))
  assert.is((await session.result()).status, 'CANCELLED')
  return { outcome, asked: askedPaths() }
}

/** The right answer with some members changed. */
function changed(change: (body: { [name: string]: unknown }) => object): Answer {
  return async own => reply(change(JSON.parse((await own()).body)))
}

async function token(validitySec: number, by = signer): Promise<string> {
  return signAuthentication(new Uint8Array(32), { nowSec: nowSec(), validitySec }, by)
}

/** The proof in a right response. */
function proofIn({ body }: { readonly body: string }): KeyshareProof {
  const claims = JSON.parse(Buffer.from(body.split('.')[1] ?? '', 'base64url').toString())
  return readProofP(claims.ProofP)
}

const PROOF = { P: 2n, c: 3n, sResponse: 4n }
const PROOF_2 = { ...PROOF, P: null }
const WRONG: readonly (readonly [what: string, path: string, answer: Answer, message: RegExp])[] = [
  [
    'another login method',
    START,
    changed(body => ({ ...body, candidates: ['pin'] })),
    /expected pin_challengeresponse/,
  ],
  [
    'an unknown status of a PIN',
    LOG_IN,
    () => reply({ status: 'succes', message: '' }),
    /expected success, or failure/,
  ],
  [
    'tries that are no number',
    LOG_IN,
    () => reply({ status: 'failure', message: 'two' }),
    /a decimal number/,
  ],
  ['a token that is no JWT', LOG_IN, () => reply({ status: 'success', message: 'x' }), /signed with RS256/],
  [
    'a token of another key',
    LOG_IN,
    async () => reply({ status: 'success', message: await token(900, forger) }),
    /signed with RS256/,
  ],
  [
    'a token with an unknown key number',
    LOG_IN,
    async () => reply({ status: 'success', message: await token(900, { ...signer, kid: 9 }) }),
    /the number of one of its keys/,
  ],
  [
    'a token that expires within a minute',
    LOG_IN,
    async () => reply({ status: 'success', message: await token(58) }),
    /an exp at least 60 s ahead/,
  ],
  [
    'no P for the key that issues',
    GET_PS,
    changed(() => ({ ps: { 'svc-keyshare.shop-0': 'Ag==' } })),
    /expected a P of svc/,
  ],
  [
    'another P than at the first time',
    GET_PS,
    changed(() => ({ ps: { [KEY]: 'Ag==' } })),
    /the same P of svc-keyshare.keyshare-0 twice/,
  ],
  ['a P that is no number', GET_PS, changed(() => ({ ps: { [KEY]: 'Ag' } })), /ps/],
  [
    'a response of another key',
    RESPOND,
    async () => reply(await signProof(PROOF, nowSec(), forger)),
    /signed with RS256/,
  ],
  [
    'a response to another challenge',
    RESPOND,
    async () => reply(await signProof(PROOF_2, nowSec(), signer)),
    /an answer without P to this challenge/,
  ],
  [
    'a response to another challenge, in the first version',
    RESPOND_1,
    async () => reply(await signProof(PROOF, nowSec(), signer)),
    /an answer with P to this challenge/,
  ],
  [
    'a response with P',
    RESPOND,
    async own => reply(await signProof({ ...proofIn(await own()), P: 2n }, nowSec(), signer)),
    /an answer without P to this challenge/,
  ],
  [
    'a response without P, in the first version',
    RESPOND_1,
    async own => reply(await signProof({ ...proofIn(await own()), P: null }, nowSec(), signer)),
    /an answer with P to this challenge/,
  ],
  ['a login token instead of a response', RESPOND, async () => reply(await token(900)), /expected a ProofP/],
]

for (const [what, path, answer, message] of WRONG)
  Answers(`${what} is rejected, and the session is cancelled`, async () => {
    const isTwice = /twice/.test(message.source)
    keyshare.hasSecondVersion = path !== RESPOND_1 && !isTwice
    keyshare.instead(path, answer)
    const { outcome, asked } = await issue()
    assertFailed(outcome, 'malformed-answer', message)
    assert.is([...new Set(asked)].at(-1), isTwice ? COMMIT_1 : path)
  })

const LARGE = `/${'/'.repeat(403)}`
for (const [what, c, version = 2] of [
  ['lack a key', {}],
  ['hold zero', { [KEY]: '' }],
  ['are larger than the modulus', { [KEY]: LARGE }],
  ['lack a key, in the first version', {}, 1],
  ['hold zero, in the first version', { [KEY]: { P: 'Ag==', Pcommit: '' } }, 1],
  ['are larger than the modulus, in the first version', { [KEY]: { P: 'Ag==', Pcommit: LARGE } }, 1],
] as const)
  Answers(`commitments that ${what} are rejected`, async () => {
    keyshare.hasSecondVersion = version === 2
    keyshare.instead(version === 2 ? COMMIT : COMMIT_1, () => reply({ c }))
    const session = await sessions.create('disclosing', { disclose: USER_NAME })
    askedPaths()
    const outcome = await answerSession(depsOf(wallet), session.pointer, typing(PIN))
    assertFailed(outcome, 'malformed-answer', /expected commitments for svc-keyshare.keyshare-0/)
    assert.not.ok(askedPaths().some(asked => asked === RESPOND || asked === RESPOND_1))
  })

Answers(
  'a signature with another key of the keyshare server is accepted under the number of that key',
  async () => {
    const second = { ...signer, kid: 1, privateKey: otherKey }
    keyshare.instead(LOG_IN, async () => reply({ status: 'success', message: await token(900, second) }))
    keyshare.instead(RESPOND, async own => reply(await signProof(proofIn(await own()), nowSec(), second)))
    const session = await sessions.create('issuing', { credentials: [MAIL] })
    assert.is((await answerSession(depsOf(wallet), session.pointer, typing(PIN))).status, 'success')
  },
)

Answers('the error "0" at a login counts as a wrong PIN, and not as a block', async () => {
  keyshare.instead(LOG_IN, () => reply({ status: 'error', message: '0' }))
  const handlers = typing('54321', PIN)
  const session = await sessions.create('disclosing', { disclose: USER_NAME })
  assert.is((await answerSession(depsOf(wallet), session.pointer, handlers)).status, 'success')
  assert.equal(handlers.asked, [null, 0])
})

Answers('an offer under two issuer keys with a keyshare server is unsupported', async () => {
  const session = await sessions.create('issuing', { credentials: [MAIL, LOYALTY] })
  askedPaths()
  const outcome = await answerSession(depsOf(wallet), session.pointer, typing(PIN))
  assertFailed(outcome, 'unsupported', /one issuer key with a keyshare server, got several/)
  assert.equal(askedPaths(), [])
})

Answers.run()
