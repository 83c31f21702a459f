/** An account of an existing keyshare server, and the rules to import it. @module */
import { readFileSync } from 'node:fs'
import { parseStorageKey, storageKeys } from '../../accounts/storage-keys.ts'
import type { SourceAccount } from '../../stores/imports/account-source.ts'
import { STORAGE_KEY_FILES } from './dump.ts'

export const NOW_SEC = 1_795_751_000
export const now = NOW_SEC * 1_000
export const DAY_MS = 86_400_000

export const SOURCE: SourceAccount = {
  number: 1,
  userName: 'user',
  language: 'nl-BE',
  record: null,
  seenSec: NOW_SEC - 9,
  attempts: 0,
  blockSec: 0,
  deleteSec: NOW_SEC + 9,
  addresses: [],
  links: [],
}
export const RULES = {
  sourceKeys: storageKeys(parseStorageKey(readFileSync(STORAGE_KEY_FILES[0])), []),
  sealed: <Row>(row: Row): Row => row,
  defaultLanguage: 'en' as const,
  deleteDays: 30,
  linkMs: 7 * DAY_MS,
}
