/** The parameters of paths (http/routes.ts), by name. @module */
import { z } from 'zod'
import { CREDENTIAL_TYPE } from '../../protocol/wire/ids.ts'

type Parameter = {
  readonly words: string
  readonly schema: z.ZodType
  /** for a value that is not valid */
  readonly errors: readonly number[]
}

const NUMBER = z.int().min(0)
const SEGMENT = z.string().min(1)

export const PARAMETERS: Readonly<Record<string, Parameter>> = {
  requestorToken: { words: 'The requestor token of a session', schema: SEGMENT, errors: [400] },
  clientToken: { words: 'The last part of u in a session pointer', schema: SEGMENT, errors: [400] },
  type: { words: 'A credential type', schema: CREDENTIAL_TYPE, errors: [400] },
  count: { words: 'How many events; 0: all', schema: NUMBER, errors: [404] },
  keyCounter: { words: 'The number of a key of the issuer', schema: NUMBER, errors: [404] },
  min: { words: 'The number of the first event', schema: NUMBER, errors: [404] },
  max: { words: 'The number of the last event, plus 1', schema: NUMBER, errors: [404] },
}
