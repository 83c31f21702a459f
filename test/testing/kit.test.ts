/** The kit for tests of a web site: a server and wallets in one process. Each phone behaves as its user and its makers choose. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createFrontend, createRequestor, type SessionRequest } from '../../libraries/client.ts'
import { type AnswerOptions, startTestKit } from '../../libraries/testing.ts'
import { loadSchemes, verifySignature } from '../../libraries/verify.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const MINUTE_MS = 60_000
const MAIL = 'pbdf.sidn-pbdf.email'
const CONTEXT = 'https://irma.app/ld/request'
const ASK_MAIL = { '@context': `${CONTEXT}/disclosure/v2`, disclose: [[[`${MAIL}.email`]]] } as const
const CARD = { initials: 'J.', familyname: 'Jansen', over18: 'yes', docnumber: 'X1' }

process.env.TMPDIR = temporaryFolder() // other processes make kits too
const before = kitFolders()
const kit = await startTestKit({ profile: 'irma', credentialTypes: { [MAIL]: ['email', 'domain?'] } })
const requestor = createRequestor({ url: kit.url })
const phone = await kit.wallet({ credentials: { [MAIL]: { email: 'j@shop.example' } } })

function kitFolders(): readonly string[] {
  return readdirSync(tmpdir()).filter(name => name.startsWith('svc-test-kit-'))
}

async function ask(request: SessionRequest, options: AnswerOptions, wallet = phone) {
  const { token, sessionPtr } = await requestor.start(request)
  const outcome = await wallet.answer(sessionPtr, options)
  return { outcome, result: await requestor.result(token) }
}

async function refusal(work: Promise<unknown>): Promise<string> {
  return String(
    await work.then(
      () => assert.unreachable('expected a refusal'),
      (error: unknown) => error,
    ),
  )
}

const Kit = suite('the testing kit')

Kit(
  'the kit makes a type from its name, and a wallet discloses the attributes that the test gave it',
  async () => {
    const { outcome, result } = await ask(ASK_MAIL, {})
    assert.is(outcome.status, 'success')
    assert.equal([result.proofStatus, result.disclosed?.flat()[0]?.rawvalue], ['VALID', 'j@shop.example'])
    const domain = await ask({ '@context': ASK_MAIL['@context'], disclose: [[[`${MAIL}.domain`]]] }, {})
    assert.is(domain.result.disclosed?.flat()[0]?.rawvalue, null)
  },
)

Kit('a pointer is an object, the text of a QR code, or a link', async () => {
  for (const form of [
    (pointer: object) => pointer,
    (pointer: object) => JSON.stringify(pointer),
    (pointer: object) => `https://irma.app/-/session#${encodeURIComponent(JSON.stringify(pointer))}`,
  ]) {
    const { sessionPtr } = await requestor.start(ASK_MAIL)
    assert.is((await phone.answer(form(sessionPtr))).status, 'success')
  }
})

Kit('a user who refuses, and a wallet without the credential, look the same to the server', async () => {
  const empty = await kit.wallet()
  for (const { outcome, result } of [await ask(ASK_MAIL, { decline: true }), await ask(ASK_MAIL, {}, empty)])
    assert.equal([outcome.status, result.status, result.proofStatus], ['cancelled', 'CANCELLED', undefined])
})

Kit('a test chooses for the user, by numbers or with a function of the question', async () => {
  const two = await kit.wallet({
    credentials: [
      { type: MAIL, attributes: { email: 'first@shop.example' } },
      { type: MAIL, attributes: { email: 'second@shop.example' } },
    ],
  })
  const second: AnswerOptions['choose'] = ({ candidates }) =>
    candidates.items.map(item =>
      item.candidates.findIndex(({ attributes }) => attributes[0]?.value?.startsWith('second')),
    )
  for (const choose of [[1], second]) {
    const { result } = await ask(ASK_MAIL, { choose }, two)
    assert.is(result.disclosed?.flat()[0]?.rawvalue, 'second@shop.example')
  }
})

Kit('the fault old-version is PROTOCOL_VERSION, and the fault broken-proof is INVALID', async () => {
  const old = await ask(ASK_MAIL, { fault: 'old-version' })
  assert.match(JSON.stringify(old.outcome), /"remote":\{"status":400,"type":"PROTOCOL_VERSION"\}/)
  assert.is(old.result.status, 'CANCELLED')
  const requests: readonly SessionRequest[] = [
    ASK_MAIL,
    { ...ASK_MAIL, '@context': `${CONTEXT}/signature/v2`, message: 'I agree' },
  ]
  for (const request of requests) {
    const { outcome, result } = await ask(request, { fault: 'broken-proof' })
    assert.equal([outcome.status, result.proofStatus, result.disclosed], ['failed', 'INVALID', undefined])
  }
})

Kit('a broken proof of an issuance brings no credential', async () => {
  const holder = await kit.wallet()
  const credentials = [{ credential: MAIL, attributes: { email: 'new@shop.example' } }] as const
  const issuance = { '@context': `${CONTEXT}/issuance/v2`, credentials } as const
  const broken = await ask(issuance, { fault: 'broken-proof' }, holder)
  assert.is(broken.outcome.status, 'failed')
  assert.is(holder.credentials().length, 0)
  assert.is((await ask(issuance, {}, holder)).outcome.status, 'success')
  assert.equal(
    holder.credentials().map(({ type }) => type),
    [MAIL],
  )
})

Kit('a user who takes too long, or never answers, makes the session end with TIMEOUT', async () => {
  const { outcome, result } = await ask(ASK_MAIL, { hesitateMs: 16 * MINUTE_MS })
  assert.equal([outcome.status, result.status], ['failed', 'TIMEOUT'])
  const { token } = await requestor.start(ASK_MAIL)
  const waiting = requestor.wait(token)
  kit.advance(14 * MINUTE_MS)
  assert.is(await requestor.status(token), 'INITIALIZED')
  kit.advance(2 * MINUTE_MS)
  assert.is(await waiting, 'TIMEOUT')
})

Kit('the test gets the pairing code, and the session continues after pairingCompleted', async () => {
  const { token, sessionPtr, frontendRequest } = await requestor.start(ASK_MAIL)
  const page = createFrontend({ sessionPtr, frontendRequest })
  const { pairingCode: shown } = await page.setPairing('pin')
  const codes: string[] = []
  const pairingCode = (code: string): void => {
    codes.push(code)
    void page.pairingCompleted()
  }
  assert.is((await phone.answer(sessionPtr, { pairingCode })).status, 'success')
  assert.equal(codes, [shown])
  assert.is((await requestor.result(token)).status, 'DONE')
})

Kit('an expired credential is disclosed if the request allows it', async () => {
  const day = 24 * 3600 * 1_000
  const dates = { signedAt: new Date(Date.now() - 90 * day), expiresAt: new Date(Date.now() - 30 * day) }
  const credentials = [{ type: MAIL, attributes: { email: 'old@shop.example' }, ...dates }]
  const holder = await kit.wallet({ credentials })
  assert.is(holder.credentials()[0]?.isExpired, true)
  assert.is((await ask(ASK_MAIL, {}, holder)).outcome.status, 'cancelled')
  const { result } = await ask({ ...ASK_MAIL, skipExpiryCheck: [MAIL] }, {}, holder)
  assert.is(result.proofStatus, 'VALID')
})

Kit('a signature has no timestamp, and is valid until its attributes expire', async () => {
  const { result } = await ask({ ...ASK_MAIL, '@context': `${CONTEXT}/signature/v2`, message: 'I agree' }, {})
  assert.is(result.signature?.timestamp, null)
  const schemes = await loadSchemes(kit.schemesPath)
  const judged = await verifySignature(result, { schemes })
  assert.equal([judged.proofStatus, judged.message, judged.timeSec], ['VALID', 'I agree', null])
  const currentDate = new Date(Date.now() + 6 * 366 * 24 * 3600 * 1_000)
  assert.is((await verifySignature(result, { schemes, currentDate })).proofStatus, 'EXPIRED')
})

Kit('credentials that do not fit their types are refused, with what was expected', async () => {
  const wrong: readonly (readonly [Parameters<typeof kit.wallet>[0], RegExp])[] = [
    [
      { credentials: { 'pbdf.pbdf.unknown': {} } },
      /^Error: pbdf\.pbdf\.unknown: expected a credential type of the kit/,
    ],
    [{ credentials: { [MAIL]: { mail: 'x' } } }, /: expected attributes of email, domain, got "mail"$/],
    [{ credentials: { [MAIL]: { domain: 'x' } } }, /: expected a value of email, got none$/],
  ]
  for (const [held, words] of wrong) assert.match(await refusal(kit.wallet(held)), words)
})

/** Passes options that no type allows, as a test in JavaScript can. */
const misspelt = (options: object): object => options

Kit('a misspelt name, and a value of another type, are refused and not ignored', async () => {
  const held = { type: MAIL, attributes: { email: 'x' } }
  const past = new Date(Date.now() - 86_400_000)
  const wallets: readonly (readonly [object, RegExp])[] = [
    [{ credential: {} }, /^Error: options of wallet: expected credentials, got "credential"$/],
    [{ credentials: 'x' }, /options of wallet: credentials: expected an object, got "x"$/],
    [
      { credentials: [{ ...held, expires: past }] },
      /: expected type, attributes, signedAt, expiresAt, got "expires"$/,
    ],
    [
      { credentials: [{ ...held, expiresAt: '2020-01-01' }] },
      /: expiresAt: expected a Date, got "2020-01-01"$/,
    ],
    [{ credentials: [{ ...held, signedAt: 5 }] }, /: signedAt: expected a Date, got 5$/],
    [{ credentials: [{ ...held, signedAt: new Date('x') }] }, /: signedAt: expected a Date, got object$/],
    [
      { credentials: [{ ...held, expiresAt: past }] },
      /: expected signedAt before expiresAt, got none, which is now$/,
    ],
    [{ credentials: [{ ...held, signedAt: new Date(), expiresAt: past }] }, /expiresAt, got one after it$/],
    [{ credentials: { [MAIL]: { email: true } } }, /: expected a text for email, got boolean$/],
  ]
  for (const [given, words] of wallets) assert.match(await refusal(kit.wallet(misspelt(given))), words)
  const { sessionPtr } = await requestor.start(ASK_MAIL)
  const answers: readonly (readonly [object, RegExp])[] = [
    [{ declined: true }, /: expected choose, decline, pairingCode, hesitateMs, fault, got "declined"$/],
    [{ toString: true }, /, got "toString"$/],
    [{ decline: 'no' }, /: decline: expected true or false, got "no"$/],
    [{ fault: 'old' }, /: fault: expected old-version or broken-proof, got "old"$/],
    [{ choose: ['a'] }, /: choose: expected a list of numbers or a function, got object$/],
    [{ pairingCode: 'x' }, /: pairingCode: expected a function, got "x"$/],
    [{ hesitateMs: -1 }, /: hesitateMs: expected milliseconds, 0 or more, got -1$/],
  ]
  for (const [given, words] of answers)
    assert.match(await refusal(phone.answer(sessionPtr, misspelt(given))), words)
  assert.is((await phone.answer(sessionPtr, misspelt({ decline: undefined }))).status, 'success')
})

Kit('types that cannot be made are refused, and nothing is left behind', async () => {
  const folders = kitFolders()
  const wrong: readonly (readonly [Readonly<Record<string, readonly string[]>>, RegExp])[] = [
    [{ 'svc-demo.gov.extra': ['a'] }, /expected a scheme that the kit does not have yet, got "svc-demo"$/],
    [{ 'a.b.c': [] }, /^Error: a\.b\.c: expected 1 to 40 attributes, got 0$/],
    [{ 'a.b.c': Array.from({ length: 41 }, (_, i) => `a${i}`) }, /expected 1 to 40 attributes, got 41$/],
    [{ 'a.b.c': ['a b'] }, /expected names of letters, digits, "_" and "-", got "a b"$/],
    [{ 'a.b': ['c'] }, /a\.b/],
  ]
  for (const [credentialTypes, words] of wrong)
    assert.match(await refusal(startTestKit({ credentialTypes })), words)
  assert.match(await refusal(startTestKit({ verbose: -1 })), /^SettingsError: /)
  assert.equal(kitFolders(), folders)
})

Kit(
  'schemes without private keys, as they are downloaded, get keys of tests; the demo schemes keep theirs',
  async () => {
    const folder = join(temporaryFolder(), 'downloaded')
    mkdirSync(folder)
    cpSync(join(DEMO_SCHEMES, 'svc-demo'), join(folder, 'svc-demo'), { recursive: true })
    for (const issuer of ['fast', 'gov', 'uni'])
      rmSync(join(folder, 'svc-demo', issuer, 'PrivateKeys'), { recursive: true })
    await using own = await startTestKit({
      schemesPath: folder,
      requestors: { site: { authMethod: 'token', key: 'a-token-of-the-site-of-tests' } },
      noAuth: false,
    })
    const site = createRequestor({
      url: own.url,
      auth: { method: 'token', token: 'a-token-of-the-site-of-tests' },
    })
    const holder = await own.wallet({ credentials: { 'svc-demo.gov.idcard': CARD } })
    const { token, sessionPtr } = await site.start({
      '@context': 'https://svc.example/ld/request/disclosure/v2',
      disclose: [[['svc-demo.gov.idcard.familyname']]],
    })
    assert.is((await holder.answer(sessionPtr)).status, 'success')
    assert.is((await site.result(token)).disclosed?.flat()[0]?.rawvalue, 'Jansen')
    assert.is(existsSync(join(folder, 'svc-demo/gov/PrivateKeys')), false)
  },
)

Kit('SD-JWTs that a site issues are in the wallet, with their number', async () => {
  const pki = join(PROJECT, 'test/vectors/sd-jwt/pki')
  await using own = await startTestKit({
    sdjwtvcIssuerCertificatesDir: join(pki, 'certs'),
    sdjwtvcIssuerPrivateKeysDir: join(pki, 'keys'),
  })
  const holder = await own.wallet()
  const site = createRequestor({ url: own.url })
  const credential = { credential: 'svc-demo.gov.idcard', attributes: CARD } as const
  for (const [sdJwtBatchSize, expected] of [
    [0, []],
    [4, [4]],
  ] as const) {
    const { sessionPtr } = await site.start({
      '@context': 'https://svc.example/ld/request/issuance/v2',
      credentials: [{ ...credential, sdJwtBatchSize }],
    })
    assert.is((await holder.answer(sessionPtr)).status, 'success')
    assert.equal(
      holder.sdJwts().map(({ count }) => count),
      expected,
    )
  }
  const [batch] = holder.sdJwts()
  assert.equal([batch?.type, batch?.issuer], ['svc-demo.gov.idcard', 'https://gov.example.com'])
  assert.equal(batch?.attributes, CARD)
})

Kit.after(async () => {
  await kit.close()
  assert.equal(
    kitFolders().filter(name => !before.includes(name)),
    [],
  )
})
Kit.run()
