/** `svc wallet list` and `show` with SD-JWTs, and the file of trusted CAs. @module */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { emptyWallet, ID_CARD, ROOT, startIssuer } from '../wallet/sd-jwt/server.ts'
import { runSvc } from './run-svc.ts'

const server = await startIssuer('svc')
const wallet = await emptyWallet({ sdJwtRoots: [ROOT] })
await server.issue(wallet, [{ ...ID_CARD, sdJwtBatchSize: 3 }])
const { dir } = wallet
await wallet.close()
await server.close()

const svc = (command: string, ...flags: readonly string[]) =>
  runSvc(['wallet', command, ...flags, '--dir', dir, '--schemes-path', DEMO_SCHEMES])

const SdJwts = suite('svc wallet with SD-JWTs')

SdJwts('list has a line for each batch, after the credentials', async () => {
  const { code, stdout } = await svc('list')
  const [credential, batch, ...others] = stdout.trimEnd().split('\n')
  assert.is(code, 0)
  assert.match(credential ?? '', /^[0-9a-f]{16} {2}svc-demo\.gov\.idcard {2}expires /)
  assert.is(batch, 'SD-JWT x3  svc-demo.gov.idcard  expires 2040-01-01  issued by https://gov.example.com')
  assert.equal(others, [])
})

SdJwts('show has their attributes, and no key', async () => {
  const { stdout } = await svc('show', ID_CARD.credential)
  const [, shown = ''] = stdout.split('SD-JWT x3')
  for (const [name, value] of Object.entries(ID_CARD.attributes))
    assert.ok(shown.includes(`  ${name}: ${value}`))
  assert.is(shown.trim().split('\n').length, 1 + Object.keys(ID_CARD.attributes).length)
})

SdJwts('a file of CAs that cannot be used is named', async () => {
  const file = join(temporaryFolder(), 'roots.pem')
  for (const text of ['', '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n']) {
    writeFileSync(file, text)
    const { code, stderr } = await svc('answer', '{}', '--sd-jwt-roots', file)
    assert.is(code, 1)
    assert.ok(
      stderr.includes(`--sd-jwt-roots: expected certificates in PEM in ${file}, got another text`),
      stderr,
    )
  }
  const { stderr } = await svc('answer', '{}', '--sd-jwt-roots', `${file}.none`)
  assert.match(stderr, /--sd-jwt-roots: expected a file that can be read/)
})

SdJwts.run()
