/** Which folder of schemes a command reads: the one that was named, else the default one. If no schemes are installed, the command uses the demo schemes
 *  and prints a line about it. A production server then refuses to start. @module */
import { existsSync, readdirSync } from 'node:fs'
import { SettingsError } from '../settings/errors.ts'
import { DEMO_SCHEMES } from './demo-schemes.ts'
import { defaultSchemesPath } from './directories.ts'
import { isFolder } from './paths.ts'

/** The advice when there are no schemes. */
const REMEDY = 'install the public ones with svc scheme download, or name a folder with --schemes-path'

/** The path of the demo schemes in the guides, which holds in a checkout alone. */
const IN_CHECKOUT = 'demo/schemes'

/** @param named empty: none
 *  @param say called once, when the demo schemes are used
 *  @throws {SettingsError} */
export function schemesFolder(named: string, isProduction: boolean, say: (line: string) => void): string {
  if (named === '' && !isProduction && lackOf(defaultSchemesPath()) !== undefined) {
    say(
      `schemes_path: there are no schemes in ${defaultSchemesPath()}, so the demo schemes are used; ${REMEDY}`,
    )
    return DEMO_SCHEMES
  }
  return installedSchemes(named)
}

/** As `schemesFolder`, where demo schemes may not be used.
 *  @throws {SettingsError} */
export function installedSchemes(named: string | undefined): string {
  const folder = named || defaultSchemesPath()
  const lack = lackOf(folder)
  const remedy = named === IN_CHECKOUT ? `the demo schemes are in ${DEMO_SCHEMES}` : REMEDY
  if (lack !== undefined)
    throw new SettingsError(`schemes_path: expected a folder of schemes, but ${folder} ${lack}; ${remedy}`)
  return folder
}

/** The folder for a command. The line about demo schemes is printed to its user. */
export function schemesOfCommand(named: string | undefined): string {
  return schemesFolder(named ?? '', false, line => process.stderr.write(`svc: ${line}\n`))
}

/** The reason why a path is no folder of schemes. A download that failed leaves the folder empty. */
function lackOf(path: string): string | undefined {
  if (!existsSync(path)) return 'does not exist'
  if (!isFolder(path)) return 'is no folder'
  return readdirSync(path).length === 0 ? 'is empty' : undefined
}
