/** Serves the page. The files are read once into an allow list, so that no path of a request reaches the disk.
 *  @module */
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { DEMO_FOLDER } from '../server/files/demo-schemes.ts'

const SCRIPT = 'text/javascript; charset=utf-8'
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': SCRIPT,
  '.svg': 'image/svg+xml',
}

export type StaticFile = { readonly type: string; readonly bytes: Buffer }

/** Modules of packages that the page imports, by imported name. */
const MODULES = { 'eventsource-parser.js': import.meta.resolve('eventsource-parser') }

/** The files of the page by path; `/` is index.html. Files of unknown types are not served. */
export function readPage(): ReadonlyMap<string, StaticFile> {
  const folder = new URL('page/', DEMO_FOLDER)
  const files = new Map<string, StaticFile>()
  for (const name of readdirSync(folder)) {
    const type = TYPES[extname(name)]
    if (type)
      files.set(name === 'index.html' ? '/' : `/${name}`, {
        type,
        bytes: readFileSync(new URL(name, folder)),
      })
  }
  for (const [name, url] of Object.entries(MODULES))
    files.set(`/${name}`, { type: SCRIPT, bytes: readFileSync(new URL(url)) })
  return files
}
