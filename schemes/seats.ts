/** Finds the current folder of each scheme, and detects if it was replaced during a read: other processes may update schemes in the same folder.
 *  @module */
import { readdirSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { placeOf } from './names.ts'

/** The maximum number of reads if folders are replaced during each of them. The outcome of the last read is used. */
const MAX_READINGS = 5

/** The regular folder of a scheme, also if its files are in the folder that an interrupted update moved them to. */
export function placed(folder: string): string {
  const path = resolve(folder)
  return join(dirname(path), placeOf(basename(path)) ?? basename(path))
}

/** Repeats a read during which a scheme was replaced, whether it succeeded or failed.
 *  @param parent folder of schemes */
export async function unmoved<Result>(parent: string, read: () => Promise<Result>): Promise<Result> {
  for (let reading = 1; ; reading++) {
    const before = seatsIn(parent)
    const [ended] = await Promise.allSettled([read()])
    const isLast = reading === MAX_READINGS || seatsIn(parent) === before
    if (isLast && ended.status === 'rejected') throw ended.reason
    if (isLast && ended.status === 'fulfilled') return ended.value
  }
}

/** Names and inodes of all folders that may hold a version of a scheme. */
function seatsIn(parent: string): string {
  return namesIn(parent)
    .filter(name => !name.startsWith('.') || placeOf(name) !== null)
    .map(name => `${name} ${inodeOf(join(parent, name))}`)
    .sort()
    .join()
}

function namesIn(parent: string): readonly string[] {
  try {
    return readdirSync(parent)
  } catch {
    return [] // the read itself reports why the folder cannot be read
  }
}

function inodeOf(path: string): Stats['ino'] | null {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null
}
