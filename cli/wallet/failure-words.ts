/** How the command line says why a wallet could not do something. @module */
import type { Ending } from '../../wallet/failure.ts'

type Failed = Pick<Extract<Ending, { status: 'failed' }>, 'reason' | 'message'>

/** The remedy names commands: the wallet itself, which is part of other programs too, knows none. */
export function failureWords({ reason, message }: Failed): string {
  return `${reason}: ${message}${remedyFor(reason)}`
}

function remedyFor(reason: Failed['reason']): string {
  if (reason === 'insecure' || reason === 'developer-mode')
    return '; svc wallet init --developer-mode makes a wallet that accepts it'
  return ''
}
