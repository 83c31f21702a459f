/** The page asks what came of its session. @module */
import { finish } from '../../../sessions.js'

export async function GET(_, { params }) {
  return Response.json(...(await finish((await params).id)))
}
