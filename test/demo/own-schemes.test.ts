/** The schemes of the demo: those on disk, with the demo's own addresses. @module */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as assert from 'uvu/assert'
import { ownSchemes, REVOCABLE } from '../../demo/own-schemes.ts'
import { parseCredentialTypeId, parseSchemeId } from '../../protocol/ids.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const NOW = 1_795_260_840_000
const clock = { wallNow: () => NOW }
const KEY = readFileSync(join(PROJECT, 'test/vectors/keys/kss-1.public.pem'), 'utf8')
const own = {
  timestampServer: 'http://127.0.0.1:9/',
  revocationServer: 'http://[::1]:10/svc',
  keyshareServer: 'http://127.0.0.1:11',
  keyshareKey: KEY,
}

const Own = suite('demo: its own schemes')

Own('have its addresses and a signature of now, and otherwise equal the schemes on disk', async () => {
  const dataDir = temporaryFolder()
  const endings: (() => unknown)[] = []
  const before = await loadSchemes(DEMO_SCHEMES)
  const { schemes, folder } = await ownSchemes({ schemesPath: DEMO_SCHEMES, dataDir, clock }, own, end =>
    endings.push(end),
  )
  assert.equal([...schemes.schemes.keys()], [...before.schemes.keys()])
  for (const { timestampServer, timestampSec } of schemes.schemes.values())
    assert.equal([timestampServer, timestampSec], [own.timestampServer, NOW / 1_000])
  assert.equal(schemes.credentialType(REVOCABLE)?.revocationServers, [own.revocationServer])
  const badge = parseCredentialTypeId('svc-demo.fast.badge')
  assert.equal(schemes.credentialType(badge), before.credentialType(badge))
  const issuer = schemes.scheme(parseSchemeId('svc-demo'))?.issuers.keys().next().value
  assert.ok(issuer !== undefined && schemes.latestPrivateKey(issuer))
  const keyshare = schemes.scheme(parseSchemeId('svc-keyshare'))
  assert.is(keyshare?.keyshareServer, own.keyshareServer)
  assert.is(String(keyshare?.keyshareKeys.get(0)?.export({ format: 'pem', type: 'spki' })), KEY)
  assert.equal(readdirSync(dataDir), [basename(folder)])
  for (const end of endings) await end()
  assert.equal(readdirSync(dataDir), [])
  assert.ok(existsSync(join(DEMO_SCHEMES, 'svc-demo', 'index')))
  assert.equal(await loadSchemes(DEMO_SCHEMES).then(({ schemes: again }) => [...again]), [...before.schemes])
})

Own.run()
