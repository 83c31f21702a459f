/** The path of the OpenID provider as browsers see it. @module */
import type { OidcSettings } from './settings.ts'

/** @returns with a slash at its end */
export function rootOf({ issuer }: Pick<OidcSettings, 'issuer'>): string {
  return `${new URL(issuer).pathname.replace(/\/$/, '')}/`
}
