/** Static sessions (session-server note 16): a printed pointer says where a session begins, and the app that asks there gets its pointer. That leads
 *  to a session and to no other printed pointer, so that nobody is sent round for ever. @module */
import { readJson } from '../protocol/json.ts'
import { type CallDeps, callStaticSession } from './calls.ts'
import { SessionFailure } from './failure.ts'
import { readSessionPointer, type SessionPointer, type StaticPointer } from './pointer.ts'

/** @throws {SessionFailure} `invalid-pointer` for one that a wallet does not follow, and as every call
 *  @throws {Cancelled} */
export async function startStaticSession(pointer: StaticPointer, deps: CallDeps): Promise<SessionPointer> {
  return readSessionPointer(readAnswer(await callStaticSession(pointer, deps)))
}

function readAnswer(text: string): unknown {
  try {
    return readJson(text)
  } catch {
    throw new SessionFailure('malformed-answer', 'expected the pointer of a session as JSON')
  }
}
