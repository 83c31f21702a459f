/** The distribution of Keycloak, which Maven fetches once. @module */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../project.ts'

/** This version runs on Java 17 and on Java 21. */
export const VERSION = '26.3.5'
const UNPACK = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack'

/** @returns the folder of the unpacked distribution
 *  @throws {Error} if Maven is missing, or cannot download the distribution */
export function keycloakFolder(): string {
  const kept = process.env.KEYCLOAK_FOLDER ?? join(PROJECT, 'node_modules/.cache/keycloak')
  const folder = join(kept, `keycloak-${VERSION}`)
  if (existsSync(join(folder, 'bin/kc.sh'))) return folder
  mkdirSync(kept, { recursive: true })
  const artifact = `org.keycloak:keycloak-quarkus-dist:${VERSION}:tar.gz`
  execFileSync('mvn', ['-q', UNPACK, `-Dartifact=${artifact}`, `-DoutputDirectory=${kept}`], {
    cwd: kept,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return folder
}
