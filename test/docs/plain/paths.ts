/** The files that `npm run plain` reads. @module */
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { WrongOptionError } from '../../program.ts'

/** @param root of a checkout
 *  @param paths of files and folders below it; default: the whole checkout
 *  @returns each file once, below the root; in folders those that git ignores are left out
 *  @throws {WrongOptionError} for a path that leads to no file */
export function filesAt(root: string, paths: readonly string[] = ['.']): readonly string[] {
  return [...new Set(paths.flatMap(path => filesOf(root, path)))]
}

function filesOf(root: string, path: string): readonly string[] {
  const below = relative(root, resolve(root, path))
  const found = statSync(join(root, below), { throwIfNoEntry: false })
  if (found === undefined || /^\.\.(?:\/|$)/.test(below))
    throw new WrongOptionError(`expected a file or a folder of the project, got "${path}"`)
  const files = found.isDirectory() ? listed(root, below) : [below]
  if (files.length === 0)
    throw new WrongOptionError(`expected a folder with files that git does not ignore, got "${path}"`)
  return files
}

/** New files are listed too, and deleted ones are not. */
function listed(root: string, below: string): readonly string[] {
  const git = ['--literal-pathspecs', 'ls-files', '-z', '--cached', '--others', '--exclude-standard', '--']
  const output = execFileSync('git', [...git, below || '.'], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
  return output.split('\0').filter(file => file !== '' && existsSync(join(root, file)))
}
