/** Prints a session request: the JWT if it is signed, otherwise JSON indented by two spaces. @module */
import { requestBody, requestOf } from './body.ts'
import type { RequestFlags } from './flags.ts'

export async function printRequest(flags: RequestFlags): Promise<void> {
  const isSigned = flags.authMethod === 'hmac' || flags.authMethod === 'rsa'
  const text = isSigned
    ? (await requestBody(flags)).body
    : JSON.stringify((await requestOf(flags)).extended, null, 2)
  process.stdout.write(`${text}\n`)
}
