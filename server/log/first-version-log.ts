/** Log lines about the first version of the keyshare protocol (spec/decisions#keyshare_v1): one line per issuer and day. @module */
import type { Logger } from 'pino'
import type { Clock } from '../../ports/clock.ts'
import type { NoteFirstVersion } from '../../sessions/first-version.ts'

const DAY_MS = 24 * 3_600_000

/** Days begin at midnight UTC. */
export function firstVersionLog(log: Pick<Logger, 'warn'>, clock: Pick<Clock, 'wallNow'>): NoteFirstVersion {
  const notedOn = new Map<string, number>() // one entry per issuer of the schemes
  return issuer => {
    const day = Math.floor(clock.wallNow() / DAY_MS)
    if (notedOn.get(issuer) === day) return
    notedOn.set(issuer, day)
    log.warn(
      { issuer },
      'an app used the first version of the keyshare protocol, in which it can remove the keyshare server from a credential: set keyshare_v1 to refuse or allow',
    )
  }
}
