/** Failures of a wallet, explained for the command line. @module */
import type { ActionOutcome } from '../../libraries/wallet/failure.ts'

type Failed = Pick<Extract<ActionOutcome, { status: 'failed' }>, 'reason' | 'message'>

/** Adds the commands that help. The wallet itself does not know them, because other programs use it too. */
export function failureWords({ reason, message }: Failed): string {
  return `${reason}: ${message}${remedyFor(reason)}`
}

function remedyFor(reason: Failed['reason']): string {
  if (reason === 'insecure' || reason === 'developer-mode')
    return '; svc wallet init --developer-mode makes a wallet that accepts it'
  return ''
}
