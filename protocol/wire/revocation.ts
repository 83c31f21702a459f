/** A request to revoke (spec/session-server#17), as a schema; `protocol/revocation-request.ts` reads it. @module */
import { z } from 'zod'
import { contextOf } from '../contexts.ts'
import type { Profile } from '../profiles.ts'
import { CREDENTIAL_TYPE } from './ids.ts'

export function revocationRequest({ contextBase }: Pick<Profile, 'contextBase'>) {
  return z.object({
    '@context': z.literal(contextOf(contextBase, 'revocation')),
    type: CREDENTIAL_TYPE,
    revocationKey: z.string().nullish().meta({ description: '`revocationKey` of the issuance request' }),
    issued: z
      .number()
      .multipleOf(1)
      .min(0)
      .nullish()
      .meta({ description: 'When it was issued, Unix time in nanoseconds; left out or 0: whenever' }),
  })
}

export type WireRevocationRequest = z.input<ReturnType<typeof revocationRequest>>
