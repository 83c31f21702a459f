/** A file system of a few megabytes, which a test fills and empties. Only root can mount one. @module */
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

const MOUNT = '/usr/bin/mount'
/** The length of a page. Remaining room is filled in pieces of this length. */
const PAGE = 4_096

export type SmallDisk = {
  readonly folder: string
  /** Uses up all remaining room. */
  readonly fill: () => void
  /** Frees it again. */
  readonly empty: () => void
}

/** For `isMissing`: true if this process may mount one. */
export const hasSmallDisks = canMount()

function canMount(): boolean {
  if (process.getuid?.() !== 0 || !existsSync(MOUNT)) return false
  try {
    smallDisk(1)
    return true
  } catch {
    return false // a container without the right to mount
  }
}

/** Another process may use up the room first: the disk is then full as well. */
function writeUntilFull(file: string, bytes: number): void {
  try {
    writeFileSync(file, Buffer.alloc(Math.max(bytes, 0)), { flag: 'a' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}

/** Removed when this process ends. */
export function smallDisk(megabytes: number): SmallDisk {
  const folder = temporaryFolder()
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder]
  execFileSync(MOUNT, options, { stdio: 'ignore' })
  process.prependOnceListener('exit', () => execFileSync('/usr/bin/umount', ['--lazy', folder]))
  const filling = join(folder, 'filling')
  return {
    folder,
    fill() {
      const { bavail, bsize } = statfsSync(folder)
      writeUntilFull(filling, bavail * bsize - PAGE)
      writeUntilFull(filling, PAGE)
    },
    empty: () => rmSync(filling),
  }
}
