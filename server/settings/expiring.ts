/** Warnings about keys and certificates of this server that have expired or expire soon, for its start and its check. @module */
import type { Clock } from '../../ports/clock.ts'
import type { NodeSettings } from './node-settings.ts'
import { sdJwtCertificatesThatExpire } from './sd-jwt.ts'
import { ownKeysThatExpire } from './warnings.ts'

export function keysThatExpire(
  { schemes, sdJwtIssuers }: Pick<NodeSettings, 'schemes' | 'sdJwtIssuers'>,
  clock: Pick<Clock, 'wallNow'>,
): readonly string[] {
  return [...ownKeysThatExpire(schemes, clock), ...sdJwtCertificatesThatExpire(sdJwtIssuers, clock)]
}
