/** Checks from outside that a server could open its file. It creates, opens and locks nothing, because a server may be running on the file. @module */
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import { refuseSecondName } from './one-name.ts'
import { failureOf } from './sqlite-errors.ts'

const { R_OK, W_OK, X_OK } = constants

/** @throws {Error} that says expected and got, as opening the file would */
export function checkFile(file: string): void {
  try {
    refuseSecondName(file)
    accessSync(`${dirname(file)}${sep}`, R_OK | W_OK | X_OK) // its log is in this folder; without the slash a file would pass
    if (existsSync(file)) accessSync(file, R_OK | W_OK)
  } catch (error) {
    throw failureOf(file, error)
  }
}
