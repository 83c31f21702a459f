/** Marks an account whose PIN may differ from that of the others. @module */
import type { SchemeId } from '../../../protocol/ids.ts'
import type { WalletContents } from '../stored.ts'

export function withSync(scheme: SchemeId, isOutOfSync: boolean) {
  return (now: WalletContents): WalletContents => ({
    ...now,
    accounts: now.accounts.map(account =>
      account.scheme === scheme ? { ...account, isOutOfSync } : account,
    ),
  })
}
