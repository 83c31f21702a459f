/** The script of the sign-in page, read once. It lies next to this file if the sources run directly; the built file is in `dist/http/oidc`, and the script stays
 *  outside of `dist`. @module */
import { readFileSync } from 'node:fs'

const FILE = new URL(
  import.meta.url.endsWith('.ts') ? 'page/sign-in.js' : '../../../http/oidc/page/sign-in.js',
  import.meta.url,
)

export const SCRIPT = readFileSync(FILE, 'utf8')
