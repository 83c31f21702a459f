/** The issuer keys that a folder of schemes has gained (`spec/keyshare-server.md` 8.1). A scheme that is broken is reported and left out, and the others count: a
 *  server that runs keeps what it has, while `load.ts` refuses all when one is broken. @module */
import { publicKeyIdText } from '../protocol/keyshare/public-key-ids.ts'
import { keysOf, type NamedKey } from './key-set.ts'
import { findSchemes, readSchemeIn } from './load.ts'
import { SchemeError } from './scheme-error.ts'
import { unmoved } from './seats.ts'
import type { Scheme } from './types.ts'

export type NewKeys = {
  readonly keys: readonly NamedKey[]
  /** why folders were left out: file and reason */
  readonly refused: readonly string[]
}

/** @param known names of the keys that are not asked for */
export function readNewKeys(path: string, known: readonly string[]): Promise<NewKeys> {
  return unmoved(path, () => readOnce(path, known))
}

async function readOnce(path: string, known: readonly string[]): Promise<NewKeys> {
  const names = new Set(known)
  const schemes: Scheme[] = []
  const refused: string[] = []
  try {
    for (const folder of (await findSchemes(path)).folders)
      try {
        schemes.push(readSchemeIn(folder, schemes))
      } catch (error) {
        refused.push(reasonOf(error))
      }
  } catch (error) {
    refused.push(reasonOf(error))
  }
  return { keys: schemes.flatMap(keysOf).filter(({ id }) => !names.has(publicKeyIdText(id))), refused }
}

function reasonOf(error: unknown): string {
  if (error instanceof SchemeError) return error.message
  throw error
}
