/** A project of a web site: the files of `examples/ask` with the packed client, and with the packages of this project in place of downloaded ones. @module */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installClient } from '../cli/client-package.ts'
import { PROJECT } from '../project.ts'
import { temporaryFolder } from '../temporary-folder.ts'

let folder: string | null = null

/** `cookies` of next, as `ask-next-site.ts` provides it for each request. */
const NEXT_HEADERS = 'export const cookies = async () => globalThis.cookiesOfRequest.getStore()\n'

/** The folder is made once. It is the working folder of the programs. */
export function askingFolder(): string {
  if (folder !== null) return folder
  folder = temporaryFolder()
  cpSync(join(PROJECT, 'examples/ask'), folder, { recursive: true })
  cpSync(join(PROJECT, 'examples/page.html'), join(folder, 'page.html'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  installClient(folder, 'all')
  const next = join(folder, 'node_modules/next')
  mkdirSync(next)
  writeFileSync(join(next, 'package.json'), JSON.stringify({ exports: { './headers': './headers.mjs' } }))
  writeFileSync(join(next, 'headers.mjs'), NEXT_HEADERS)
  return folder
}
