/** Pending state survives the restart of a keyshare server on its file: a challenge, the count of wrong PINs, and a commitment where the settings say so
 *  (spec/decisions#lifetimes, #k13; spec/keyshare-server#21). */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { newSecrets } from '../../../accounts/secrets.ts'
import { drawKeyshareSecret } from '../../../crypto/keyshare/secrets.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { NOW_SEC, newDevice } from '../../accounts/jwts.ts'
import { clientOf } from '../../http/client.ts'
import {
  type App,
  answered,
  challengeFor,
  headersOf,
  loggedIn,
  PIN,
  said,
  WRONG_PIN,
} from '../../http/keyshare/app.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { type NodeOfTest, startNode } from './node.ts'

const Restart = suite('a keyshare server that is started again')

type Started = NodeOfTest & { readonly client: ReturnType<typeof clientOf> }

/** An account on a file, and the server on it before and after a restart. */
async function withRestart(
  use: (app: App, restarted: () => Promise<Started>, first: Started) => Promise<void>,
  settings: object = {},
): Promise<void> {
  const store = `sqlite:${join(temporaryFolder(), 'keyshare.sqlite')}`
  const clock = createSimulatedClock(NOW_SEC * 1_000)
  const start = async (): Promise<Started> => {
    const node = await startNode({ store, profile: 'svc', ...settings }, { clock })
    return { ...node, client: clientOf(node.port) }
  }
  const device = newDevice()
  const keys = { mk: drawKeyshareSecret(randomBytes), tokenId: randomBytes(32), deviceKey: device.der }
  let node = await start()
  await node.accounts.register({ userName: 'alice', language: 'en', secrets: newSecrets(PIN, keys) })
  const restarted = async (): Promise<Started> => {
    await node.close()
    node = await start()
    return node
  }
  await use({ userName: 'alice', device }, restarted, node).finally(() => node.close())
}

Restart('a login that began before the restart is finished after it, with the same challenge', () =>
  withRestart(async (app, restarted, first) => {
    const challenge = await challengeFor(first.client, app)
    const second = await restarted()
    assert.match(said(await answered(second.client, app, { challenge })), /^200 .*"success"/)
    const third = await restarted()
    assert.match(said(await answered(third.client, app, { challenge })), /^409 MISSING_CHALLENGE/)
  }),
)

for (const [settings, what, expected] of [
  [{}, 'from before the restart is answered after it, once, for the token from before', '200 eyJ'],
  [{ commitments_of: 'own' }, 'from before the restart is not answered after it', '409 MISSING_COMMITMENT'],
] as const)
  Restart(`a commitment ${what}: ${JSON.stringify(settings)}`, () =>
    withRestart(async (app, restarted, first) => {
      const headers = await headersOf(first.client, app)
      const body = ['svc-keyshare.keyshare-0']
      const committed = await first.client.call('POST', '/prove/getCommitments', { headers, body })
      assert.is(committed.status, 200)
      const ask = async ({ client }: Started): Promise<string> =>
        said(await client.call('POST', '/prove/getResponse', { headers, body: '12345' }))
      assert.is((await ask(await restarted())).slice(0, expected.length), expected)
      assert.match(await ask(await restarted()), /^409 MISSING_COMMITMENT/)
    }, settings),
  )

Restart('wrong PINs from before the restart count after it', () =>
  withRestart(async (app, restarted, first) => {
    const left = [Object((await loggedIn(first.client, app, WRONG_PIN)).json).message]
    for (let i = 0; i < 2; i++)
      left.push(Object((await loggedIn((await restarted()).client, app, WRONG_PIN)).json).message)
    assert.equal(left, ['2', '1', '60'])
    const blocked = await loggedIn((await restarted()).client, app)
    assert.equal(blocked.json, { status: 'error', message: '60' })
  }),
)

Restart.run()
