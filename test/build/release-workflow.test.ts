/** The steps of `.github/workflows/release.yml` that need a registry or the server of the repository, run against servers of the test. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { z } from 'zod'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const Workflow = suite('the workflow of a release')

const step = z.object({ name: z.string().optional(), run: z.string().optional() })
const { jobs } = z
  .object({ jobs: z.object({ publish: z.object({ steps: z.array(step) }) }) })
  .parse(parse(readFileSync(join(PROJECT, '.github/workflows/release.yml'), 'utf8')))

function commandOf(name: string): string {
  const run = jobs.publish.steps.find(each => each.name === name)?.run
  if (run === undefined) throw new Error(`expected a step "${name}" with a command`)
  return run
}

type Call = { readonly line: string; readonly authorization: string; readonly body: string }

/** Answers 201 to every PUT and POST, and 404 to every other request. */
async function withServer(use: (address: string, calls: readonly Call[]) => Promise<void>): Promise<void> {
  const calls: Call[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    const body = Buffer.concat(await request.toArray()).toString('utf8')
    calls.push({ line: `${method} ${url}`, authorization: headers.authorization ?? '', body })
    response.writeHead(method === 'GET' ? 404 : 201, { 'Content-Type': 'application/json' }).end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo // it listens on a port
    await use(`http://127.0.0.1:${port}`, calls)
  } finally {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
}

function run(command: string, cwd: string, env: Readonly<Record<string, string>>) {
  const { PATH = '' } = process.env
  return promisify(execFile)('bash', ['-ec', command], { cwd, env: { PATH, HOME: cwd, ...env } })
}

Workflow('a package is published with the token of the environment', () =>
  withServer(async (address, calls) => {
    const home = temporaryFolder()
    const folder = join(home, 'content')
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), '{ "name": "a-package", "version": "1.0.0" }')
    const env = { npm_config_registry: `${address}/` }
    const token = commandOf('the token of the registry, for the two steps that publish')
    await run(token, home, { ...env, NPM_TOKEN: 'a-token' })
    await run('npm publish ./content --access public', home, env)
    const published = calls.filter(({ line }) => line.startsWith('PUT'))
    assert.equal(
      published.map(({ line, authorization }) => [line, authorization]),
      [['PUT /a-package', 'Bearer a-token']],
    )
  }),
)

Workflow('the page of the release has the chapter of the version as its text', () =>
  withServer(async (address, calls) => {
    const folder = temporaryFolder()
    const scripts = { release: `node '${join(PROJECT, 'tools/release.js')}'` }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '0.2.0', scripts }))
    writeFileSync(join(folder, 'CHANGELOG.md'), '## Unreleased\n\n## 0.2.0 (2030-01-01)\n\n* A line.\n')
    const repository = { GITHUB_API_URL: address, GITHUB_REPOSITORY: 'a/b', GITHUB_REF_NAME: 'v0.2.0' }
    await run(commandOf('the page of the release'), folder, { ...repository, TOKEN: 'x' })
    assert.equal(
      calls.map(({ line, authorization }) => [line, authorization]),
      [['POST /repos/a/b/releases', 'Bearer x']],
    )
    const { body, ...release } = JSON.parse(calls[0]?.body ?? '')
    assert.equal(release, { tag_name: 'v0.2.0', name: 'v0.2.0' })
    assert.is(body.trim(), '* A line.')
  }),
)

Workflow.run()
