/** The folders that are mutated beyond the charts, and the tests near each mutated file. @module */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DIST } from './workshop.ts'

type Near = { readonly source: string; readonly tests: readonly string[] }

/** For a file, the first entry whose `source` is a prefix of its path applies. `tests` are parts of paths below `test/`, the nearest first. */
const NEAR: readonly Near[] = [
  { source: 'machines', tests: ['paths/', 'actors/'] },
  { source: 'http/account-page/', tests: ['http/account-page/', 'http/keyshare/', 'server/keyshare/'] },
  { source: 'http/routes.', tests: ['openapi/', 'http/', 'server/'] },
  { source: 'http/openapi/', tests: ['openapi/', 'http/'] },
  { source: 'http/keyshare/', tests: ['http/keyshare/', 'server/keyshare/', 'http/account-page/', 'paths/'] },
  { source: 'http/limits.', tests: ['server/defaults', 'http/', 'paths/'] },
  { source: 'http/', tests: ['http/', 'paths/', 'faults/law', 'server/'] },
  { source: 'actors/accounts/', tests: ['actors/', 'http/keyshare/', 'paths/', 'server/keyshare/'] },
  {
    source: 'actors/',
    tests: ['actors/', 'http/', 'paths/', 'faults/law', 'faults/c', 'faults/random.', 'faults/store-faults'],
  },
  { source: 'sessions/verify-signature.', tests: ['server/verify-signature', 'cli/signature', 'sessions/'] },
  { source: 'sessions/', tests: ['sessions/', 'http/', 'actors/'] },
  { source: 'crypto/revocation/', tests: ['crypto/', 'sessions/', 'protocol/revocation'] },
  { source: 'crypto/', tests: ['crypto/', 'sessions/'] },
]

/** Folders whose checks are mutated. The two backends of big numbers and the searches for primes are left out: they check no proof, and separate tests compare
 *  their results with another calculation. */
export const ROOMS = ['http', 'actors', 'crypto', 'sessions'] as const
const LEFT_OUT = /^crypto\/(?:bignum\/|prime\.|safe-prime\.)/

/** The built files that are mutated beyond the charts. */
export function mutatedFiles(): string[] {
  return ROOMS.flatMap(room =>
    readdirSync(join(DIST, room), { recursive: true, encoding: 'utf8' }).map(name => `${room}/${name}`),
  )
    .filter(name => name.endsWith('.js') && !LEFT_OUT.test(name))
    .sort()
}

/** Every built test file below `test/` that is near one of the sources, or by default near any source of an entry. */
export function nearTests(sources: readonly string[] = NEAR.map(({ source }) => source)): string[] {
  const parts = [...new Set(sources.flatMap(testsOf))]
  return readdirSync(join(DIST, 'test'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.js') && parts.some(part => name.startsWith(part)))
    .sort()
}

/** The distance of a test file from a source. 0 is the nearest: a test with the same name. Infinity means not near. */
export function distanceOf(source: string, test: string): number {
  const index = testsOf(source).findIndex(part => test.startsWith(part))
  if (index === -1) return Number.POSITIVE_INFINITY
  return basename(test).startsWith(basename(source, '.js')) ? 0 : index + 1
}

function testsOf(source: string): readonly string[] {
  return NEAR.find(near => source.startsWith(near.source))?.tests ?? []
}
