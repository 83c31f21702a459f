/** A printed code, from the settings of a server to the callback: svc server, svc session and svc wallet together (spec/session-server#16). @module */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { contextOf } from '../../protocol/contexts.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { freePort, runSvc, startSvc } from './run-svc.ts'

const AGE = 'svc-demo.gov.idcard.over18'
const wallet = ['--dir', join(temporaryFolder(), 'wallet'), '--schemes-path', 'demo/schemes']

type Results = { readonly url: string; readonly first: Promise<unknown>; close(): void }

async function receiveResults(): Promise<Results> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const first = once(server, 'request').then(async ([request, response]) => {
    const body = Buffer.concat(await request.toArray()).toString()
    response.end()
    return JSON.parse(body)
  })
  const { port } = server.address() as AddressInfo // the server listens on TCP
  return { url: `http://127.0.0.1:${port}/`, first, close: () => void server.close() }
}

const Printed = suite('static sessions: a printed code is answered')

Printed.before(async () => {
  const made = await runSvc(['wallet', 'init', '--demo', ...wallet])
  assert.is(made.code, 0, made.stderr)
})

for (const name of ['svc', 'irma'] as const)
  Printed(
    `profile ${name}: \`svc wallet answer\` answers the session that the printed code leads to, and the callback gets its result`,
    async () => {
      const results = await receiveResults()
      const port = String(await freePort())
      const address = `http://127.0.0.1:${port}`
      const context = contextOf(PROFILES[name].contextBase, 'disclosing')
      const over18 = { callbackUrl: results.url, request: { '@context': context, disclose: [[[AGE]]] } }
      const settings = ['--static-sessions', JSON.stringify({ over18 }), '--allow-unsigned-callbacks', 'true']
      const listening = ['--profile', name, '--port', port, '--url', address, '--store', 'memory']
      const server = startSvc(['server', '--schemes-path', 'demo/schemes', ...listening, ...settings])
      await server.says('svc server running')
      const words = [
        '--static-server',
        address,
        '--static-name',
        'over18',
        '--profile',
        name,
        '--json',
        '--noqr',
      ]
      const { stdout: pointer } = await runSvc(['session', ...words])
      assert.equal(JSON.parse(pointer)[`${name}qr`], 'redirect')
      const answered = await runSvc(['wallet', 'answer', pointer, '--yes', ...wallet])
      assert.is(answered.code, 0, answered.stderr)
      const { status, proofStatus, disclosed } = Object(await results.first)
      assert.equal([status, proofStatus, disclosed[0][0].rawvalue], ['DONE', 'VALID', 'yes'])
      results.close()
      server.process.kill('SIGTERM')
      assert.is((await server.finished).code, 0)
    },
  )

Printed.run()
