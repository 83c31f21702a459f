/** Every schema that the description of a server names, by its name there. @module */
import type { Profile } from '../../protocol/profiles.ts'
import { answerSchemas, REMOTE_ERROR, SESSION_RESULT, STATUS } from '../../protocol/wire/answers.ts'
import { appMessageSchemas } from '../../protocol/wire/app-messages.ts'
import { appRequestSchemas, UPDATE } from '../../protocol/wire/app-requests.ts'
import { ATTRIBUTE, BIG_INTEGER, CREDENTIAL_TYPE } from '../../protocol/wire/ids.ts'
import { revocationRequest } from '../../protocol/wire/revocation.ts'
import { sessionRequestSchemas } from '../../protocol/wire/session-request.ts'

export type Schemas = ReturnType<typeof schemasOf>

export function schemasOf(profile: Profile) {
  return {
    attribute: ATTRIBUTE,
    credentialType: CREDENTIAL_TYPE,
    bigInteger: BIG_INTEGER,
    remoteError: REMOTE_ERROR,
    sessionResult: SESSION_RESULT,
    status: STATUS,
    update: UPDATE,
    revocationRequest: revocationRequest(profile),
    ...sessionRequestSchemas(profile),
    ...answerSchemas(profile),
    ...appMessageSchemas(profile),
    ...appRequestSchemas(profile),
  }
}
