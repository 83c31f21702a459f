/** The folders of a running server with the certificates and keys of SD-JWT issuers. They are read again every 20 s, and when the process is asked to. Files that
 *  cannot be used are logged and have no other effect. @module */

import { SchemeError } from '../../schemes/scheme-error.ts'
import type { CurrentSdJwtIssuers } from '../../schemes/sd-jwt/current-issuers.ts'
import {
  fingerprintOf,
  readSdJwtIssuers,
  type SdJwtFolders,
  warningsAboutDates,
} from '../../schemes/sd-jwt/issuers.ts'
import type { Schemes } from '../../schemes/types.ts'
import type { OnClose } from '../closable.ts'
import type { World } from '../world.ts'
import { repeatedLook } from './repeated-look.ts'

type Folders = {
  /** null: no SD-JWTs are issued */
  readonly sdJwtFolders: SdJwtFolders | null
  readonly sdJwtIssuers: CurrentSdJwtIssuers | null
}

export type WatchedFolders = {
  /** Reads the files now. */
  readonly readAgain: () => void
}

/** @param schemes the current schemes */
export function watchSdJwtFolders(
  { sdJwtFolders, sdJwtIssuers }: Folders,
  schemes: Pick<Schemes, 'issuer'>,
  { clock, log }: Pick<World, 'clock' | 'log'>,
  onClose: OnClose,
): WatchedFolders {
  if (sdJwtFolders === null || sdJwtIssuers === null) return { readAgain() {} }
  log.info({ issuers: [...sdJwtIssuers.values()].map(({ id }) => id) }, 'SD-JWT certificates in use')
  let seen = sdJwtIssuers.fingerprint
  let reported: string | null = null
  const take = (): void => {
    const before = [...sdJwtIssuers.values()]
    const next = readSdJwtIssuers({ ...sdJwtFolders, isKnown: id => schemes.issuer(id) !== undefined })
    sdJwtIssuers.take(next)
    reported = null
    log.info({ issuers: [...next.issuers.keys()] }, 'SD-JWT certificates replaced')
    const nowSec = clock.wallNow() / 1_000
    const dates = [...next.issuers.values()].flatMap(issuer => warningsAboutDates(issuer, nowSec))
    const removed = before.filter(({ id }) => !next.issuers.has(id))
    const gone = removed.map(({ id, file }) => `${file}: removed: ${id} issues no more SD-JWTs`)
    for (const warning of [...next.warnings, ...dates, ...gone]) log.warn(warning)
  }
  const look = (isAsked: boolean): void => {
    const fingerprint = fingerprintOf(sdJwtFolders)
    // files are written one after the other, so a change is used when two looks have found the same content
    const isComplete = isAsked || fingerprint === seen
    seen = fingerprint
    if (fingerprint === sdJwtIssuers.fingerprint) {
      if (isAsked || reported !== null) log.info('SD-JWT certificates unchanged')
      reported = null
    } else if (isComplete && (isAsked || fingerprint !== reported))
      try {
        take()
      } catch (error) {
        if (!(error instanceof SchemeError)) throw error
        reported = fingerprint
        log.warn(`${error.message}; the SD-JWT certificates from before stay in use`)
      }
  }
  const looks = repeatedLook(clock, () => look(false))
  onClose(() => looks.stop())
  looks.start()
  return { readAgain: () => look(true) }
}
