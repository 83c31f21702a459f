/** The counts of an import, for the operator. They name no account. @module */

export type ImportCounts = Record<(typeof COUNTED)[number], number>

const COUNTED = [
  // each account counts in one of these
  ...(['added', 'changed', 'unchanged', 'usedHere', 'deletedHere', 'leftOut'] as const),
  // `accounts` counts all; the others count kinds of accounts that open, and an account may be of several kinds
  ...(['accounts', 'blocked', 'wrongPins', 'disabled', 'toDelete', 'withoutDevice'] as const),
  ...(['addresses', 'leavingAddresses', 'unconfirmed', 'skippedAddresses', 'logEntries'] as const),
] as const

export function noCounts(): ImportCounts {
  return Object.fromEntries(COUNTED.map(name => [name, 0])) as ImportCounts
}

/** @returns "1 account" or "2 accounts" */
export function accountsInWords(accounts: number): string {
  return `${accounts} ${accounts === 1 ? 'account' : 'accounts'}`
}

/** @returns one line for each group of counts */
export function countsInWords(counts: ImportCounts, isDryRun: boolean): readonly string[] {
  const { added, changed, unchanged, usedHere, deletedHere, leftOut } = counts
  const outcome = isDryRun
    ? `${counts.accounts - leftOut} that open`
    : `${added} added, ${changed} changed, ${unchanged} unchanged, ${usedHere} used here since, ${deletedHere} deleted here`
  return [
    `accounts: ${counts.accounts}: ${outcome}, ${leftOut} left out`,
    `of them: ${counts.blocked} blocked, ${counts.wrongPins} with wrong PINs, ${counts.disabled} deleted by their owner, ${counts.toDelete} to be deleted, ${counts.withoutDevice} without a device key`,
    `addresses: ${counts.addresses} confirmed (${counts.leavingAddresses} to be removed), ${counts.unconfirmed} not confirmed yet, ${counts.skippedAddresses} skipped because they are not valid`,
    `log entries: ${counts.logEntries}`,
  ]
}
