/** The QR code of a static session, which is printed once and never changes (spec/session-server#16). It calls no server. @module */
import { PROFILES } from '../../protocol/profiles.ts'
import { staticPointer } from '../../protocol/session-package.ts'
import { baseUrl } from '../../server/settings/url.ts'
import type { SessionFlags } from './flags.ts'
import { showPointer } from './show-pointer.ts'

/** @param address of the server for apps, with or without the prefix of the profile */
export function showStatic(address: string, name: string, flags: SessionFlags): void {
  const profile = PROFILES[flags.profile]
  const url = baseUrl(address, profile.prefix)
  const pointer = staticPointer(name, { url, profile })
  process.stderr.write(`Server URL: ${url}\n`)
  showPointer(pointer, flags)
}
