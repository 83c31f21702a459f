/** The flags that name the database to import from. @module */
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { shownAddress } from '../../protocol/shown-address.ts'
import { isPostgres, mistakeInAccountsStoreName } from '../../stores/open.ts'

export type SourceFlags = { readonly from?: string; readonly fromFile?: string }

/** The last line of a dry run. */
export const DRY_RUN =
  'dry run: nothing was written, and the store was not opened: the import compares the data with the store before it writes'

export function addSourceFlags(command: Command): Command {
  return command
    .option('--from <ADDRESS>', 'database of the existing server: postgres://USER:PASSWORD@HOST/DATABASE')
    .option('--from-file <FILE>', 'file with that address, so that no list of processes shows the password')
}

/** @returns the address, secret
 *  @throws {Error} that says expected and got, without the address if it may contain a password */
export function sourceAddressOf({ from, fromFile }: SourceFlags): string {
  const address = fromFile === undefined ? from : readFileSync(fromFile, 'utf8').trim()
  const option = fromFile === undefined ? '--from' : '--from-file'
  if (address === undefined || (from !== undefined && fromFile !== undefined))
    throw new Error('--from: expected the address of a database, here or in --from-file, got none or both')
  if (isPostgres(address) && mistakeInAccountsStoreName(address) === null) return address
  throw new Error(
    `${option}: expected an address such as postgres://USER:PASSWORD@HOST/DATABASE, got ${shownAddress(address)}; other databases are not read: copy the tables to PostgreSQL first`,
  )
}
