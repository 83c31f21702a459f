/** The page asks for a session. @module */
import { start } from '../../sessions.js'

export async function POST() {
  return Response.json(...(await start()))
}
