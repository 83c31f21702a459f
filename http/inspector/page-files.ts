/** The files of the inspector's page. They are read once into an allow list, so that no path of a request reaches the disk. @module */
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { CHART_NAMES } from '../../charts/chart.ts'
import { pictureOf } from '../../charts/drawing/picture.ts'

/** Next to this file if the sources run directly. The built file is in `dist/http/inspector`, and the page stays outside of `dist`. */
const FOLDER = new URL(
  import.meta.url.endsWith('.ts') ? 'page/' : '../../../http/inspector/page/',
  import.meta.url,
)

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export type PageFile = { readonly type: string; readonly bytes: Buffer }

/** By path; `/` is index.html. Files of other kinds are not served. The map also has a drawing of each chart as an SVG file. */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>()
  for (const name of readdirSync(FOLDER)) {
    const type = TYPES[extname(name)]
    const path = name === 'index.html' ? '/' : `/${name}`
    if (type) files.set(path, { type, bytes: readFileSync(new URL(name, FOLDER)) })
  }
  for (const name of CHART_NAMES)
    files.set(`/charts/${name}.svg`, { type: 'image/svg+xml', bytes: Buffer.from(pictureOf(name, '')) })
  return files
}
