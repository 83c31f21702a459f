/** Refuses a file with a second name. SQLite places the write-ahead log beside the name that it was given, so two names would have two separate logs.
 *  A symbolic link is not a second name, because SQLite resolves it first. A folder that is mounted twice is accepted, because both paths lead to the same log.
 *  @module */
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'

/** The mounts of this process on Linux. */
const MOUNTS = '/proc/self/mountinfo'

/** @param file need not exist
 *  @throws {Error} for a hard link, a file that is itself a mount point, a path that is not a file, and a symbolic link without a target */
export function refuseSecondName(file: string): void {
  if (!existsSync(file)) {
    refuseLinkToNothing(file)
    return
  }
  const stat = statSync(file)
  if (!stat.isFile()) throw new Error(`store ${file}: expected a file, got something else: name another one`)
  const { nlink } = stat
  if (nlink > 1)
    throw new Error(
      `store ${file}: expected a file with one name, got one with ${nlink} (hard links): remove the others`,
    )
  if (mountPoints().includes(realpathSync(file)))
    throw new Error(
      `store ${file}: expected a file in a folder that is mounted, got one that is mounted by itself: mount its folder`,
    )
}

function refuseLinkToNothing(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(
      `store ${file}: expected a file, or the path of a new one, got a symbolic link that leads to no file: let it lead to one, or name another path`,
    )
}

function mountPoints(): string[] {
  if (!existsSync(MOUNTS)) return []
  return readFileSync(MOUNTS, 'utf8')
    .split('\n')
    .map(line => unescaped(line.split(' ')[4] ?? ''))
}

/** Decodes blanks and other special characters, which are a backslash and three octal digits. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}
