/** Texts of seeded faults that the built program no longer has. A fault with such a text is not seeded, and its test runs rarely or on demand. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SERVER_MACHINES } from '../mutants/chart-mutants.ts'
import { DIST } from '../mutants/workshop.ts'

/** A fault changes `right` in a file of `dist`. */
type Text = { readonly title: string; readonly file: string; readonly right: string }

/** @returns a line for each text that does not occur once in its file */
export function staleTexts(texts: readonly Text[]): readonly string[] {
  return texts.flatMap(({ title, file, right }) => {
    const built = readFileSync(join(DIST, file.replace(SERVER_MACHINES, 'machines')), 'utf8')
    const count = built.split(right).length - 1
    return count === 1 ? [] : [`${title}: ${file}: expected once, got ${count} times: ${right}`]
  })
}
