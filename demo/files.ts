/** Where the demo's own files are, and the page as it is served: an allow list read once, so that no path of a request reaches a disk.
 *  @module */
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Beside this module when it runs unbuilt; from `dist/demo` two folders up, in the project as in the installed package. */
const OWN_FOLDER = new URL(import.meta.url.endsWith('.ts') ? './' : '../../demo/', import.meta.url)

/** Both demo schemes, with the private keys of their issuers. */
export const DEMO_SCHEMES = fileURLToPath(new URL('schemes', OWN_FOLDER))

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export type StaticFile = { readonly type: string; readonly bytes: Buffer }

/** The page by path; `/` is index.html. Files of other kinds are not served. */
export function readPage(): ReadonlyMap<string, StaticFile> {
  const folder = new URL('page/', OWN_FOLDER)
  const files = new Map<string, StaticFile>()
  for (const name of readdirSync(folder)) {
    const type = TYPES[extname(name)]
    if (type)
      files.set(name === 'index.html' ? '/' : `/${name}`, {
        type,
        bytes: readFileSync(new URL(name, folder)),
      })
  }
  return files
}
