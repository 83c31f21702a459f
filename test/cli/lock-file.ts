/** `package-lock.json`, which names each package with the hash of its content. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { PROJECT } from '../project.ts'

const NAMES = z.record(z.string(), z.string())
const LOCKED = z.object({
  version: z.string(),
  license: z.string().optional(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  link: z.boolean().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
  dependencies: NAMES.optional(),
  devDependencies: NAMES.optional(),
})
export type Locked = z.infer<typeof LOCKED>

const { packages } = z
  .object({ packages: z.record(z.string(), LOCKED) })
  .parse(JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')))

/** The package of this project. */
export const ROOT = packages['']

/** All other packages, by their path below the project. */
export const LOCKED_PACKAGES: readonly (readonly [path: string, locked: Locked])[] = Object.entries(
  packages,
).filter(([path]) => path !== '')

/** @param path of a package, such as `node_modules/a/node_modules/b` */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}
