/** A file system of a few megabytes, which a test fills and empties. Only root may mount one. @module */
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

const MOUNT = '/usr/bin/mount'
/** Room that is left is filled in pieces of this length, which is that of a page. */
const PAGE = 4_096

export type SmallDisk = {
  readonly folder: string
  /** Takes all the room that is left. */
  readonly fill: () => void
  /** Gives it back. */
  readonly empty: () => void
}

/** For `isMissing`: whether this process may mount one. */
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

/** Another process may take the room first: then the disk is full as well. */
function writeUntilFull(file: string, bytes: number): void {
  try {
    writeFileSync(file, Buffer.alloc(Math.max(bytes, 0)), { flag: 'a' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}

/** It is gone when this process ends. */
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
