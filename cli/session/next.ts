/** Finds the next session of a chain as a frontend and a requestor do (spec/interface#2.10; spec/session-server#15). Its pointer is in the frontend status, its
 *  requestor token in the result. The frontend keeps its authorization. @module */
import { z } from 'zod'
import { call, jsonOf } from './http.ts'
import { frontendAddress, parsePointer, type SessionPackage } from './package.ts'

const status = z.object({ nextSession: z.unknown().optional() })
const ending = z.object({ nextSession: z.string().optional() })

/** @param result of the ended session; undefined: not known
 *  @returns null: the chain ends here */
export async function nextSession(
  session: SessionPackage,
  result: object | undefined,
): Promise<SessionPackage | null> {
  if (session.frontendRequest === undefined) return null
  const { url, headers } = frontendAddress(session)
  const answer = status.safeParse(jsonOf(await call('session status', `${url}/status`, { headers })))
  if (!answer.success || answer.data.nextSession === undefined) return null
  const token = ending.safeParse(result).data?.nextSession
  return {
    sessionPtr: parsePointer(answer.data.nextSession),
    frontendRequest: session.frontendRequest,
    ...(token && { token }),
  }
}
