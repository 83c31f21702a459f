/** `svc session` with a server that gives an invalid result, or that no longer knows the session. @module */
import { createServer } from 'node:http'
import * as assert from 'uvu/assert'
import { inTime } from '../patience.ts'
import { suite } from '../suite.ts'
import { runSvc, startSvc } from './run-svc.ts'

const Odd = suite('svc session: odd answers')

for (const result of ['not JSON \u001b[2J', '"DONE"', 'null', ''])
  Odd(`an answer ${JSON.stringify(result)} is an error, and not repeated on the terminal`, async () => {
    const server = createServer(({ url = '' }, response) => {
      if (url.endsWith('/statusevents')) response.writeHead(404).end()
      else response.end(url.endsWith('/result') ? result : '"DONE"')
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    assert.ok(typeof address === 'object' && address)
    const u = `http://127.0.0.1:${address.port}/svc/session/abcdefghij0123456789`
    const given = JSON.stringify({ token: 'abcdefghij0123456789', sessionPtr: { u, svcqr: 'disclosing' } })
    const finished = await runSvc(['session', '--json', '--from-package', given])
    server.closeAllConnections()
    server.close()
    assert.is(finished.code, 1)
    assert.is(finished.stderr, 'svc: session result: expected a JSON object, got something else\n')
    assert.is(finished.stdout.trim().split('\n').length, 1, 'the pointer alone')
  })

Odd('a session that is lost while the user is asked about its pairing code ends the command', async () => {
  let isKnown = true
  const server = createServer(({ url = '' }, response) => {
    if (url.endsWith('/statusevents')) response.writeHead(404).end()
    else if (url.endsWith('/options')) response.end('{"pairingCode":"0815"}')
    else response.writeHead(isKnown ? 200 : 400).end(isKnown ? '"PAIRING"' : '{"error":"SESSION_UNKNOWN"}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  const u = `http://127.0.0.1:${address.port}/svc/session/abcdefghij0123456789`
  const versions = { minProtocolVersion: '1.0', maxProtocolVersion: '1.1' }
  const frontendRequest = { authorization: 'abcdefghij0123456789', ...versions }
  const given = JSON.stringify({ sessionPtr: { u, svcqr: 'disclosing' }, frontendRequest })
  const running = startSvc(['session', '--json', '--pairing', '--from-package', given])
  await running.says('Press Enter')
  isKnown = false
  await running.says('svc: ')
  const { code, stderr } = await inTime(running.finished, 'the end of the command')
  server.closeAllConnections()
  server.close()
  assert.is(code, 1)
  assert.match(stderr, /\nsvc: session status: the server answered 400 SESSION_UNKNOWN\n$/)
})

/** A server whose session has ended, with this result. */
async function withEnded(result: object, use: (session: object) => Promise<void>): Promise<void> {
  const server = createServer(({ url = '' }, response) => {
    if (url.endsWith('/statusevents')) response.writeHead(404).end()
    else response.end(url.endsWith('/result') ? JSON.stringify(result) : '"DONE"')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  const u = `http://127.0.0.1:${address.port}/svc/session/abcdefghij0123456789`
  try {
    await use({ token: 'abcdefghij0123456789', sessionPtr: { u, svcqr: 'disclosing' } })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Results by the verdict of --fail. */
const FAILED = {
  'CANCELLED with no proofs': { status: 'CANCELLED' },
  'CANCELLED with VALID': { status: 'CANCELLED', proofStatus: 'VALID' },
  'DONE with INVALID': { status: 'DONE', proofStatus: 'INVALID' },
  'DONE with no proofs': { status: 'DONE' },
  'no result with a status': { proofStatus: 'VALID' },
}

for (const [got, result] of Object.entries(FAILED))
  Odd(
    `--fail: a result that is ${got} ends the command with 1, once it is printed; without --fail with 0`,
    () =>
      withEnded(result, async session => {
        const words = ['session', '--json', '--from-package', JSON.stringify(session)]
        assert.is((await runSvc(words)).code, 0)
        const { code, stdout, stderr } = await runSvc([...words, '--fail'])
        assert.is(code, 1)
        assert.ok(stdout.endsWith(`\n${JSON.stringify(result)}\n`), stdout)
        assert.is(stderr, `svc: session: expected DONE with proofs that are VALID (--fail), got ${got}\n`)
      }),
  )

Odd('--fail: DONE with VALID ends with 0, and a missing result with 1', () =>
  withEnded({ status: 'DONE', proofStatus: 'VALID' }, async session => {
    const words = (given: object) => ['session', '--json', '--fail', '--from-package', JSON.stringify(given)]
    assert.is((await runSvc(words(session))).code, 0)
    const { code, stderr } = await runSvc(words({ ...session, token: undefined }))
    assert.is(code, 1)
    assert.match(
      stderr,
      /^No session result available\.\nsvc: session: .* \(--fail\), got no result with a status\n$/,
    )
  }),
)

Odd.run()
