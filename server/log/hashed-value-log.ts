/** Log lines about values that are, or look like, a hash (spec/decisions#d25). A line names the credential type, never a value. @module */
import type { Logger } from 'pino'
import type { HashNote, SignDeps } from '../../actors/effects/sign.ts'

const LINES: Readonly<Record<HashNote, string>> = {
  isHashed: 'an issued value is longer than its key signs, so that it is bound by its hash',
  looksHashed:
    'an issued value of 24 to 32 bytes has a line break, a tab or another character that no text has: its disclosure is INVALID, because it may be a hash',
}

export function hashedValueLog(log: Pick<Logger, 'warn'>): SignDeps['noteHashedValue'] {
  return (credentialType, why) => log.warn({ credentialType }, LINES[why])
}
