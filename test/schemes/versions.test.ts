/** The newest schemes of a running server, and those with which its sessions began. */
import * as assert from 'uvu/assert'
import { parseSchemeId } from '../../protocol/ids.ts'
import { loadSchemes } from '../../schemes/load.ts'
import type { SchemeContent } from '../../schemes/types.ts'
import { signedTimesOf } from '../../schemes/version-text.ts'
import { createVersions, type Versions } from '../../schemes/versions.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'

const demo = await loadSchemes(DEMO_SCHEMES)
const DEMO = parseSchemeId('svc-demo')

/** The demo scheme with that time of its signature. */
function signedAt(timestampSec: number): SchemeContent {
  const [content] = demo.contents.filter(({ scheme }) => scheme.id === DEMO)
  if (!content) throw new Error('expected the demo scheme')
  return { ...content, scheme: { ...content.scheme, timestampSec } }
}

function started(disk: readonly number[] = [], comes: readonly number[] = []) {
  const heard: unknown[] = []
  const versions: Versions = createVersions(demo, {
    async readKept(folder, timestampSec) {
      heard.push(['read', folder.split('/').at(-1), timestampSec])
      return disk.includes(timestampSec) ? signedAt(timestampSec) : null
    },
    async lookAgain() {
      heard.push('looked')
      for (const at of comes) versions.take(signedAt(at))
    },
    noteMissing: (scheme, at) => heard.push(['missing', scheme, at]),
  })
  return { versions, heard }
}
const secOf = ({ schemes }: Pick<Versions['now'], 'schemes'>): number | undefined =>
  schemes.get(DEMO)?.timestampSec
const FIRST = secOf(demo) ?? 0
const OTHER = demo.version.split(' ')[1]
const named = (seconds: number): string => `svc-demo@${seconds} ${OTHER}`

const AsOf = suite('the newest schemes, and those with which sessions began')

AsOf('the name of a version contains the times of all signatures', () => {
  assert.is(demo.version, named(FIRST))
  assert.equal(
    [...signedTimesOf('a@1 b@x c d@-2')],
    [
      ['a', 1],
      ['d', -2],
    ],
  )
})

AsOf('lookups use a new version at once, and followers are notified', () => {
  const { versions } = started()
  const heard: unknown[] = []
  versions.follow(({ timestampSec }) => heard.push(timestampSec))
  const { now } = versions
  versions.take(signedAt(FIRST + 1))
  assert.equal(
    [secOf(now), now.version, now.contents.length, heard],
    [FIRST + 1, named(FIRST + 1), 2, [FIRST + 1]],
  )
})

AsOf('a session has the version that it began with, from memory', async () => {
  const { versions, heard } = started()
  const { version } = versions.now
  versions.take(signedAt(FIRST + 1))
  assert.is(secOf(await versions.asOf(version)), FIRST)
  assert.is(secOf(await versions.asOf(undefined)), FIRST + 1)
  assert.equal(heard, [])
})

AsOf('after a restart a kept version is read from disk, once', async () => {
  const { versions, heard } = started([FIRST - 5])
  for (let i = 0; i < 2; i++) assert.is(secOf(await versions.asOf(named(FIRST - 5))), FIRST - 5)
  assert.equal(heard, [['read', 'svc-demo', FIRST - 5]])
})

AsOf('only the latest versions stay in memory, and older ones are read again', async () => {
  const { versions, heard } = started([FIRST])
  for (let i = 1; i <= 6; i++) versions.take(signedAt(FIRST + i))
  assert.is(secOf(await versions.asOf(named(FIRST))), FIRST)
  assert.is(secOf(await versions.asOf(named(FIRST + 5))), FIRST + 5)
  assert.equal(heard, [['read', 'svc-demo', FIRST]])
})

AsOf('a session that began with a newer version on another node makes this node look for it', async () => {
  const { versions, heard } = started([], [FIRST + 1])
  assert.is(secOf(await versions.asOf(named(FIRST + 1))), FIRST + 1)
  assert.equal(heard, ['looked'])
})

AsOf('a missing version is reported, and the newest one is used until it is found', async () => {
  const disk: number[] = []
  const { versions, heard } = started(disk)
  assert.is(secOf(await versions.asOf(named(FIRST - 9))), FIRST)
  assert.equal(heard.at(-1), ['missing', 'svc-demo', FIRST - 9])
  disk.push(FIRST - 9)
  assert.is(secOf(await versions.asOf(named(FIRST - 9))), FIRST - 9)
})

AsOf('a scheme that was added later is not in the schemes of an earlier session', async () => {
  const { versions } = started()
  const then = await versions.asOf(`svc-demo@${FIRST}`)
  assert.equal([...then.schemes.keys()], [DEMO])
})
AsOf.run()
