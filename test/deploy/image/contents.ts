/** The files of a folder: their modes and contents, and the machine of a compiled one. @module */
import { createHash } from 'node:crypto'
import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import { join, relative } from 'node:path'

/** @returns the paths of all files and links below the folder */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
}

/** Times are left out: a builder sets them to the time of the commit.
 *  @returns the mode and the hash of the content, by path below the folder; a link has its target as content */
export function contentsOf(folder: string): ReadonlyMap<string, string> {
  return new Map(
    filesIn(folder).map(file => {
      const facts = lstatSync(file)
      const content = facts.isSymbolicLink() ? readlinkSync(file) : readFileSync(file)
      const hash = createHash('sha256').update(content).digest('hex')
      return [relative(folder, file), `${facts.mode.toString(8)} ${hash}`]
    }),
  )
}

/** @returns the paths that differ or that only one of them has */
export function differing(
  one: ReadonlyMap<string, string>,
  other: ReadonlyMap<string, string>,
): readonly string[] {
  const paths = new Set([...one.keys(), ...other.keys()])
  return [...paths].filter(path => one.get(path) !== other.get(path))
}

/** The numbers of processors in the heads of ELF files. */
const MACHINES: Readonly<Record<number, string>> = { 62: 'x64', 183: 'arm64' }

/** @returns the compiled files for Linux below the folder, and the machine of each */
export function compiledIn(folder: string): readonly { readonly path: string; readonly machine: string }[] {
  return filesIn(folder).flatMap(file => {
    if (!lstatSync(file).isFile()) return []
    const head = Buffer.alloc(20)
    const opened = openSync(file, 'r')
    readSync(opened, head)
    closeSync(opened)
    if (head.toString('latin1', 0, 4) !== '\x7fELF') return []
    const machine = head.readUInt16LE(18)
    return [{ path: relative(folder, file), machine: MACHINES[machine] ?? String(machine) }]
  })
}
