/** The function that watched places call in a copy (baseline.ts). It records each place once per thread, in the file that the environment names.
 *  @module */
import { appendFileSync } from 'node:fs'

const noted = new Set<string>()
const { MUTANTS_REACHED: file } = process.env

export function reached(place: string): void {
  if (file === undefined || noted.has(place)) return
  noted.add(place)
  appendFileSync(file, `${place}\n`)
}
