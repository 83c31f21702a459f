/** Log lines about revocation: for each followed server, each cause of failure once, and its recovery once. @module */

import type { RevocationDeps } from '../../actors/revocation/create-revocation.ts'
import { FollowError } from '../../actors/revocation/follower.ts'
import { OutgoingError } from '../../ports/outgoing.ts'
import { parseUrl } from '../../ports/parse-url.ts'
import { unlessOfStore } from '../open-option-store.ts'
import type { World } from '../world.ts'

/** The most causes that are logged before a recovery, because every answer of a server may differ. */
const MAX_CAUSES = 20

export function revocationLog(log: World['log']): Pick<RevocationDeps, 'report' | 'worked'> {
  /** the logged causes, by credential type and kind of request */
  const told = new Map<string, Set<string>>()
  const failed = (type: string, failure: FollowError): void => {
    const [server, reason] = [originOf(failure), reasonOf(failure)]
    const key = `${type} ${failure.asked}`
    const causes = told.get(key) ?? new Set()
    const cause = `${server} ${reason}`
    if (causes.has(cause) || causes.size === MAX_CAUSES) return
    log.warn(
      { type, asked: failure.asked, server, reason },
      'a revocation server gave no usable answer: earlier updates stay in use; check that it runs, and that this machine reaches it',
    )
    told.set(key, causes.add(cause))
  }
  return {
    report: unlessOfStore((type, error) => {
      if (error instanceof FollowError) failed(type, error)
      else log.warn({ type, err: error }, 'revocation failed')
    }),
    worked: (type, asked) => {
      if (told.delete(`${type} ${asked}`))
        log.info({ type, asked }, 'the revocation server gives usable answers again')
    },
  }
}

/** Only the origin is logged, because a path may hold a secret. */
function originOf({ server }: FollowError): string | null {
  return server === null ? null : (parseUrl(server)?.origin ?? null)
}

function reasonOf({ message, cause }: FollowError): string {
  return cause instanceof OutgoingError && cause.code !== null ? `${message} (${cause.code})` : message
}
