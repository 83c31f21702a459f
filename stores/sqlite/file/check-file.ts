/** Whether a server could open its file, seen from outside: nothing is made, opened or held, since a server may be running on it. @module */
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import { refuseSecondName } from './one-name.ts'
import { failureOf } from './sqlite-errors.ts'

const { R_OK, W_OK, X_OK } = constants

/** @throws {Error} that says expected and got, as opening it would */
export function checkFile(file: string): void {
  try {
    refuseSecondName(file)
    accessSync(`${dirname(file)}${sep}`, R_OK | W_OK | X_OK) // its log stands beside it; without the slash a file would do
    if (existsSync(file)) accessSync(file, R_OK | W_OK)
  } catch (error) {
    throw failureOf(file, error)
  }
}
