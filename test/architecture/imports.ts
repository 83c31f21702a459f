/** The imports of all files, for the tests of this folder. @module */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { PROJECT } from '../project.ts'

export type Import = { readonly file: string; readonly target: string }

/** Imports of a value or a type, exports of another file's names, and dynamic imports. */
const IMPORT = /^(?:import|export)\b[^'"`]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm

/** @returns the files and modules that a text imports, as it names them */
export function targetsIn(text: string): string[] {
  return [...text.matchAll(IMPORT)].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '')
}

/** The source files of a folder, by their paths in the project. */
export function sourcesOf(folder: string): string[] {
  if (!existsSync(join(PROJECT, folder))) return []
  return readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(folder, name))
}

export function readSource(file: string): string {
  return readFileSync(join(PROJECT, file), 'utf8')
}

export function importsOf(file: string): Import[] {
  return targetsIn(readSource(file)).map(target => ({ file, target }))
}

/** The path in the project of the imported file, or null for a package. */
export function fileOf({ file, target }: Import): string | null {
  return target.startsWith('.') ? relative(PROJECT, resolve(PROJECT, dirname(file), target)) : null
}
