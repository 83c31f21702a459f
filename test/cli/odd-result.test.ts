/** `svc session` and a server whose result is none. @module */
import { createServer } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runSvc } from './run-svc.ts'

const Odd = suite('svc session: a result that is none')

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

Odd.run()
