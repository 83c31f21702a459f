/** The version of the package. @module */
import { createRequire } from 'node:module'

export function packageVersion(): string {
  const facts: { readonly version: string } = createRequire(import.meta.url)(
    'attribute-session-service/package.json',
  )
  return facts.version
}
