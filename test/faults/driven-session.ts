/** One session whose frontend and wallet app send their calls one by one, so that a test can act between any two of them. @module */
import * as assert from 'uvu/assert'
import { frontendAddress, parseSessionPackage } from '../../cli/session/package.ts'
import { enablePairing } from '../../cli/session/pairing.ts'
import { followStatus } from '../../cli/session/status.ts'
import { fromBase64 } from '../../crypto/bytes.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import { parseAttributeTypeId } from '../../protocol/ids.ts'
import type { Profile } from '../../protocol/profiles.ts'
import { pause } from '../patience.ts'
import { disclosureBody } from '../wallet/disclosure-body.ts'
import type { StoredSession } from './killable-server.ts'

export type DrivenSession = {
  enablePairing(): Promise<void>
  completePairing(): Promise<void>
  /** first GET of the app; @returns the answer */
  connect(): Promise<string>
  /** POST of the proofs, with the same bytes each time */
  submit(): Promise<void>
  status(): Promise<string>
  /** Resolves when the row says so. */
  isBeingChecked(): Promise<void>
  isDone(): Promise<void>
  /** Unix ms, as stored */
  deadlineAt(): Promise<number>
  /** Waits for `TIMEOUT`, which must not happen earlier. The deadline must not have moved. */
  isTimedOut(deadlineAt: number): Promise<void>
}

type DriverDeps = {
  readonly server: string
  readonly profile: Profile
  readonly wallet: Wallet
  readonly attribute: string
  readonly rowOf: (clientToken: string) => Promise<StoredSession>
}

const POLL_MS = 5

async function send(method: 'GET' | 'POST', url: string, headers: Record<string, string>, body?: string) {
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  assert.ok(response.ok, `${method} ${new URL(url).pathname.split('/').at(-1)}: ${response.status} ${text}`)
  return text
}

export async function createSession(facts: DriverDeps, extended = {}): Promise<DrivenSession> {
  const { server, profile, attribute, rowOf } = facts
  const request = { '@context': `${profile.contextBase}/ld/request/disclosure/v2`, disclose: [[[attribute]]] }
  const json = { 'content-type': 'application/json' }
  const created = await send('POST', `${server}/session`, json, JSON.stringify({ ...extended, request }))
  const session = parseSessionPackage(JSON.parse(created))
  const frontend = frontendAddress(session)
  const url = session.sessionPtr.u
  const row = (): Promise<StoredSession> => rowOf(url.slice(url.lastIndexOf('/') + 1))
  return {
    enablePairing: async () => void (await enablePairing(frontend, profile.contextBase)),
    completePairing: async () =>
      void (await send('POST', `${frontend.url}/pairingcompleted`, frontend.headers)),
    ...appOf(url, facts),
    status: async () => JSON.parse(await send('GET', `${url}/status`, {})),
    async isBeingChecked() {
      for (let now = await row(); !now.isClaimed; now = await row()) {
        assert.is(now.status, 'CONNECTED')
        await pause(POLL_MS)
      }
    },
    async isDone() {
      const result = JSON.parse(await send('GET', `${server}/session/${session.token}/result`, {}))
      const shown = [result.status, result.proofStatus, result.disclosed[0][0].rawvalue]
      assert.equal(shown, ['DONE', 'VALID', 'Ann'])
    },
    deadlineAt: async () => (await row()).deadlineAt,
    async isTimedOut(deadlineAt) {
      for await (const _ of followStatus(frontend)) {
        const now = await row()
        if (now.status !== 'TIMEOUT') assert.is(now.deadlineAt, deadlineAt)
      }
      assert.is((await row()).status, 'TIMEOUT')
      assert.ok(Date.now() >= deadlineAt, `timed out before ${deadlineAt}`)
    },
  }
}

function appOf(
  url: string,
  { profile, wallet, attribute }: DriverDeps,
): Pick<DrivenSession, 'connect' | 'submit'> {
  const headers = {
    authorization: 'secretOfThisApp',
    [profile.minVersionHeader]: '2.4',
    [profile.maxVersionHeader]: '2.8',
  }
  let body: string | undefined
  return {
    connect: () => send('GET', url, headers),
    async submit() {
      body ??= answerTo(JSON.parse(await send('GET', `${url}/request`, headers)), wallet, attribute)
      const answer = JSON.parse(await send('POST', `${url}/proofs`, headers, body))
      assert.is(answer.proofStatus, 'VALID')
    },
  }
}

function answerTo(request: { nonce: string; context: string }, wallet: Wallet, attribute: string): string {
  const type = parseAttributeTypeId(attribute)
  const { items } = wallet.candidates({
    disclose: [[[{ type, value: null, notNull: false }]]],
    skipExpiryCheck: [],
    nonRevocation: [],
  })
  const chosen = items.flatMap(({ candidates }) => candidates.slice(0, 1))
  return disclosureBody(wallet, chosen, {
    nonce: fromBase64(request.nonce),
    context: fromBase64(request.context),
  })
}
