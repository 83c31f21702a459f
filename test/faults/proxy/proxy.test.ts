/** Every flow in the tests of the wallet library and of the packages of existing sites, with three nodes behind nginx. nginx spreads the calls over the nodes:
 *  a session must not depend on the node. Skipped, as the cluster is, unless `CLUSTER_SECONDS` is set. @module */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { hasNginx, PROXY_LOG } from '../../behind-proxy.ts'
import { hasChromium } from '../../demo/browser.ts'
import { hasPostgres } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

/** Test files, below test/. */
const FLOWS = [
  'wallet/end-to-end',
  'wallet/every-type',
  'wallet/revocation-end-to-end',
  'wallet/keyshare/real-servers',
  'frontends/back-ends',
  'frontends/frontends',
]
const TESTS = fileURLToPath(new URL('../../', import.meta.url))
const NODES = 3

const Proxied = suite('three nodes behind nginx')

function isLeftOut(flow: string): boolean {
  if (!process.env.CLUSTER_SECONDS) return true
  if (isMissing('nginx', hasNginx) || isMissing('PostgreSQL', hasPostgres)) return true
  return flow === 'frontends/frontends' && isMissing('/usr/bin/chromium', hasChromium)
}

/** @returns its output, if every test passed */
function passing(file: string, folder: string): Promise<string> {
  const env = { ...process.env, BEHIND_PROXY: folder }
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  return new Promise((resolve, reject) =>
    child.on('close', code => (code === 0 ? resolve(output) : reject(new Error(`exit ${code}:\n${output}`)))),
  )
}

/** nginx sends a call on to the next node if the connection to a node fails. Its line then has the addresses of both: `127.0.0.1:1, 127.0.0.1:2 200`.
 *  @returns the number of calls to each node, by the groups of nodes that a file started */
function callsByNode(log: string): readonly number[] {
  const counts = new Map<string, number>()
  for (const [node] of log.matchAll(/[0-9.]+:[0-9]+/g)) counts.set(node, (counts.get(node) ?? 0) + 1)
  return [...counts.values()]
}

Proxied('a call that nginx sent to two nodes counts for both', () => {
  assert.equal(callsByNode('127.0.0.1:1 200\n127.0.0.1:1, 127.0.0.1:2 200\n'), [2, 1])
})

for (const flow of FLOWS) {
  const test = isLeftOut(flow) ? Proxied.skip : Proxied
  test(`test/${flow}.test.ts passes unchanged, and every node gets calls`, async () => {
    const folder = temporaryFolder()
    const output = await passing(join(TESTS, `${flow}.test${import.meta.url.slice(-3)}`), folder)
    assert.match(output, /Passed: +[1-9]/)
    const calls = callsByNode(readFileSync(join(folder, PROXY_LOG), 'utf8'))
    assert.is(calls.length % NODES, 0, `expected groups of ${NODES} nodes, got ${calls.length} nodes`)
    assert.ok(Math.min(...calls) > 1, `expected calls at every node, got ${calls.join(', ')}`)
  })
}

Proxied.run()
