/** Identifiers, as schemas. `protocol/ids.ts` reads them. @module */
import { z } from 'zod'

const NAME = z.string().regex(/^[A-Za-z0-9_-]+$/)

/** `<scheme>.<issuer>.<credential>` */
export const CREDENTIAL_TYPE = z
  .templateLiteral([NAME, '.', NAME, '.', NAME])
  .meta({ description: 'A credential type: <scheme>.<issuer>.<credential>', examples: ['demo.gov.idcard'] })

const ATTRIBUTE_NAME = z.string().regex(/^[A-Za-z0-9_-]*$/)

/** An attribute, or with three parts the credential itself. */
export const ATTRIBUTE = z
  .union([CREDENTIAL_TYPE, z.templateLiteral([NAME, '.', NAME, '.', NAME, '.', ATTRIBUTE_NAME])])
  .meta({
    description:
      'An attribute: <scheme>.<issuer>.<credential>.<attribute>; or, with three parts, that the credential is there',
    examples: ['demo.gov.idcard.over18'],
  })

/** The token of a session, in a path or a response. */
export const TOKEN = z.string().regex(/^[A-Za-z0-9]{20}$/)

export const BIG_INTEGER = z
  .union([z.base64(), z.number().multipleOf(1).min(0)])
  .meta({ description: 'A number of any size: Base64 of its big-endian bytes, or digits' })
