/** Where the version of each scheme lies that counts, and whether it stayed there while it was read: other processes may be bringing schemes up to date in the
 *  same folder. @module */
import { readdirSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { placeOf } from './names.ts'

/** The most readings of folders that are replaced all the time: whatever the last one comes to counts. */
const MAX_READINGS = 5

/** The folder of a scheme itself, where one stands in that an update moved aside. */
export function placed(folder: string): string {
  const path = resolve(folder)
  return join(dirname(path), placeOf(basename(path)) ?? basename(path))
}

/** @param parent folder of schemes
 *  @param read again when a scheme was replaced meanwhile, whatever it came to */
export async function unmoved<Result>(parent: string, read: () => Promise<Result>): Promise<Result> {
  for (let reading = 1; ; reading++) {
    const before = seatsIn(parent)
    const [ended] = await Promise.allSettled([read()])
    const isLast = reading === MAX_READINGS || seatsIn(parent) === before
    if (isLast && ended.status === 'rejected') throw ended.reason
    if (isLast && ended.status === 'fulfilled') return ended.value
  }
}

/** Names and inodes of all folders where a version of a scheme may be found. */
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
    return [] // whoever reads it says why it cannot be read
  }
}

function inodeOf(path: string): Stats['ino'] | null {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null
}
