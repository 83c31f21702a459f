/** Static sessions (spec/session-server#16): an app calls a printed pointer and gets the pointer of a session. A second static pointer is refused, so that no loop
 *  is possible. @module */
import { readJson } from '../../protocol/json.ts'
import { type CallDeps, callStaticSession } from './calls.ts'
import { SessionError } from './failure.ts'
import { readSessionPointer, type SessionPointer, type StaticPointer } from './pointer.ts'

/** @throws {SessionError} `invalid-pointer` for a pointer that a wallet cannot follow, and as every call
 *  @throws {CancelledError} */
export async function startStaticSession(pointer: StaticPointer, deps: CallDeps): Promise<SessionPointer> {
  return readSessionPointer(readAnswer(await callStaticSession(pointer, deps)))
}

function readAnswer(text: string): unknown {
  try {
    return readJson(text)
  } catch {
    throw new SessionError('malformed-answer', 'expected the pointer of a session as JSON')
  }
}
