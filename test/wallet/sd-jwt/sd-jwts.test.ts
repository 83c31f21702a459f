/** SD-JWTs from a server to a wallet, over HTTP in both profiles, and verified by a program of others. @module */
import { createECDH, createHash, randomBytes, verify, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc'
import * as assert from 'uvu/assert'
import { readSdJwt } from '../../../libraries/wallet/sd-jwt/read.ts'
import { openWallet } from '../../../libraries/wallet/wallet.ts'
import { PROJECT } from '../../project.ts'
import { suite } from '../../suite.ts'
import { arithmetic } from '../demo-wallets.ts'
import { schemes } from '../support.ts'
import { CA, changing, emptyWallet, ID_CARD, NOW_MS, ROOT, startIssuer } from './server.ts'

const NOTE = {
  credential: 'svc-demo.uni.student',
  attributes: { university: 'U', studentnumber: '1', level: 'x' },
}
const server = await startIssuer('irma')
const same = (sdJwts: readonly string[]) => sdJwts

const SdJwts = suite('SD-JWTs from a server to a wallet (spec/session-server#18)')

SdJwts('a batch is issued, verified, stored and listed, in both profiles', async () => {
  const svc = await startIssuer('svc')
  for (const each of [server, svc]) {
    const wallet = await emptyWallet({ sdJwtRoots: [ROOT] })
    const { outcome, question } = await each.issue(wallet, [
      { ...ID_CARD, sdJwtBatchSize: 3 },
      { ...NOTE, sdJwtBatchSize: 1 },
    ])
    assert.is(outcome.status, 'success')
    assert.is(question?.kind === 'issuing' && question.credentials[0]?.sdJwts, 3)
    assert.is(wallet.credentials().length, 2)
    const [card, note] = wallet.sdJwts.list()
    assert.equal([card?.type, card?.count, card?.issuer], [ID_CARD.credential, 3, 'https://gov.example.com'])
    assert.equal(card?.attributes, ID_CARD.attributes)
    assert.equal([note?.type, note?.count, note?.isExpired], [NOTE.credential, 1, false])
    const { dir } = wallet
    await wallet.close()
    const deps = { schemes, arithmetic, clock: { wallNow: () => NOW_MS }, randomBytes }
    const again = await openWallet(dir, deps)
    assert.equal(again.sdJwts.list(), [card, note])
    await again.close()
  }
  await svc.close()
})

SdJwts('keys and secrets are stored, a fresh pair for each instance', async () => {
  const wallet = await emptyWallet({ sdJwtRoots: [ROOT] })
  await server.issue(wallet, [{ ...ID_CARD, sdJwtBatchSize: 5 }])
  const stored: readonly { text: string; secret: string }[] = JSON.parse(
    readFileSync(join(wallet.dir, 'wallet.json'), 'utf8'),
  ).sdJwts
  for (const { text, secret } of stored) {
    const curve = createECDH('prime256v1')
    curve.setPrivateKey(Buffer.from(secret, 'base64url'))
    const point = curve.getPublicKey()
    assert.is(readSdJwt(text).jwk.x, point.subarray(1, 33).toString('base64url'))
    assert.is(readSdJwt(text).jwk.y, point.subarray(33).toString('base64url'))
  }
  assert.is(new Set(stored.map(({ secret }) => secret)).size, 5)
  await wallet.close()
})

SdJwts('another library verifies each of our SD-JWTs, and reads every attribute', async () => {
  const wallet = await emptyWallet({ sdJwtRoots: [ROOT] })
  const { send, noted } = changing(same)
  await server.issue(wallet, [{ ...ID_CARD, sdJwtBatchSize: 4 }], send)
  assert.is(noted.length, 4)
  for (const text of noted) {
    const leaf = new X509Certificate(Buffer.from(readSdJwt(text).x5c[0] ?? '', 'base64'))
    const other = new SDJwtVcInstance({
      hasher: (data, algorithm) => {
        assert.is(algorithm.toLowerCase().replace('-', ''), 'sha256')
        return new Uint8Array(
          createHash('sha256')
            .update(typeof data === 'string' ? data : Buffer.from(data))
            .digest(),
        )
      },
      verifier: (data, signature) =>
        verify(
          'sha256',
          Buffer.from(data),
          { key: leaf.publicKey, dsaEncoding: 'ieee-p1363' },
          Buffer.from(signature, 'base64url'),
        ),
    })
    const { payload } = await other.verify(text, { currentDate: NOW_MS / 1_000 })
    const { cnf, iat, exp, iss, vct, ...attributes } = JSON.parse(JSON.stringify(payload))
    assert.equal(attributes, ID_CARD.attributes)
    assert.equal(
      [iat, exp, iss, vct],
      [NOW_MS / 1_000, 2_208_988_800, 'https://gov.example.com', ID_CARD.credential],
    )
    assert.equal(Object.keys(cnf.jwk), ['crv', 'kty', 'x', 'y'])
    const changed = text.replace(/\.[\w-]{20}/, '.'.padEnd(21, 'A'))
    await other.verify(changed, { currentDate: NOW_MS / 1_000 }).then(
      () => assert.unreachable('expected a refusal'),
      () => {},
    )
  }
  await wallet.close()
})

SdJwts('the trusted certificate may be the CA of the issuer', async () => {
  const wallet = await emptyWallet({ sdJwtRoots: [CA] })
  assert.is((await server.issue(wallet, [{ ...ID_CARD, sdJwtBatchSize: 1 }])).outcome.status, 'success')
  assert.is(wallet.sdJwts.list().length, 1)
  await wallet.close()
})

SdJwts('a server without the folders issues the credentials alone', async () => {
  const without = await startIssuer('irma', null)
  const wallet = await emptyWallet({ sdJwtRoots: [ROOT] })
  assert.is((await without.issue(wallet, [{ ...ID_CARD, sdJwtBatchSize: 2 }])).outcome.status, 'success')
  assert.equal([wallet.credentials().length, wallet.sdJwts.list().length], [1, 0])
  await wallet.close()
  await without.close()
})

SdJwts('an issuer without a key refuses the request when it is created', async () => {
  const answer = await server.create([
    { credential: 'svc-demo.fast.note', attributes: { text: 'x' }, sdJwtBatchSize: 1 },
  ])
  assert.is(answer.status, 400)
  assert.match(
    answer.text,
    /"error":"INVALID_REQUEST".*this server has no SD-JWT key of issuer svc-demo\.fast/,
  )
  assert.match((await server.create([{ ...ID_CARD, sdJwtBatchSize: 201 }])).text, /from 0 to 200/)
})

const [another] = await certificatesOf()
async function certificatesOf() {
  const wallet = await emptyWallet()
  const { send, noted } = changing(same)
  await server.issue(wallet, [{ ...ID_CARD, sdJwtBatchSize: 1 }], send)
  await wallet.close()
  return noted
}

/** Each changes the answer of the server. */
const WRONG: Readonly<Record<string, (sdJwts: readonly string[]) => readonly string[]>> = {
  'one too few': sdJwts => sdJwts.slice(1),
  'another order': sdJwts => sdJwts.toReversed(),
  'one twice': ([first = '']) => [first, first],
  'one for the key of another wallet': ([first = '']) => [first, another ?? ''],
  'a changed signature': ([first = '', second = '']) => [
    first.replace(/\.[\w-]{4}([\w-]*~)/, '.AAAA$1'),
    second,
  ],
  'a missing disclosure': ([first = '', second = '']) => [first.replace(/~[\w-]+~$/, '~'), second],
  'a disclosure of another': ([first = '', second = '']) =>
    [first + (another?.split('~')[1] ?? ''), second].map(text => `${text.replace(/~$/, '')}~`),
  'without the last ~': ([first = '', second = '']) => [first.slice(0, -1), second],
  'no SD-JWT': ([first = '']) => [first, 'x'],
}

for (const [what, change] of Object.entries(WRONG))
  SdJwts(`an answer with ${what} is refused, and nothing of it is stored`, async () => {
    const wallet = await emptyWallet({ sdJwtRoots: [ROOT] })
    const { outcome } = await server.issue(wallet, [{ ...ID_CARD, sdJwtBatchSize: 2 }], changing(change).send)
    assert.is(outcome.status === 'failed' && outcome.reason, 'wrong-credential')
    assert.equal([wallet.credentials().length, wallet.sdJwts.list().length], [0, 0])
    await wallet.close()
  })

SdJwts('an issuer of an unknown CA is refused', async () => {
  const leaf = new X509Certificate(Buffer.from(readSdJwt(another ?? '').x5c[0] ?? '', 'base64'))
  for (const roots of [[], [new X509Certificate(readFileSync(join(PROJECT, 'test/vectors/tls/cert.pem')))]]) {
    const wallet = await emptyWallet({ sdJwtRoots: roots })
    const { outcome } = await server.issue(wallet, [{ ...ID_CARD, sdJwtBatchSize: 1 }])
    assert.match(outcome.status === 'failed' ? outcome.message : '', /expected certificates of a trusted CA/)
    await wallet.close()
  }
  const trusting = await emptyWallet({ sdJwtRoots: [leaf] })
  assert.is((await server.issue(trusting, [{ ...ID_CARD, sdJwtBatchSize: 1 }])).outcome.status, 'success')
  await trusting.close()
})

SdJwts('the request in docs/sd-jwt.md is accepted', async () => {
  const page = readFileSync(join(PROJECT, 'docs/sd-jwt.md'), 'utf8')
  const [, example = ''] = /## Asking for SD-JWTs[\s\S]*?```json\n([\s\S]*?)```/.exec(page) ?? []
  const { status, text } = await server.create([JSON.parse(example)])
  assert.is(status, 200, text)
})

SdJwts.after(() => server.close())

SdJwts.run()
