/** A commit as one script, which the server runs atomically: checks and, if all of them hold, write commands. The parts of the store build the checks
 *  and writes as commands of the server. @module */
import { createHash } from 'node:crypto'

/** A command of the server: its name and its arguments. */
export type Command = readonly string[]

/** The meaning of a failed check: another version is stored, or a new row already exists. */
export type CheckFailure = 'lost' | 'exists'

export type Check = {
  readonly command: Command
  /** its answer as text; empty: no value */
  readonly expected: string
  readonly otherwise: CheckFailure
}

/** The checks and writes of a part of a commit. If the memory is full, the server refuses the first write command, so a commit is never half-written. */
export type Change = { readonly checks: readonly Check[]; readonly writes: readonly Command[] }

export type TransactionOutcome = 'committed' | CheckFailure | 'fenced'

/** By the number that the script returns. */
const OUTCOMES: readonly TransactionOutcome[] = ['lost', 'committed', 'exists', 'fenced']

/** A write that the script adds to the commands of the server. Its arguments are the key of a set of keys, and a grant. It deletes the set, and the records in it that
 *  belong to the grant. */
export const DELETE_OF_GRANT = 'delete-of-grant'

/** KEYS: the lease of the node, without which it commits nothing. ARGV: the number of checks; for each check its outcome, the expected text and the
 *  command; then the write commands. A command is the number of its words, then the words. */
export const TRANSACTION = `if redis.call('exists', KEYS[1]) == 0 then return 3 end
local at = 2
local function command()
  local first, last = at + 1, at + tonumber(ARGV[at])
  at = last + 1
  return unpack(ARGV, first, last)
end
for _ = 1, tonumber(ARGV[1]) do
  local outcome, expected = ARGV[at], ARGV[at + 1]
  at = at + 2
  if tostring(redis.call(command()) or '') ~= expected then return tonumber(outcome) end
end
local function write(...)
  local name, key, grant = ...
  if name ~= '${DELETE_OF_GRANT}' then return redis.call(...) end
  for _, member in ipairs(redis.call('smembers', key)) do
    if redis.call('hget', member, 'grant') == grant then redis.call('del', member) end
  end
  redis.call('del', key)
end
while ARGV[at] do write(command()) end
return 1`

/** The name under which the server caches the script. */
export const TRANSACTION_SHA = createHash('sha1').update(TRANSACTION).digest('hex')

/** @returns the arguments of the script */
export function argumentsOf({ checks, writes }: Change): string[] {
  const words = [String(checks.length)]
  for (const { command, expected, otherwise } of checks)
    words.push(String(OUTCOMES.indexOf(otherwise)), expected, String(command.length), ...command)
  for (const command of writes) words.push(String(command.length), ...command)
  return words
}

export function outcomeOf(answer: unknown): TransactionOutcome {
  const outcome = typeof answer === 'number' ? OUTCOMES[answer] : undefined
  if (outcome === undefined)
    throw new TypeError('a transaction: expected one of its outcomes, got another answer')
  return outcome
}

export function joined(changes: readonly Change[]): Change {
  return {
    checks: changes.flatMap(({ checks }) => checks),
    writes: changes.flatMap(({ writes }) => writes),
  }
}

/** The compare of a compare-and-set; a row has its version in a field.
 *  @param version 0: there must be no row */
export function isOfVersion(key: string, version: number): Check {
  return { command: ['hget', key, 'v'], expected: version === 0 ? '' : String(version), otherwise: 'lost' }
}

export function isNew(key: string): Check {
  return { command: ['exists', key], expected: '0', otherwise: 'exists' }
}
