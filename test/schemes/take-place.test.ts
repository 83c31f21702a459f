/** A new version replaces a scheme: concurrent steps of two processes, and the state after a process ended between two steps (spec/schemes-and-cli#11.3). */
import { mkdirSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { unmoved } from '../../schemes/seats.ts'
import {
  dropKept,
  finishInterrupted,
  keptVersion,
  PlaceLostError,
  takePlace,
} from '../../schemes/take-place.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const DAY_MS = 24 * 3_600_000
const NOW = 1_800_000_000_000

/** A folder that contains its version number. */
function version(folder: string, number: number): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index'), `index ${number}`)
  writeFileSync(join(folder, 'timestamp'), `${number}\n`)
  return folder
}
const indexOf = (folder: string): Buffer => readFileSync(join(folder, 'index'))
const numberIn = (folder: string): string => readFileSync(join(folder, 'timestamp'), 'utf8').trim()

function installed() {
  const parent = temporaryFolder()
  const folder = version(join(parent, 'demo'), 1)
  const copy = version(join(parent, '.tempscheme-x/demo'), 2)
  return { parent, folder, copy, old: join(parent, '.oldscheme-demo'), replaced: indexOf(folder), nowMs: NOW }
}

function lost(doing: () => void): boolean {
  try {
    doing()
    return false
  } catch (error) {
    if (error instanceof PlaceLostError) return true
    throw error
  }
}

const Place = suite('replacing a scheme')

Place('the new version is in the place of the old one, which is kept under the time of its signature', () => {
  const all = installed()
  takePlace(all)
  assert.equal(readdirSync(all.parent).sort(), ['.keptscheme-demo-1', '.tempscheme-x', 'demo'])
  assert.is(numberIn(all.folder), '2')
  assert.is(keptVersion(all.folder, 1), join(all.parent, '.keptscheme-demo-1'))
  assert.is(keptVersion(all.folder, 2), null)
})

Place('a version that another process has installed meanwhile is not replaced by an older one', () => {
  const all = installed()
  version(all.folder, 3)
  assert.ok(lost(() => takePlace(all)))
  assert.is(numberIn(all.folder), '3')
  assert.equal(readdirSync(all.parent).sort(), ['.tempscheme-x', 'demo'])
})

Place('while another process is between its steps, nothing is replaced', () => {
  const all = installed()
  version(all.old, 1)
  assert.ok(lost(() => takePlace(all)))
  assert.is(numberIn(all.folder), '1')
})

Place('if the new version cannot be moved, the old one is put back', () => {
  const all = installed()
  assert.ok(lost(() => takePlace({ ...all, copy: join(all.parent, 'nowhere') })))
  assert.is(numberIn(all.folder), '1')
  assert.not(readdirSync(all.parent).includes('.oldscheme-demo'))
})

Place('if the process ended before it moved the new version, the old one is put back', () => {
  const all = installed()
  renameSync(all.folder, all.old)
  finishInterrupted(all.folder, NOW)
  assert.equal([numberIn(all.folder), readdirSync(all.parent).sort()], ['1', ['.tempscheme-x', 'demo']])
})

Place('if the process ended after it moved the new version, the old one is kept beside it', () => {
  const all = installed()
  renameSync(all.folder, all.old)
  renameSync(all.copy, all.folder)
  finishInterrupted(all.folder, NOW)
  assert.is(numberIn(all.folder), '2')
  assert.equal(readdirSync(all.parent).sort(), ['.keptscheme-demo-1', '.tempscheme-x', 'demo'])
})

Place('a version is kept for 22 days after it was replaced, regardless of the time of its files', () => {
  const all = installed()
  utimesSync(all.folder, 1, 1)
  takePlace(all)
  dropKept(all.folder, NOW + 22 * DAY_MS)
  assert.ok(keptVersion(all.folder, 1))
  dropKept(all.folder, NOW + 22 * DAY_MS + 1_000)
  assert.is(keptVersion(all.folder, 1), null)
  assert.is(numberIn(all.folder), '2')
})

Place('the latest 32 versions are kept, and versions of other schemes stay', () => {
  const { parent, folder } = installed()
  for (let number = 1; number <= 34; number++)
    utimesSync(version(join(parent, `.keptscheme-demo-${number}`), number), NOW / 1_000, NOW / 1_000)
  version(join(parent, '.keptscheme-demo-else-7'), 7)
  dropKept(folder, NOW)
  assert.equal([keptVersion(folder, 2), keptVersion(folder, 3) === null], [null, false])
  assert.ok(readdirSync(parent).includes('.keptscheme-demo-else-7'))
})

Place('a reading during a replacement is repeated, even if it failed', async () => {
  const all = installed()
  let readings = 0
  const read = async (): Promise<string> => {
    if (++readings > 1) return numberIn(all.folder)
    takePlace(all)
    throw new Error('expected one version, got parts of two')
  }
  assert.equal([await unmoved(all.parent, read), readings], ['2', 2])
})

Place('a reading that fails without a replacement is not repeated', async () => {
  const { parent } = installed()
  let readings = 0
  const reading = unmoved(parent, async () => {
    readings++
    throw new Error('broken')
  })
  assert.is(await reading.catch((error: Error) => error.message), 'broken')
  assert.is(readings, 1)
})
Place.run()
