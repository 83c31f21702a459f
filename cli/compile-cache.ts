/** Keeps the compiled code of all modules between two runs, so that a start compiles less. @module */
import Module from 'node:module'
import { compileCacheFolder } from '../server/files/directories.ts'

/** From Node 22.1 on. */
type WithCache = typeof Module & { readonly enableCompileCache?: (folder: string) => unknown }

/** Has no effect on Node 20, without a home folder, and if the folder cannot be written. `NODE_COMPILE_CACHE` names another folder. */
export function keepCompiled(): void {
  const { enableCompileCache }: WithCache = Module
  const folder = compileCacheFolder()
  if (folder !== null) enableCompileCache?.(folder)
}
