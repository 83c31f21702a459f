/** The blocks of `docs/sign-in-recipes.md`, with the addresses of a test. @module */
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { readPage } from '../../docs/markdown.ts'
import { textOf } from '../../docs/pages.ts'
import { PROJECT } from '../../project.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const PAGE = 'docs/sign-in-recipes.md'
const { fences } = readPage(PAGE, textOf(PAGE))

export type Addresses = {
  /** of the provider, without a slash at its end */
  readonly provider: string
  readonly sitePort: number
}

export const siteAt = (port: number): string => `http://127.0.0.1:${port}`

/** @param which the number of the block, from 0, if several have this name
 *  @throws {Error} if the page has no such block */
export function block(name: string, { provider, sitePort }: Addresses, which = 0): string {
  const found = fences.filter(({ marks }) => marks.get('file') === name)[which]
  if (found === undefined) throw new Error(`${PAGE}: expected block ${which} of ${name}, got none`)
  return found.content
    .replaceAll('https://sign-in.example', provider)
    .replaceAll('https://shop.example', siteAt(sitePort))
    .replaceAll('8090', String(sitePort))
}

/** The client in the settings of the provider.
 *  @param secret in place of its file */
export function clientOf(name: string, addresses: Addresses, secret: string): object {
  const { clients } = parse(block(`${name}.yml`, addresses))
  const [{ client_secret_file: _file, ...client }] = clients
  return { ...client, client_secret: secret }
}

/** Saves files where programs find the packages of this project.
 *  @returns the folder */
export function savedWithPackages(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
