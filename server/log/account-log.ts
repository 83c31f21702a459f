/** Log lines about accounts that cannot be read. The account is named by a hash. @module */
import type { Logger } from 'pino'
import { unlessOfStore } from '../open-option-store.ts'

export function accountLog(log: Pick<Logger, 'error'>): (account: string, error: unknown) => void {
  return unlessOfStore((account: string, error) => log.error({ account, err: error }, 'account failed'))
}
