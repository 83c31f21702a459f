/** Schemathesis sends thousands of calls to both servers, in both profiles, inside and outside of their descriptions. No call may end in a 500 or in an answer that
 *  is not described, and no wrong call may be accepted. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { systemRandomness } from '../../ports/randomness.ts'
import { contextOf } from '../../protocol/contexts.ts'
import { PROFILES, type ProfileName } from '../../protocol/profiles.ts'
import { startSigningService } from '../conformance/signing-service.ts'
import { withMethods } from '../http/keyshare/harness.ts'
import { numberGiven } from '../number-given.ts'
import { PROJECT } from '../project.ts'
import { startNode } from '../server/keyshare/node.ts'
import { suite, tellAtEnd } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** The folder in which pip has installed the package `schemathesis`. */
const FOLDER = process.env.SCHEMATHESIS_FOLDER ?? ''
/** The time for all four runs together. A run without any case is repeated with twice the time. */
const SECONDS = numberGiven('SCHEMATHESIS_SECONDS', 0, 0)
const SEED = process.env.SCHEMATHESIS_SEED ?? '1'
const isThere = existsSync(join(FOLDER, 'schemathesis'))
const USER = 'abcdefghijkl'
const PIN = '12345'

const CARD = { initials: 'J.', familyname: 'Jansen', over18: 'yes', nationality: 'NL', docnumber: 'X1' }

/** The values that hooks.py needs to create sessions and to log in. */
function partsFor(profile: ProfileName, isOfUsers: boolean): object {
  const { contextBase, minVersionHeader, maxVersionHeader } = PROFILES[profile]
  return {
    disclosing: {
      '@context': contextOf(contextBase, 'disclosing'),
      disclose: [[['svc-demo.gov.idcard.over18']]],
    },
    issuing: {
      '@context': contextOf(contextBase, 'issuing'),
      credentials: [{ credential: 'svc-demo.gov.idcard', attributes: CARD }],
    },
    pairing: { '@context': contextOf(contextBase, 'frontendOptions'), pairingMethod: 'pin' },
    versions: { [minVersionHeader]: '2.4', [maxVersionHeader]: '2.8', Authorization: 'app' },
    ...(isOfUsers && { user: { id: USER, pin: PIN } }),
  }
}

type Run = { readonly code: number | null; readonly output: string }

function runFor(seconds: number, url: string, profile: ProfileName, isOfUsers: boolean): Promise<Run> {
  const config = join(PROJECT, 'test/openapi/schemathesis.toml')
  const args = [
    '-m',
    'schemathesis.cli',
    '--config-file',
    config,
    'run',
    `${url}openapi.json`,
    '--no-color',
    '--seed',
    SEED,
    '--no-shrink',
    '--continue-on-failure',
    '--warnings',
    'off',
    '--max-time',
    String(seconds),
    '--request-timeout',
    '20',
    '--generation-database',
    'none',
    '--max-examples',
    '20',
  ]
  const env = {
    ...process.env,
    PYTHONPATH: `${FOLDER}:${join(PROJECT, 'test/openapi')}`,
    PYTHONDONTWRITEBYTECODE: '1',
    SCHEMATHESIS_HOOKS: 'hooks',
    API_URL: url.slice(0, -1),
    API_PREFIX: PROFILES[profile].prefix,
    API_PARTS: JSON.stringify(partsFor(profile, isOfUsers)),
  }
  return ended(spawn('python3', args, { env, cwd: temporaryFolder() }))
}

/** A slow machine may spend the time before the first case. Such a run is repeated with more time. */
async function run(url: string, profile: ProfileName, isOfUsers: boolean): Promise<Run> {
  for (let seconds = Math.ceil(SECONDS / 4); ; seconds *= 2) {
    const done = await runFor(seconds, url, profile, isOfUsers)
    const isTooShort = casesIn(done) === 0 && done.output.includes('Time limit reached')
    if (!isTooShort) return done
  }
}

function casesIn({ output }: Run): number {
  return Number(/^ *(\d+) generated/m.exec(output)?.[1] ?? 0)
}

function ended(child: ChildProcess): Promise<Run> {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return new Promise(resolve => child.once('close', code => resolve({ code, output })))
}

function judge(what: string, done: Run): void {
  tellAtEnd(`schemathesis, ${what}: ${casesIn(done)} cases`)
  assert.is(done.code, 0, done.output)
  assert.ok(casesIn(done) > 0, done.output)
}

const Schemathesis = suite('schemathesis')

for (const profile of ['svc', 'irma'] as const) {
  const skipped = SECONDS === 0 || (!isThere && process.env.CI !== 'true')
  const test = skipped ? Schemathesis.skip : Schemathesis
  test(`finds nothing wrong with a session server, profile ${profile}${why()}`, async () => {
    const { service } = await startSigningService({ profile })
    try {
      judge(`session server, ${profile}`, await run(service.url, profile, false))
    } finally {
      await service.close()
    }
  })

  test(`finds nothing wrong with a keyshare server, profile ${profile}${why()}`, async () => {
    const names = [USER]
    const random = withMethods(systemRandomness, {
      userName: () => names.pop() ?? systemRandomness.userName(),
    })
    const node = await startNode({ profile, registrations_per_caller: 0 }, { random })
    try {
      await fetch(`${node.url}client/register`, { method: 'POST', body: JSON.stringify({ pin: PIN }) })
      judge(`keyshare server, ${profile}`, await run(node.url, profile, true))
    } finally {
      await node.close()
    }
  })
}

function why(): string {
  if (SECONDS === 0) return ' (needs SCHEMATHESIS_SECONDS)'
  return isThere ? '' : ' (needs SCHEMATHESIS_FOLDER)'
}

Schemathesis.run()
