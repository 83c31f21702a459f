/** The promise that each recording holds, in words, for the report of a failure. @module */
import type { ProfileName } from '../../protocol/profiles.ts'

const CALLERS: readonly (readonly [path: RegExp, callers: string])[] = [
  [/^keyshare-server\//, 'wallet apps that exist today and the keyshare server'],
  [/^keyshare\//, 'wallet apps that exist today, the keyshare server and the session server'],
  [/^transcripts\/revocation-/, 'wallet apps that exist today and the revocation server'],
  [/^sd-jwt\//, 'wallet apps with SD-JWTs and the session server'],
  [/./, 'requestors, wallet apps and frontends that exist today, and the session server'],
]

/** @param file of the recording, below test/vectors */
export function promiseOf(file: string, profile: ProfileName): string {
  const callers = CALLERS.find(([path]) => path.test(file))?.[1]
  const words = profile === 'irma' ? 'byte for byte' : 'in the words of the profile'
  return `${file} promises that ${callers} understand each other in profile ${profile}: every answer is as recorded, ${words}, or as the decision that a line names (docs/spec/decisions.md)`
}
