/** `npm run site [FOLDER]`: builds the documentation as pages that a browser can open from a folder, without server or network. @module */
import { rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSite } from './build.ts'

/** `tools/site/` of the project, or `dist/tools/site/` after a build. */
const HERE = dirname(fileURLToPath(import.meta.url))
const PROJECT = join(HERE, import.meta.url.endsWith('.ts') ? '../..' : '../../..')
const [, , folder = 'dist.site'] = process.argv

if (folder === 'dist.site') rmSync(folder, { recursive: true, force: true }) // removes pages of an earlier build
await buildSite(PROJECT, resolve(folder))
console.log(`open ${join(resolve(folder), 'index.html')}`)
