import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { ProfileName } from '../../protocol/profiles.ts'
import { suite } from '../suite.ts'
import { freePort, type Running, runSvc, startSvc } from './run-svc.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-session-'))
const wallet = ['--dir', join(folder, 'wallet'), '--schemes-path', 'demo/schemes']
const AGE = 'svc-demo.gov.idcard.over18'

async function withServer(words: readonly string[], use: (address: string) => Promise<void>): Promise<void> {
  const port = String(await freePort())
  const given = ['--schemes-path', 'demo/schemes', '--port', port, ...words]
  const server = startSvc(['server', ...given], { XDG_DATA_HOME: folder })
  try {
    await server.says('svc server running')
    await use(`http://127.0.0.1:${port}`)
  } finally {
    server.process.kill('SIGTERM')
  }
  assert.is((await server.finished).code, 0, 'a server that is told to stop ends with 0')
}

function session(address: string, profile: ProfileName, ...words: readonly string[]): Running {
  const given = ['--server', address, '--profile', profile, '--schemes-path', 'demo/schemes', '--json']
  return startSvc(['session', ...given, ...words])
}

/** Waits for the first line of standard output. */
async function pointerOf(running: Running): Promise<string> {
  const said = await running.says('"}\n')
  return said.slice(0, said.indexOf('\n'))
}

function answer(pointer: string, ...words: readonly string[]) {
  return runSvc(['wallet', 'answer', pointer, ...wallet, ...words])
}

function linesOf(stdout: string) {
  const lines = stdout.trimEnd().split('\n')
  assert.is(lines.length, 2, `expected pointer and result, got ${stdout}`)
  const [pointer, result] = lines.map(line => JSON.parse(line))
  return { pointer, result }
}

const Whole = suite('svc server, svc session and svc wallet together')
Whole.after(() => rmSync(folder, { recursive: true }))

Whole('svc wallet init makes the wallet that the others use; a second time is refused', async () => {
  const made = await runSvc(['wallet', 'init', '--demo', ...wallet])
  assert.is(made.code, 0, made.stderr)
  const again = await runSvc(['wallet', 'init', '--demo', ...wallet])
  assert.is(again.code, 1)
  assert.match(again.stderr, /^svc: [^\n]+\n$/)
  const shown = await runSvc(['wallet', 'show', 'svc-demo.gov.idcard', ...wallet])
  assert.match(shown.stdout, /\n {2}over18: yes\n/)
  const listed = await runSvc(['wallet', 'list', ...wallet])
  assert.match(listed.stdout, /svc-demo\.gov\.idcard {2}expires \d{4}-/)
})

Whole('a server of another profile: svc session names the profile to try, unless no flag would help', () =>
  withServer(['--profile', 'irma'], async address => {
    const flagged = await session(address, 'svc', '--disclose', AGE).finished
    assert.is(flagged.code, 1)
    assert.match(flagged.stderr, /; this server has the profile irma; try --profile irma\n$/)
    const request = JSON.stringify({
      '@context': 'https://svc.example/ld/request/disclosure/v2',
      disclose: [[[AGE]]],
    })
    for (const profile of ['svc', 'irma'] as const) {
      const { code, stderr } = await session(address, profile, '--request', request).finished
      assert.is(code, 1)
      assert.match(stderr, /; this server has the profile irma\n$/)
    }
  }),
)

for (const profile of ['svc', 'irma'] as const) {
  Whole(`${profile}: an attribute is disclosed, with and without pairing`, () =>
    withServer(['--profile', profile, '--store', `sqlite:${join(folder, profile)}.sqlite`], async address => {
      const plain = session(address, profile, '--disclose', AGE)
      assert.is((await answer(await pointerOf(plain), '--yes')).code, 0)
      const paired = session(address, profile, '--disclose', AGE, '--pairing')
      const pairedAnswer = answer(await pointerOf(paired), '--yes')
      await paired.says('Press Enter')
      paired.process.stdin?.write('\n')
      assert.match((await pairedAnswer).stdout, /^Pairing code: \d{4}\n/)
      for (const { code, stdout } of [await plain.finished, await paired.finished]) {
        const { pointer, result } = linesOf(stdout)
        assert.is(code, 0)
        assert.is(pointer[`${profile}qr`], 'disclosing')
        assert.equal([result.status, result.proofStatus], ['DONE', 'VALID'])
        assert.equal([result.disclosed[0][0].id, result.disclosed[0][0].rawvalue], [AGE, 'yes'])
      }
    }),
  )
}

Whole('a refused session ends with 0 on both sides, and its result says CANCELLED', () =>
  withServer(['--store', 'memory'], async address => {
    const running = session(address, 'svc', '--disclose', AGE)
    const refused = await answer(await pointerOf(running), '--refuse')
    assert.is(refused.code, 0, refused.stderr)
    assert.match(refused.stdout, /\nRefused\.\n$/)
    const { code, stdout } = await running.finished
    assert.is(code, 0)
    assert.is(linesOf(stdout).result.status, 'CANCELLED')
  }),
)

Whole(
  'with --fail svc session ends with 0 only for DONE with valid proofs, and prints the result in every case',
  () =>
    withServer(['--store', 'memory'], async address => {
      const valid = session(address, 'svc', '--disclose', AGE, '--fail')
      assert.is((await answer(await pointerOf(valid), '--yes')).code, 0)
      assert.is((await valid.finished).code, 0)
      const refused = session(address, 'svc', '--disclose', AGE, '--fail')
      await answer(await pointerOf(refused), '--refuse')
      const { code, stdout, stderr } = await refused.finished
      assert.is(code, 1)
      assert.is(linesOf(stdout).result.status, 'CANCELLED')
      assert.is(
        stderr,
        'svc: session: expected DONE with proofs that are VALID (--fail), got CANCELLED with no proofs\n',
      )
    }),
)

Whole('a pairing that the user does not confirm cancels the session', () =>
  withServer(['--store', 'memory'], async address => {
    const running = session(address, 'svc', '--disclose', AGE, '--pairing')
    running.process.stdin?.end()
    const refused = await answer(await pointerOf(running), '--yes')
    assert.is(refused.code, 1)
    assert.match(refused.stderr, /^svc: pairing-rejected: /)
    assert.is(linesOf((await running.finished).stdout).result.status, 'CANCELLED')
  }),
)

Whole('attributes that a wallet lacks are named, and the session is cancelled', () =>
  withServer(['--store', 'memory'], async address => {
    const running = session(address, 'svc', '--disclose', 'svc-demo.gov.permit.kind')
    const lacking = await answer(await pointerOf(running), '--yes')
    assert.is(lacking.code, 1)
    assert.match(lacking.stdout, /missing: svc-demo\.gov\.permit\.kind\n$/)
    assert.is(linesOf((await running.finished).stdout).result.status, 'CANCELLED')
  }),
)

Whole('the user of a wallet chooses among credentials and consents in the terminal; no input refuses', () =>
  withServer(['--store', 'memory'], async address => {
    const running = session(address, 'svc', '--disclose', 'svc-demo.gov.address.city')
    const chooser = startSvc(['wallet', 'answer', await pointerOf(running), ...wallet])
    chooser.process.stdin?.end('2\nyes\n')
    assert.is((await chooser.finished).code, 0)
    const { result } = linesOf((await running.finished).stdout)
    assert.is(result.disclosed[0][0].rawvalue, 'Vlieland')
    const second = session(address, 'svc', '--disclose', AGE)
    assert.match((await answer(await pointerOf(second))).stdout, /\nRefused\.\n$/)
    assert.is(linesOf((await second.finished).stdout).result.status, 'CANCELLED')
  }),
)

Whole('an offered credential is shown, received after consent, and stored in the wallet', () =>
  withServer(['--store', 'memory'], async address => {
    const running = session(address, 'svc', '--issue', 'svc-demo.fast.lot=Winter')
    const receiver = startSvc(['wallet', 'answer', await pointerOf(running), ...wallet])
    receiver.process.stdin?.end('yes\n')
    const { code, stdout } = await receiver.finished
    assert.is(code, 0)
    assert.match(stdout, /offers:\n {3}svc-demo\.fast\.lot, expires [-0-9]{10}\n {5}draw: Winter\n/)
    assert.match(stdout, /\nReceived: svc-demo\.fast\.lot\.\n$/)
    assert.is(linesOf((await running.finished).stdout).result.proofStatus, 'VALID')
    const shown = await runSvc(['wallet', 'show', 'svc-demo.fast.lot', ...wallet])
    assert.match(shown.stdout, /draw: Winter\n {2}number: [0-9a-zA-Z]{38,43}\n/)
  }),
)

Whole('--request passes a whole request, and --from-package follows a session of another program', () =>
  withServer(['--store', 'memory'], async address => {
    const request = { '@context': 'https://svc.example/ld/request/disclosure/v2', disclose: [[[AGE]]] }
    const given = session(address, 'svc', '--request', JSON.stringify({ timeout: 60, request }))
    assert.is((await answer(await pointerOf(given), '--yes')).code, 0)
    assert.is(linesOf((await given.finished).stdout).result.proofStatus, 'VALID')
    const headers = { 'content-type': 'application/json' }
    const made = await fetch(`${address}/session`, { method: 'POST', headers, body: JSON.stringify(request) })
    const followed = startSvc(['session', '--json', '--from-package', await made.text()])
    assert.is((await answer(await pointerOf(followed), '--yes')).code, 0)
    assert.is(linesOf((await followed.finished).stdout).result.proofStatus, 'VALID')
  }),
)

Whole('Ctrl-C ends svc session with 1 and cancels the session', () =>
  withServer(['--store', 'memory'], async address => {
    const running = session(address, 'svc', '--disclose', AGE)
    const pointer = await pointerOf(running)
    running.process.kill('SIGINT')
    assert.is((await running.finished).code, 1)
    const { u } = JSON.parse(pointer)
    assert.is(await (await fetch(`${u}/status`)).text(), '"CANCELLED"')
  }),
)

Whole('a requestor with a token is accepted, and others get the message of the server', () => {
  const requestors = JSON.stringify({
    Shop: { auth_method: 'token', key: 'shop token', disclose_perms: ['*'] },
  })
  return withServer(['--store', 'memory', '--no-auth=false', '--requestors', requestors], async address => {
    const allowed = session(
      address,
      'svc',
      '--disclose',
      AGE,
      '--auth-method',
      'token',
      '--key',
      'shop token',
    )
    assert.is((await answer(await pointerOf(allowed), '--yes')).code, 0)
    assert.is((await allowed.finished).code, 0)
    const unknown = await session(address, 'svc', '--disclose', AGE, '--auth-method', 'token', '--key', 'x')
      .finished
    assert.equal([unknown.code, unknown.stdout], [1, ''])
    assert.is(
      unknown.stderr,
      'svc: session request: the server answered 403 UNAUTHORIZED: expected the token of a requestor in Authorization, got another\n',
    )
  })
})

Whole(
  'without --server svc session starts its own server; the pointer can be a line or a QR code',
  async () => {
    const port = String(await freePort())
    const own = [
      'session',
      '--port',
      port,
      '--url',
      `http://127.0.0.1:port`,
      '--schemes-path',
      'demo/schemes',
    ]
    const running = startSvc([...own, '--noqr', '--disclose', AGE])
    assert.is((await answer(await pointerOf(running), '--yes')).code, 0)
    const { code, stdout } = await running.finished
    assert.is(code, 0)
    const [pointer = '', title, ...result] = stdout.split('\n')
    assert.is(JSON.parse(pointer).u.startsWith(`http://127.0.0.1:${port}/svc/session/`), true)
    assert.is(title, 'Session result:')
    assert.is(JSON.parse(result.join('\n')).proofStatus, 'VALID')
    assert.is(result[1]?.startsWith('  "token"'), true)
  },
)

Whole(
  'its own server begins a chain in both profiles, although it has no key to sign results with',
  async () => {
    for (const [profile, base] of [
      ['svc', 'https://svc.example'],
      ['irma', 'https://irma.app'],
    ] as const) {
      const request = { '@context': `${base}/ld/request/disclosure/v2`, disclose: [[[AGE]]] }
      const chain = JSON.stringify({ request, nextSession: { url: 'http://127.0.0.1:2/next' } })
      const port = String(await freePort())
      const own = [
        'session',
        '--profile',
        profile,
        '--port',
        port,
        '--schemes-path',
        'demo/schemes',
        '--json',
      ]
      const running = startSvc([...own, '--request', chain])
      const { u } = JSON.parse(await pointerOf(running))
      assert.is(
        (await fetch(u.replace(/^http:\/\/[^/]*/, `http://127.0.0.1:${port}`), { method: 'DELETE' })).status,
        200,
      )
      assert.is((await running.finished).code, 0)
    }
  },
)

Whole.run()
