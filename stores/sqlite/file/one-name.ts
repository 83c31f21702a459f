/** A file of a store has one name. SQLite keeps its write-ahead log beside the name it was given, so two names of one file would have two logs, of
 *  which neither knows what the other holds. A symbolic link is no second name, since SQLite follows it first, nor is a folder that is mounted twice. @module */
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'

/** Linux says there what is mounted where. */
const MOUNTS = '/proc/self/mountinfo'

/** @param file need not exist
 *  @throws {Error} for a hard link, for a file that is mounted by itself, for what is no file, and for a link that leads to none */
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

/** Blanks and the like stand there as a backslash and three octal digits. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}
