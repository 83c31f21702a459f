/** `svc wallet update`, and the output of `svc wallet list` for credentials that can be revoked (spec/cryptography#14.4, #14.7). @module */

import { createPrivateKey, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { walletWith } from '../../libraries/testing/sign-credentials.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { signScheme } from '../../schemes/sign.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { createAuthority } from '../wallet/authority.ts'
import { runSvc } from './run-svc.ts'

const BADGE = 'svc-demo.fast.badge'
const Update = suite('svc wallet update')

const authority = createAuthority(BADGE)
const server = createServer((request, response) => authority.answer(request, response)).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo // the server listens on TCP

/** The demo schemes, with this server in the description of the badge. */
const schemesPath = temporaryFolder()
cpSync(DEMO_SCHEMES, schemesPath, { recursive: true })
const scheme = join(schemesPath, 'svc-demo')
const description = join(scheme, 'fast/Issues/badge/description.xml')
const text = readFileSync(description, 'utf8')
writeFileSync(description, text.replace('127.0.0.1:8188/irma', `127.0.0.1:${port}/svc`))
signScheme(scheme, createPrivateKey(readFileSync(join(scheme, 'sk.pem'))), Math.floor(Date.now() / 1000))

const dir = join(temporaryFolder(), 'wallet')
const witnesses = [authority.issue(), authority.issue()]
const badges = witnesses.map((witness, i) => ({ type: BADGE, attributes: { level: `${i}` }, witness }))
const note = { type: 'svc-demo.fast.note', attributes: { text: 'hello' } }
const schemes = await loadSchemes(schemesPath)
const deps = { schemes, arithmetic: chooseArithmetic('auto'), clock: createSystemClock(), randomBytes }
await (await walletWith(dir, [...badges, note], deps)).close()
const wallet = (command: string) => runSvc(['wallet', command, '--dir', dir, '--schemes-path', schemesPath])

Update('revoked credentials are marked, and the others are updated', async () => {
  const before = (await wallet('list')).stdout.split('\n')
  assert.match(before[0] ?? '', /^0 {2}svc-demo\.fast\.badge {2}expires [-\d]+ {2}not revoked on 2026-11-21$/)
  assert.match(before[2] ?? '', /svc-demo\.fast\.note {2}expires [-\d]+$/)
  authority.revoke(witnesses[1]?.e, 20)
  const { code, stdout, stderr } = await wallet('update')
  assert.equal([code, stderr], [0, ''])
  assert.match(
    stdout,
    /^2 of 2 credentials that can be revoked are up to date\n1 {2}svc-demo\.fast\.badge .* {2}revoked\n$/,
  )
  const lines = (await wallet('list')).stdout.split('\n')
  assert.equal(
    lines.slice(0, 2).map(line => line.split('  ').at(-1)),
    ['not revoked on 2026-11-21', 'revoked'],
  )
})

Update('without an answer of the server the command fails, and names the credentials', async () => {
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
  const { code, stdout, stderr } = await wallet('update')
  assert.is(code, 1)
  assert.match(stdout, /^0 of 1 credentials that can be revoked are up to date\n1 {2}svc-demo\.fast\.badge/)
  assert.is(stderr, 'svc: wallet update: expected an answer for 0, got none that is right\n')
})

Update.run()
