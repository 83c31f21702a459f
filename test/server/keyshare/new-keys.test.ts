/** Issuer keys that are added to a scheme while a keyshare server runs (spec/keyshare-server#8.1, #21). They are known without a restart, come only from signed folders, and
 *  are never lost. */
import { randomBytes } from 'node:crypto'
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { newSecrets } from '../../../accounts/secrets.ts'
import { drawKeyshareSecret } from '../../../crypto/keyshare/secrets.ts'
import { createSimulatedClock, type SimulatedClock } from '../../../ports/simulated-clock.ts'
import { NOW_SEC, newDevice } from '../../accounts/jwts.ts'
import { runSvc } from '../../cli/run-svc.ts'
import { type Client, clientOf } from '../../http/client.ts'
import { headersOf, PIN, said } from '../../http/keyshare/app.ts'
import { DEMO_SCHEMES } from '../../project.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { startNode } from './node.ts'

type Running = {
  readonly schemes: string
  readonly clock: SimulatedClock
  readonly post: (path: string, body: unknown) => ReturnType<Client['call']>
  readonly logged: readonly string[]
}

const MINUTE_MS = 60_000

/** A real server on a copy of the demo schemes, and a user who has logged in. */
async function withServer(use: (server: Running) => Promise<void>): Promise<void> {
  const schemes = join(temporaryFolder(), 'schemes')
  cpSync(DEMO_SCHEMES, schemes, { recursive: true })
  const clock = createSimulatedClock(NOW_SEC * 1_000)
  const logged: string[] = []
  const write = (...line: readonly unknown[]) => void logged.push(JSON.stringify(line))
  const log = { info: write, warn: write, error: write }
  const node = await startNode({ schemes_path: schemes, profile: 'svc' }, { clock, log })
  const client = clientOf(node.port)
  const device = newDevice()
  const keys = { mk: drawKeyshareSecret(randomBytes), tokenId: randomBytes(32), deviceKey: device.der }
  await node.accounts.register({ userName: 'alice', language: 'en', secrets: newSecrets(PIN, keys) })
  const headers = await headersOf(client, { userName: 'alice', device })
  const post: Running['post'] = (path, body) => client.call('POST', path, { headers, body })
  await use({ schemes, clock, post, logged }).finally(() => node.close())
}

/** Adds the next key of an issuer, without signing the scheme. */
function addKey(schemes: string, issuer: string, counter: number): void {
  const folder = join(schemes, issuer, 'PublicKeys')
  const first = readFileSync(join(folder, '0.xml'), 'utf8')
  writeFileSync(join(folder, `${counter}.xml`), first.replace('<Counter>0<', `<Counter>${counter}<`))
}

async function sign(schemes: string, scheme: string): Promise<void> {
  const folder = join(schemes, scheme)
  const { code, stderr } = await runSvc(['scheme', 'sign', join(folder, 'sk.pem'), folder])
  assert.is(code, 0, stderr)
}

const commit = ({ post }: Running, ...keys: readonly string[]) => post('/prove/getCommitments', keys)
const UNKNOWN = /^400 INVALID_REQUEST public key not found/

const Gained = suite('issuer keys that schemes gain while a keyshare server runs')

Gained('every endpoint accepts them without a restart; the schemes are read once a minute at most', () =>
  withServer(async server => {
    const { schemes, clock, post } = server
    const key = 'svc-demo.gov-1'
    assert.match(said(await commit(server, key)), UNKNOWN)
    addKey(schemes, 'svc-demo/gov', 1)
    await sign(schemes, 'svc-demo')
    clock.advance(MINUTE_MS - 1)
    assert.match(said(await commit(server, key)), UNKNOWN)
    clock.advance(1)
    const hw = { hashedComms: Buffer.alloc(32).toString('base64') }
    const [ps, both, second] = await Promise.all([
      post('/api/v2/prove/getPs', [key]),
      post('/api/v2/prove/getPs', ['svc-demo.gov-0', key]),
      post('/api/v2/prove/getCommitments', { keys: [key], hw }),
    ])
    assert.equal([ps.status, both.status, second.status], [200, 200, 200])
    assert.is((await commit(server, key)).status, 200)
    assert.match(said(await post('/prove/getResponse', '12345')), /^200 eyJ/)
    assert.match(server.logged.join('\n'), /"keys":\["svc-demo\.gov-1"\]/)
  }),
)

Gained(
  'keys in a folder with a wrong signature are not adopted, those of other folders are; one log line',
  () =>
    withServer(async server => {
      const { schemes, clock, logged } = server
      addKey(schemes, 'svc-demo/gov', 1)
      await sign(schemes, 'svc-demo')
      appendFileSync(join(schemes, 'svc-demo/index'), '\n')
      addKey(schemes, 'svc-keyshare/shop', 1)
      await sign(schemes, 'svc-keyshare')
      for (let i = 0; i < 3; i++) {
        assert.match(said(await commit(server, 'svc-demo.gov-1')), UNKNOWN)
        clock.advance(MINUTE_MS)
      }
      const file = join(schemes, 'svc-demo/index.sig')
      assert.is(logged.filter(line => line.includes(`${file}: signature does not fit`)).length, 1)
      assert.is((await commit(server, 'svc-keyshare.shop-1', 'svc-demo.gov-0')).status, 200)
      await sign(schemes, 'svc-demo')
      assert.is((await commit(server, 'svc-demo.gov-1')).status, 200)
    }),
)

Gained('a key that is in no index is not adopted', () =>
  withServer(async server => {
    addKey(server.schemes, 'svc-demo/gov', 1)
    assert.match(said(await commit(server, 'svc-demo.gov-1')), UNKNOWN)
  }),
)

Gained('a known key stays, even if its file and later the whole folder of schemes are removed', () =>
  withServer(async server => {
    const { schemes, clock } = server
    addKey(schemes, 'svc-demo/gov', 1)
    await sign(schemes, 'svc-demo')
    assert.is((await commit(server, 'svc-demo.gov-1')).status, 200)
    for (const gone of ['PublicKeys', 'PrivateKeys'])
      rmSync(join(schemes, 'svc-demo/gov', gone), { recursive: true })
    await sign(schemes, 'svc-demo')
    addKey(schemes, 'svc-keyshare/shop', 1)
    await sign(schemes, 'svc-keyshare')
    clock.advance(MINUTE_MS)
    assert.is((await commit(server, 'svc-keyshare.shop-1')).status, 200) // the schemes were read again
    assert.is((await commit(server, 'svc-demo.gov-0', 'svc-demo.gov-1')).status, 200)
    rmSync(schemes, { recursive: true })
    clock.advance(MINUTE_MS)
    assert.match(said(await commit(server, 'svc-demo.gov-2')), UNKNOWN)
    assert.match(server.logged.join('\n'), /expected a folder that can be read, got ENOENT/)
    assert.is((await commit(server, 'svc-demo.gov-0', 'svc-demo.gov-1')).status, 200)
  }),
)

Gained.run()
