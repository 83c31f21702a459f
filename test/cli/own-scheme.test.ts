/** A scheme made with `svc scheme` and `svc issuer` in an empty folder works: `svc server` issues, discloses and revokes with it (issue 5,
 *  spec/schemes-and-cli#16.6, #16.7). SVC_TEST_KEYLENGTH=2048 uses a key as long as real issuers have. @module */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { freePort, runSvc, startSvc } from './run-svc.ts'

const KEY_LENGTH = process.env.SVC_TEST_KEYLENGTH ?? '1024'
const Own = suite('a scheme of one’s own')
const schemes = temporaryFolder()
const scheme = join(schemes, 'mine')
const issuer = join(scheme, 'club')
const walletFolder = join(temporaryFolder(), 'wallet')
const wallet = ['--dir', walletFolder, '--schemes-path', schemes]

const DESCRIPTIONS = {
  'description.xml': `<SchemeManager version="7">
  <Id>mine</Id>
  <Url>https://schemes.example.test/mine</Url>
  <Name><en>My scheme</en></Name>
  <Description><en>Credentials of a club.</en></Description>
</SchemeManager>
`,
  'club/description.xml': `<Issuer version="4">
  <ID>club</ID>
  <SchemeManager>mine</SchemeManager>
  <Name><en>Club</en></Name>
</Issuer>
`,
  'club/Issues/member/description.xml': `<IssueSpecification version="4">
  <SchemeManager>mine</SchemeManager>
  <IssuerID>club</IssuerID>
  <CredentialID>member</CredentialID>
  <Name><en>Member</en></Name>
  <Description><en>Who belongs to the club.</en></Description>
  <Attributes>
    <Attribute id="name"><Name><en>Name</en></Name><Description><en>Name</en></Description></Attribute>
    <Attribute id="since"><Name><en>Since</en></Name><Description><en>Year</en></Description></Attribute>
  </Attributes>
</IssueSpecification>
`,
  'club/Issues/pass/description.xml': `<IssueSpecification version="4">
  <SchemeManager>mine</SchemeManager>
  <IssuerID>club</IssuerID>
  <CredentialID>pass</CredentialID>
  <Name><en>Pass</en></Name>
  <Description><en>Opens the door of the club.</en></Description>
  <RevocationServers><RevocationServer>https://revocation.example.test/svc</RevocationServer></RevocationServers>
  <Attributes>
    <Attribute revocation="true"/>
    <Attribute id="holder"><Name><en>Holder</en></Name><Description><en>Holder</en></Description></Attribute>
  </Attributes>
</IssueSpecification>
`,
}

/** Fails the test with the output if the exit code is not 0. */
async function svc(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runSvc(words)
  assert.is(code, 0, `${words.join(' ')}: ${stderr}`)
  return stdout
}

async function session(address: string, ...words: readonly string[]): Promise<Record<string, unknown>> {
  const running = startSvc(['session', '--server', address, '--schemes-path', schemes, '--json', ...words])
  const said = await running.says('"}\n')
  await svc('wallet', 'answer', said.slice(0, said.indexOf('\n')), ...wallet, '--yes')
  const { code, stdout, stderr } = await running.finished
  assert.is(code, 0, stderr)
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
}

Own(
  'scheme keygen, issuer keygen, sign and verify make a scheme from hand-written descriptions',
  async () => {
    for (const [path, text] of Object.entries(DESCRIPTIONS)) {
      mkdirSync(join(scheme, path, '..'), { recursive: true })
      writeFileSync(join(scheme, path), text)
    }
    const [sk, pk] = [join(scheme, 'sk.pem'), join(scheme, 'pk.pem')]
    await svc('scheme', 'keygen', '-s', sk, '-p', pk)
    const { code, stdout, stderr } = await runSvc(['issuer', 'keygen', issuer, '-l', KEY_LENGTH, '-a', '4'])
    assert.is(code, 0, stderr)
    assert.match(
      stdout,
      /^Generating keys \(may take several minutes\)\nPrivate key written at .*\nPublic key .*\n$/,
    )
    assert.match(
      stderr,
      /^Safe primes: 1 of 2, \d+ numbers tested\nSafe primes: 2 of 2, \d+ numbers tested\n$/,
    )
    assert.is(statSync(join(issuer, 'PrivateKeys/0.xml')).mode & 0o777, 0o600)
    await svc('scheme', 'sign', sk, scheme)
    const noLogo = (what: string): string => `Warning: ${what} has no logo.png\n`
    const warnings = [
      noLogo('Issuer mine.club'),
      ...['member', 'pass'].map(name => noLogo(`Credential type mine.club.${name}`)),
    ]
    const verified = `Verifying scheme\n${warnings.join('')}\nVerification was successful.\n`
    assert.is(await svc('scheme', 'verify', scheme), verified)
  },
)

Own('svc server issues, discloses and revokes with it', async () => {
  assert.is(await svc('wallet', 'init', '--developer-mode', ...wallet), `0 credentials in ${walletFolder}\n`)
  const port = String(await freePort())
  const authority = JSON.stringify({ 'mine.club.pass': { authority: true } })
  const server = startSvc([
    'server',
    '--schemes-path',
    schemes,
    '--port',
    port,
    '--store',
    `sqlite:${join(walletFolder, '../s.db')}`,
    '--issue-perms',
    '*',
    '--revoke-perms',
    'mine.club.pass',
    '--revocation-settings',
    authority,
  ])
  try {
    await server.says('svc server running')
    const address = `http://127.0.0.1:${port}`
    const issued = await session(address, '--issue', 'mine.club.member=Alice,1999')
    assert.equal([issued.status, issued.proofStatus], ['DONE', 'VALID'])
    const shown = await session(address, '--disclose', 'mine.club.member.since')
    assert.equal([shown.status, shown.proofStatus], ['DONE', 'VALID'])
    assert.match(JSON.stringify(shown.disclosed), '"rawvalue":"1999"')
    await issueAndRevoke(address)
  } finally {
    server.process.kill('SIGTERM')
    await server.finished
  }
})

async function issueAndRevoke(address: string): Promise<void> {
  const issued = await session(address, '--issue', 'mine.club.pass=Alice', '--revocation-key', 'alice')
  assert.equal([issued.status, issued.proofStatus], ['DONE', 'VALID'])
  const context = 'https://svc.example/ld/request/disclosure/v2'
  const unrevoked = {
    '@context': context,
    disclose: [[['mine.club.pass.holder']]],
    revocation: ['mine.club.pass'],
  }
  const asked = ['--request', JSON.stringify(unrevoked)]
  const shown = await session(address, ...asked)
  assert.equal([shown.status, shown.proofStatus], ['DONE', 'VALID'])
  assert.match(JSON.stringify(shown.disclosed), '"rawvalue":"Alice"')
  assert.match(JSON.stringify(shown.disclosed), '"notrevoked":true')
  const revoke = ['issuer', 'revoke', 'mine.club.pass', 'alice', address, '--schemes-path', schemes]
  assert.is(await svc(...revoke), 'Revoked.\n')
  const again = await runSvc(revoke)
  assert.is(again.code, 1)
  assert.match(again.stderr, 'UNKNOWN_REVOCATION_KEY')
  const running = startSvc(['session', '--server', address, '--schemes-path', schemes, '--json', ...asked])
  const said = await running.says('"}\n')
  const answered = await runSvc(['wallet', 'answer', said.slice(0, said.indexOf('\n')), ...wallet, '--yes'])
  const { stdout } = await running.finished
  assert.equal(
    [answered.code === 0, Object(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).status],
    [false, 'CANCELLED'],
  )
}

Own('wrong arguments of issuer revoke are reported before any call to a server', async () => {
  const server = `http://127.0.0.1:${await freePort()}`
  const wrong = {
    [`mine.club.member k ${server}`]: [
      1,
      'svc: mine.club.member: expected a type that can be revoked, got another',
    ],
    [`mine.club.none k ${server}`]: [
      1,
      'svc: CREDENTIALTYPE: expected a type of the schemes, got "mine.club.none"',
    ],
    [`bad.id k ${server}`]: [1, 'svc: CREDENTIALTYPE: credential type id: expected <scheme>'],
    'mine.club.pass k 127.0.0.1:9': [255, 'Error: URL: expected an http or https address, got "127.0.0.1:9"'],
    [`mine.club.pass k ${server} -a token`]: [
      255,
      'Error: expected --auth-method (token, hmac or rsa) and --key together, got only --auth-method',
    ],
    [`mine.club.pass k ${server}`]: [
      1,
      `svc: revocation: expected an answer from ${server}, got none (ECONNREFUSED)`,
    ],
  } as const
  for (const [words, [code, message]] of Object.entries(wrong)) {
    const done = await runSvc(['issuer', 'revoke', ...words.split(' '), '--schemes-path', schemes])
    assert.equal([done.code, done.stdout], [code, ''])
    assert.ok(done.stderr.startsWith(message), done.stderr)
  }
})

Own('the next key of an issuer has the next counter, and the wanted expiry and number of bases', async () => {
  const until = ['--expirydate', '2031-01-31T12:00:00+01:00', '--numattributes', '5']
  await svc('issuer', 'keygen', issuer, '-l', '1024', ...until)
  const text = readFileSync(join(issuer, 'PublicKeys/1.xml'), 'utf8')
  assert.match(text, '<Counter>1</Counter>\n   <ExpiryDate>1927623600</ExpiryDate>')
  assert.match(text, '<Bases num="5">')
  const again = await runSvc(['issuer', 'keygen', issuer, '-l', '1024', '-c', '1'])
  assert.equal([again.code, again.stdout], [255, ''])
  assert.match(
    again.stderr,
    `Error: ${join(issuer, 'PrivateKeys/1.xml')}: expected a new file, but it exists; choose another with `,
  )
})

Own('wrong flags of issuer keygen are reported before any work', async () => {
  const wrong = {
    '-l 512': '--keylength: expected 1024, 2048 or 4096, got 512',
    '-c x': '--counter: expected an integer from 0 to 65535, got "x"',
    '-a 2': '--numattributes: expected an integer from 3 to 1000, got "2"',
    '-e tomorrow': '--expirydate: expected a time as 2030-12-31T00:00:00Z, got "tomorrow"',
    '-v 1w': '--valid-for: expected a number and y, M, d, h or m, got "1w"',
    '-v 1y -e 2031-01-31T00:00:00Z': '--expirydate: expected no --valid-for beside it, got one',
  }
  for (const [words, message] of Object.entries(wrong)) {
    const { code, stdout, stderr } = await runSvc(['issuer', 'keygen', issuer, ...words.split(' ')])
    assert.equal([code, stdout], [255, ''])
    assert.ok(stderr.startsWith(`Error: ${message}\n`), stderr)
  }
  const nowhere = await runSvc(['issuer', 'keygen', join(scheme, 'nobody')])
  assert.match(nowhere.stderr, /^Error: expected the folder of an issuer, but there is no /)
})
Own.run()
