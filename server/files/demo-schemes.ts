/** Where the demo's own files are. @module */
import { fileURLToPath } from 'node:url'

/** Two folders up when it runs unbuilt; from `dist/server/files` three folders up, in the project as in the installed package. */
export const DEMO_FOLDER = new URL(
  import.meta.url.endsWith('.ts') ? '../../demo/' : '../../../demo/',
  import.meta.url,
)

/** Both demo schemes, with the private keys of their issuers. */
export const DEMO_SCHEMES = fileURLToPath(new URL('schemes', DEMO_FOLDER))
