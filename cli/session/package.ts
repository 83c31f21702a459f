/** The session package (spec/interface#2.2) as a frontend reads it: from a server's response or from a file, of either profile. @module */
import { z } from 'zod'

const pointer = z.looseObject({
  u: z.url({ protocol: /^https?$/, error: 'expected an http or https address' }),
})

const schema = z.object({
  sessionPtr: pointer,
  token: z.string().optional(),
  frontendRequest: z
    .object({
      authorization: z.string(),
      maxProtocolVersion: z.string().regex(/^\d+\.\d+$/),
    })
    .optional(),
})

/** `sessionPtr` keeps all its members in their order, because the QR code shows them. */
export type SessionPackage = Readonly<z.output<typeof schema>>

/** @throws {Error} with the name of the first invalid member, never its value */
export function parseSessionPackage(json: unknown): SessionPackage {
  return parsed(schema, 'session package', json)
}

/** @throws {Error} as `parseSessionPackage` */
export function parsePointer(json: unknown): SessionPackage['sessionPtr'] {
  return parsed(pointer, 'session pointer', json)
}

function parsed<Value>(form: z.ZodType<Value>, what: string, json: unknown): Value {
  const read = form.safeParse(json)
  if (read.success) return read.data
  const issue = read.error.issues[0]
  throw new Error(`${what}: ${issue?.path.join('.') || 'value'}: ${issue?.message}`)
}

/** The frontend's address and headers. Without authorization, it uses the endpoints that it shares with the app. */
export type FrontendAddress = { readonly url: string; readonly headers: Readonly<Record<string, string>> }

export function frontendAddress({ sessionPtr, frontendRequest }: SessionPackage): FrontendAddress {
  const hasEndpoints = frontendRequest !== undefined && frontendRequest.maxProtocolVersion !== '1.0'
  if (!hasEndpoints) return { url: sessionPtr.u, headers: {} }
  return { url: `${sessionPtr.u}/frontend`, headers: { authorization: frontendRequest.authorization } }
}
