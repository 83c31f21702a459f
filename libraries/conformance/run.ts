/** Tries the rows at a server, one after another. @module */

import { NoAnswerError } from './calls.ts'
import { expectThat, MismatchError, NotTriedError, outcomeOf } from './expect.ts'
import { at } from './json.ts'
import type { RowId } from './rows.ts'
import { createService, type Service, type Target } from './service.ts'
import type { RowTrial } from './trials/trials.ts'

export type RowOutcome = { readonly row: RowId; readonly rule: string } & (
  | { readonly outcome: 'ok' }
  | { readonly outcome: 'failed'; readonly expected: string; readonly got: string }
  | { readonly outcome: 'not tried'; readonly reason: string }
)

/** Stops early when `target.signal` is aborted.
 *  @throws {Error} before the first row, if the server cannot be tried */
export async function* tryRows(
  target: Target,
  rows: readonly RowTrial[],
): AsyncGenerator<RowOutcome, undefined> {
  const service = createService(target)
  await requireServer(service)
  for (const { id, rule, trial } of rows) {
    const outcome = await outcomeOfTrial(() => trial(service))
    if (target.signal.aborted) return
    yield { row: id, rule, ...outcome }
  }
}

async function outcomeOfTrial(trial: () => Promise<void>) {
  try {
    await trial()
    return { outcome: 'ok' } as const
  } catch (error) {
    if (error instanceof NotTriedError) return { outcome: 'not tried', reason: error.message } as const
    if (!(error instanceof MismatchError)) throw error
    return { outcome: 'failed', expected: error.expected, got: error.got } as const
  }
}

/** Maximum length of a server's message that is shown. */
const MESSAGE_LENGTH = 300

/** Checks the conditions of every trial: the server responds, and this requestor may start a session. */
async function requireServer(service: Service): Promise<void> {
  const answer = await reached(`--server ${service.server}`, () => service.post(service.disclosure()))
  const type = at(answer.json, 'error')
  if (typeof type === 'string') {
    const message = String(at(answer.json, 'message') ?? at(answer.json, 'description') ?? '')
    throw new Error(
      `--server ${service.server}: expected a session for ${service.subject.attribute.id}, got ${answer.status} ${type}: ${message.slice(0, MESSAGE_LENGTH)}. Set the requestor with --auth-method, --key and --name, the attribute with --disclose, and the names on the wire with --profile`,
    )
  }
  const { pointerField } = service.profile
  if (answer.status !== 200 || at(answer.json, 'sessionPtr', pointerField) === undefined)
    throw new Error(
      `--server ${service.server}: expected a session server of the profile ${service.profile.name} (a session package with ${pointerField}), got ${outcomeOf(answer)} and another body; --server is the address of requestors, and --profile says which names are on the wire`,
    )
  const u = String(at(answer.json, 'sessionPtr', 'u'))
  const seen = await reached('the address in the session pointer', () => service.get(`${u}/status`))
  expectThat(
    seen.status === 200,
    `a status at the address in the session pointer (${new URL(u).origin})`,
    outcomeOf(seen),
  )
}

async function reached<Result>(what: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof NoAnswerError) throw new Error(`${what}: ${error.message}`)
    throw error
  }
}
