/** A writer of the database of a keyshare server puts an answered commitment back, so that the server answers it again. Two responses with one w_k give m_k, the half
 *  of the user's key that only the server may have. @module */
import { decodeJwt } from 'jose'
import { fromBase64 } from '../../../crypto/bytes.ts'
import { call, commitment, headersOf, login, PIN, registered } from '../../faults/keyshare/app.ts'
import type { Attack } from '../attack.ts'
import { type Columns, type EditedKeyshare, editedKeyshare } from '../edited-keyshare.ts'

const OF_COMMITMENT = ['last_key', 'hashed_comms', 'sealed_randomizer', 'due_at', 'snapshot']

/** The columns that replace those of the row after the response. */
const MOVES: Readonly<Record<string, (before: Columns) => Columns>> = {
  'its columns in the present row': before =>
    later(Object.fromEntries(Object.entries(before).filter(([name]) => OF_COMMITMENT.includes(name)))),
  'the whole row, with a later end': before => later(before),
  'the whole row': before => before,
}

export const attack: Attack = {
  name: 'commitment-put-back',
  gains: "the half of a user's key that only the keyshare server may have",
  cites: 'spec/keyshare-server#8.6',
  on: 'own servers',
  async run(own) {
    // the whole row is refused only by a process that knows which commitments it made
    const server = await editedKeyshare(own, { commitments_of: 'own' })
    const gained: string[] = []
    for (const [how, change] of Object.entries(MOVES))
      if (await answersTwice(server, change)) gained.push(how)
    return gained.length === 0 ? null : `two responses to one commitment: ${gained.join('; ')}`
  },
}

async function answersTwice(server: EditedKeyshare, change: (typeof MOVES)[string]): Promise<boolean> {
  const app = await registered(server, true)
  const headers = headersOf(app, (await login(server, app, PIN)).message)
  await commitment(server, headers)
  const before = await server.read(app.userName)
  const first = await responseTo(11, server, headers)
  if (first === null) throw new Error('expected a response to the commitment, got none')
  await server.write(app.userName, change(before))
  const second = await responseTo(12, server, headers)
  // s = w_k + c * m_k
  return second !== null && second - first > 0n
}

async function responseTo(
  challenge: number,
  server: EditedKeyshare,
  headers: Readonly<Record<string, string>>,
): Promise<bigint | null> {
  const { status, text } = await call(server, '/prove/getResponse', { headers, body: challenge })
  return status === 200 ? fromBase64(Object(decodeJwt(text).ProofP).s_response) : null
}

/** The same, with an hour more for the commitment. */
function later({ snapshot, ...columns }: Columns): Columns {
  const { value, context } = JSON.parse(String(snapshot))
  const endsAt = context.commitmentEndsAt + 3_600_000
  const changed = JSON.stringify({ value, context: { ...context, commitmentEndsAt: endsAt } })
  return { ...columns, due_at: endsAt, snapshot: changed }
}
