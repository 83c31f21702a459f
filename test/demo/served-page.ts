/** Modules of the tour's page as a browser gets them, with the library files that they import. @module */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readPage } from '../../demo/files.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** @returns the exports of the module */
export function servedPage(name: string) {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const [path, { bytes }] of readPage())
    if (path.endsWith('.js')) writeFileSync(join(folder, path), bytes)
  return import(pathToFileURL(join(folder, name)).href)
}
