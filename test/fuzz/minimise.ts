/** Makes an input smaller that shows a fault (ddmin): pieces are taken out as long as the fault stays. @module */
import type { Input } from './target.ts'

/** The most tries for one input. */
const MOST_TRIES = 1_000

type Shows = (input: Input) => Promise<boolean>

/** @param shows true if the input still shows the fault
 *  @returns an input that shows it, and from which no single piece can be taken */
export async function minimised(input: Input, shows: Shows): Promise<Input> {
  let tries = 0
  const bounded: Shows = async smaller => ++tries <= MOST_TRIES && (await shows(smaller))
  return smallerInput(input, bounded)
}

async function smallerInput(input: Input, shows: Shows): Promise<Input> {
  if (typeof input === 'string') return smallerText(input, shows)
  let members: Readonly<Record<string, Input>> = input
  for (const name of Object.keys(input)) {
    const { [name]: _, ...rest } = members
    if (await shows(rest)) members = rest
  }
  for (const [name, member] of Object.entries(members)) {
    const smaller = await smallerInput(member, each => shows({ ...members, [name]: each }))
    members = { ...members, [name]: smaller }
  }
  return members
}

async function smallerText(text: string, shows: Shows): Promise<string> {
  let kept = text
  for (let size = Math.ceil(kept.length / 2); size >= 1; ) {
    const before = kept.length
    for (let at = 0; at < kept.length; ) {
      const without = kept.slice(0, at) + kept.slice(at + size)
      if (await shows(without)) kept = without
      else at += size
    }
    if (size === 1 && kept.length === before) break
    size =
      kept.length < before && size > 1 ? Math.min(size, Math.ceil(kept.length / 2)) : Math.floor(size / 2)
    if (kept.length === 0) break
  }
  return kept
}
