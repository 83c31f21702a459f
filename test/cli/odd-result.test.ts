/** `svc session` and a server whose result is none, or that no longer knows the session. @module */
import { createServer } from 'node:http'
import * as assert from 'uvu/assert'
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
  const hanging = setTimeout(() => running.process.kill('SIGKILL'), 5_000)
  const { code, stderr } = await running.finished
  clearTimeout(hanging)
  server.closeAllConnections()
  server.close()
  assert.is(code, 1)
  assert.match(stderr, /\nsvc: session status: the server answered 400 SESSION_UNKNOWN\n$/)
})

Odd.run()
