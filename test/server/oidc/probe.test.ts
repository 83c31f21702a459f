/** The session server of the settings is tried before the first login, and a slow one holds no login for long. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createSystemClock } from '../../../ports/clock.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { PROFILES } from '../../../protocol/profiles.ts'
import { createRemoteDisclosures } from '../../../server/oidc/remote/disclosures.ts'
import { probeRemote } from '../../../server/oidc/remote/probe.ts'
import { errorOf } from '../../actors/oidc/nodes.ts'
import { freePort, runSvc, startSvc, withSvc } from '../../cli/run-svc.ts'
import { PROJECT } from '../../project.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { neededOptions, readSettings } from './node.ts'
import { AUTHS, type RemoteOfTest, startSessionServer } from './remote-server.ts'

let server: RemoteOfTest
const Probe = suite('the session server of a provider, tried before the first login')
Probe.before(async () => {
  server = await startSessionServer()
})
Probe.after(() => server.close())

const PUBLIC_KEY_OF_ANOTHER = readFileSync(join(PROJECT, 'test/vectors/keys/kss-0.public.pem'), 'utf8')
const good = () => ({ url: server.url, ...AUTHS.token })

async function mistakeAt(session_server: object, { values = {}, through = fetch } = {}) {
  const { settings } = await readSettings({ session_server, ...values })
  return probeRemote(settings, { fetch: through, clock: createSystemClock() })
}

Probe('a server that accepts the session of a login passes, and the session is cancelled', async () => {
  const tokens: string[] = []
  const through: typeof fetch = async (url, init) => {
    const response = await fetch(url, init)
    if (String(url).endsWith('/session')) tokens.push(Object(await response.clone().json()).token)
    return response
  }
  const { publicKey } = server
  assert.is(await mistakeAt({ ...good(), public_key: publicKey }, { through }), null)
  const status = await fetch(`${server.url}/session/${tokens[0]}/status`)
  assert.equal([tokens.length, await status.json()], [1, 'CANCELLED'])
  const { settings } = await readSettings()
  assert.is(await probeRemote(settings, { fetch: through, clock: createSystemClock() }), null)
  assert.is(tokens.length, 1, 'the embedded session server is not tried')
})

Probe('a refusal or a wrong answer is a mistake; no answer or 500 is only a warning', async () => {
  const answering = (text: string, status: number) => ({
    through: async () => new Response(text, { status }),
  })
  const student = { over18: 'svc-demo.uni.student.level', city: 'svc-demo.gov.address.city' }
  const nowhere = { ...good(), url: `http://127.0.0.1:${await freePort()}` }
  const cases = [
    [await mistakeAt({ ...good(), key: 'another-token' }), true, /got 403 UNAUTHORIZED: check "key"/],
    [await mistakeAt(good(), { values: { claims: student } }), true, /UNAUTHORIZED/],
    [await mistakeAt(good(), answering('<html>', 200)), true, /expected JSON, got another text/],
    [await mistakeAt(good(), answering('', 404)), true, /got status 404: check the address/],
    [
      await mistakeAt({ ...good(), public_key: PUBLIC_KEY_OF_ANOTHER }),
      true,
      /expected the key of "public_key"/,
    ],
    [await mistakeAt(good(), answering('', 500)), false, /got status 500/],
    [await mistakeAt(nowhere), false, /expected an answer, got none: ECONNREFUSED/],
  ] as const
  for (const [mistake, isRefusal, text] of cases) {
    assert.match(mistake?.text ?? '', text)
    assert.match(mistake?.text ?? '', /^session_server http:/)
    assert.not.match(mistake?.text ?? '', /token-of|another-token/)
    assert.is(mistake?.isRefusal, isRefusal, mistake?.text)
  }
})

Probe('a call of a login to a silent server ends after 5 s', async () => {
  const clock = createSimulatedClock()
  const errors: object[] = []
  const silent: typeof fetch = (_url, init) =>
    new Promise((_resolve, reject) => {
      const end = (): void => reject(init?.signal?.reason)
      if (init?.signal?.aborted) return end()
      init?.signal?.addEventListener('abort', end)
      clock.advance(5_000)
    })
  const { settings } = await readSettings({ session_server: good() })
  assert.ok(settings.remote)
  const log = { error: (line: object) => void errors.push(line) }
  const deps = { server: settings.remote, profile: PROFILES.svc, fetch: silent, clock, log }
  const found = createRemoteDisclosures(deps).find({ requestorToken: 'token', frontend: null })
  assert.is((await errorOf(found)).name, 'UnavailableError')
  assert.match(JSON.stringify(errors), /expected an answer within 5 s, got none/)
})

Probe('svc oidc check refuses or warns, and svc oidc starts with a warning', async () => {
  const config = join(temporaryFolder(), 'oidc.json')
  const write = (url: string, port: number): void => {
    const own = { store: `sqlite:${config}.sqlite`, port, listen_addr: '127.0.0.1' }
    const session_server = { url, auth_method: 'none' }
    writeFileSync(config, JSON.stringify({ ...neededOptions(), ...own, session_server }), { mode: 0o600 })
  }
  write(`${server.url}/elsewhere`, await freePort())
  const refused = await runSvc(['oidc', 'check', '--config', config])
  assert.is(refused.code, 1)
  assert.match(refused.stderr, /session_server .*expected success, got 404/)
  write(`http://127.0.0.1:${await freePort()}`, await freePort())
  const warned = await runSvc(['oidc', 'check', '--config', config])
  assert.is(warned.code, 0, warned.stderr)
  assert.match(
    warned.stdout + warned.stderr,
    /WARN session_server .*ECONNREFUSED[\s\S]*the settings are in order/,
  )
  await withSvc(startSvc(['oidc', '--config', config]), ({ says }) => says('ECONNREFUSED'))
})

Probe.run()
