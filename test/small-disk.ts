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
      writeFileSync(filling, Buffer.alloc(bavail * bsize - PAGE), { flag: 'a' })
      writeFileSync(filling, Buffer.alloc(PAGE), { flag: 'a' })
    },
    empty: () => rmSync(filling),
  }
}
