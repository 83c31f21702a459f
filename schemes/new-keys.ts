/** Finds new issuer keys in a folder of schemes (spec/keyshare-server#8.1). A broken scheme is reported and skipped, because a running server
 *  keeps its keys. `load.ts` instead refuses all schemes if one is broken. @module */
import { publicKeyIdText } from '../protocol/keyshare/public-key-ids.ts'
import { keysOf, type NamedKey } from './key-set.ts'
import { findSchemes, readSchemeIn } from './load.ts'
import { SchemeError } from './scheme-error.ts'
import { unmoved } from './seats.ts'
import type { Scheme } from './types.ts'

export type NewKeys = {
  readonly keys: readonly NamedKey[]
  /** file and reason for each folder that was skipped */
  readonly refused: readonly string[]
}

/** @param known names of the keys to leave out of the answer */
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
