/** A new version replaces a scheme: concurrent actions of any two processes, and the state after one ends in between (spec/schemes-and-cli#11.3). */
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

const Place = suite('taking the place of a scheme')

Place('the new version is where the old one was, which is kept by the time of its signature', () => {
  const all = installed()
  takePlace(all)
  assert.equal(readdirSync(all.parent).sort(), ['.keptscheme-demo-1', '.tempscheme-x', 'demo'])
  assert.is(numberIn(all.folder), '2')
  assert.is(keptVersion(all.folder, 1), join(all.parent, '.keptscheme-demo-1'))
  assert.is(keptVersion(all.folder, 2), null)
})

Place('what another process has put there meanwhile is not replaced: no version is taken back', () => {
  const all = installed()
  version(all.folder, 3)
  assert.ok(lost(() => takePlace(all)))
  assert.is(numberIn(all.folder), '3')
  assert.equal(readdirSync(all.parent).sort(), ['.tempscheme-x', 'demo'])
})

Place('while another process is between its steps, nothing is taken', () => {
  const all = installed()
  version(all.old, 1)
  assert.ok(lost(() => takePlace(all)))
  assert.is(numberIn(all.folder), '1')
})

Place('where the new version cannot be moved, the old one is put back', () => {
  const all = installed()
  assert.ok(lost(() => takePlace({ ...all, copy: join(all.parent, 'nowhere') })))
  assert.is(numberIn(all.folder), '1')
  assert.not(readdirSync(all.parent).includes('.oldscheme-demo'))
})

Place('cut short before the new version came, the old one is put back', () => {
  const all = installed()
  renameSync(all.folder, all.old)
  finishInterrupted(all.folder, NOW)
  assert.equal([numberIn(all.folder), readdirSync(all.parent).sort()], ['1', ['.tempscheme-x', 'demo']])
})

Place('cut short after that, the old one is kept', () => {
  const all = installed()
  renameSync(all.folder, all.old)
  renameSync(all.copy, all.folder)
  finishInterrupted(all.folder, NOW)
  assert.is(numberIn(all.folder), '2')
  assert.equal(readdirSync(all.parent).sort(), ['.keptscheme-demo-1', '.tempscheme-x', 'demo'])
})

Place('a version is kept for 22 days after it was replaced, whenever it was made', () => {
  const all = installed()
  utimesSync(all.folder, 1, 1)
  takePlace(all)
  dropKept(all.folder, NOW + 22 * DAY_MS)
  assert.ok(keptVersion(all.folder, 1))
  dropKept(all.folder, NOW + 22 * DAY_MS + 1_000)
  assert.is(keptVersion(all.folder, 1), null)
  assert.is(numberIn(all.folder), '2')
})

Place('of more than 32 versions the latest are kept, and those of other schemes stay', () => {
  const { parent, folder } = installed()
  for (let number = 1; number <= 34; number++)
    utimesSync(version(join(parent, `.keptscheme-demo-${number}`), number), NOW / 1_000, NOW / 1_000)
  version(join(parent, '.keptscheme-demo-else-7'), 7)
  dropKept(folder, NOW)
  assert.equal([keptVersion(folder, 2), keptVersion(folder, 3) === null], [null, false])
  assert.ok(readdirSync(parent).includes('.keptscheme-demo-else-7'))
})

Place('whoever reads while a scheme is replaced reads again, whether it failed or not', async () => {
  const all = installed()
  let readings = 0
  const read = async (): Promise<string> => {
    if (++readings > 1) return numberIn(all.folder)
    takePlace(all)
    throw new Error('half of the one, half of the other')
  }
  assert.equal([await unmoved(all.parent, read), readings], ['2', 2])
})

Place('a reading that fails while nothing moves fails', async () => {
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
