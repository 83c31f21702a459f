/** The stock of schemes that an option names: copied into the folder of schemes before that folder is read. @module */
import { createSystemClock } from '../../ports/clock.ts'
import { copyStock } from '../../schemes/stock.ts'
import { SettingsError } from '../settings/errors.ts'
import { defaultSchemesPath } from './directories.ts'
import { isFolder, makeFolder } from './paths.ts'

type Paths = { readonly schemes_path: string; readonly schemes_assets_path: string }

/** @param say is called with each scheme that was copied
 *  @throws {SettingsError} @throws {SchemeError} */
export async function fillFromAssets(
  { schemes_path, schemes_assets_path: stock }: Paths,
  say: (line: string) => void,
): Promise<void> {
  if (stock === '') return
  if (!isFolder(stock))
    throw new SettingsError(`schemes_assets_path: expected an existing folder of schemes, got ${stock}`)
  const parent = schemes_path || defaultSchemesPath()
  makeFolder('schemes_path', parent)
  const written = await copyStock(stock, parent, createSystemClock().wallNow())
  for (const folder of written) say(`schemes_assets_path: copied from ${stock} to ${folder}`)
}
