/** A credential that can be revoked, from its issuance to its end, between the session server and the wallet of this project (spec/cryptography#14), in both
 *  profiles. The server is the authority; its addresses are in the schemes. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { ownSchemes } from '../../demo/own-schemes.ts'
import { PERMIT } from '../../demo/steps.ts'
import { refreshWitnesses } from '../../libraries/wallet/refresh.ts'
import { answerSession, type SessionOutcome } from '../../libraries/wallet/session.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { deps, newWallet } from './demo-wallets.ts'
import { agreeToAll, refuse } from './play.ts'
import { type RealServer, type Started, startRealServer } from './real-server.ts'
import { schemes } from './support.ts'

const Whole = suite('a credential that can be revoked, from its issuance on (spec/cryptography#14)')
const clock = createSystemClock()
const KIND = [[[`${PERMIT}.kind`]]]

type Stage = {
  readonly server: RealServer
  readonly wallet: Wallet
  /** every call of the wallet outside a session: the path after the type */
  readonly asked: string[]
  answer(session: Started): Promise<SessionOutcome>
}

async function onStage(
  profile: (typeof PROFILES)['svc' | 'irma'],
  test: (stage: Stage) => Promise<void>,
): Promise<void> {
  const server = await startRealServer(profile, schemes, PERMIT)
  const keyshareKey = readFileSync(join(DEMO_SCHEMES, 'svc-keyshare/kss-0.pem'), 'utf8')
  const own = {
    keyshareServer: 'http://127.0.0.1:9',
    keyshareKey,
    timestampServer: 'http://127.0.0.1:8190/',
    revocationServer: server.url.slice(0, -1) + profile.prefix,
  }
  const endings: (() => unknown)[] = []
  const { schemes: known } = await ownSchemes({ schemesPath: DEMO_SCHEMES, clock }, own, end =>
    endings.push(end),
  )
  const wallet = await newWallet([], true, { ...deps, schemes: known, clock })
  const asked: string[] = []
  const send: typeof fetch = (url, init) => {
    const [, path] = String(url).split(`/revocation/${PERMIT}/`)
    if (path) asked.push(path)
    return fetch(url, init)
  }
  const answer = ({ pointer }: Started) =>
    answerSession({ ...deps, wallet, clock, fetch: send }, pointer, {
      consent: question => (question.candidates.isSatisfiable ? agreeToAll : refuse).consent(question),
    })
  try {
    await test({ server, wallet, asked, answer })
  } finally {
    await wallet.close()
    await server.close()
    for (const end of endings) await end()
  }
}

async function receive({ server, answer }: Stage, revocationKeys: readonly string[]): Promise<void> {
  const credentials = revocationKeys.map(revocationKey => ({
    credential: PERMIT,
    attributes: { kind: 'x', number: revocationKey },
    revocationKey,
  }))
  const { status } = await answer(await server.create('issuing', { credentials }))
  assert.is(status, 'success')
}

/** @returns true if the site saw that the permit is not revoked; undefined if it saw no permit */
async function show({ server, answer }: Stage): Promise<boolean | undefined> {
  const session = await server.start(KIND, { revocation: [PERMIT] })
  await answer(session)
  const { proofStatus, disclosed } = await session.result()
  assert.is(proofStatus, disclosed && 'VALID')
  return disclosed?.[0]?.[0]?.notrevoked
}

for (const profile of [PROFILES.svc, PROFILES.irma]) {
  Whole(`${profile.name}: it is received, disclosed, revoked, and no longer disclosed`, () =>
    onStage(profile, async stage => {
      await receive(stage, ['mine'])
      assert.is(await show(stage), true)
      await stage.server.revoke(PERMIT, 'mine')
      assert.is(await show(stage), undefined)
      assert.is(stage.wallet.credentials()[0]?.revocation?.isRevoked, true)
      const plain = await stage.server.start(KIND)
      assert.is((await stage.answer(plain)).status, 'success')
      assert.equal(stage.asked, [])
    }),
  )

  Whole(`${profile.name}: a wallet that is far behind fetches the events that the request lacks`, () =>
    onStage(profile, async stage => {
      await receive(stage, ['mine'])
      await stage.server.issueAndRevoke(PERMIT, 20)
      assert.is(await show(stage), true)
      assert.equal(stage.asked, ['events/0/0/16'])
      await stage.server.issueAndRevoke(PERMIT, 20)
      const { count, outdated } = await refreshWitnesses({ wallet: stage.wallet, fetch, clock })
      assert.equal([count, outdated.size], [1, 0])
      assert.is(await show(stage), true)
      assert.is(stage.asked.length, 1)
      await stage.server.revoke(PERMIT, 'mine')
      await refreshWitnesses({ wallet: stage.wallet, fetch, clock })
      assert.is(stage.wallet.credentials()[0]?.revocation?.isRevoked, true)
    }),
  )
}

Whole.run()
