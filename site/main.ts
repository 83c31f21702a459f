/** `npm run site [FOLDER]`: the documentation as pages that a browser opens from a folder, without a server and without a network. @module */
import { rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSite } from './build.ts'

/** Here when it runs unbuilt; the project is above `dist/`. */
const HERE = dirname(fileURLToPath(import.meta.url))
const PROJECT = join(HERE, import.meta.url.endsWith('.ts') ? '..' : '../..')
const [, , folder = 'dist.site'] = process.argv

if (folder === 'dist.site') rmSync(folder, { recursive: true, force: true }) // pages that are gone
await buildSite(PROJECT, resolve(folder))
console.log(`open ${join(resolve(folder), 'index.html')}`)
