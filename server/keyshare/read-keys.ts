/** Reads the issuer keys of schemes. @module */
import { extname } from 'node:path'
import type { NewKeys } from '../../schemes/new-keys.ts'
import type { OnClose } from '../closable.ts'
import { jobThreads } from '../schemes/job-threads.ts'

/** The input of the thread. */
export type KeysToRead = { readonly path: string; readonly known: readonly string[] }

/** @param path folder of the schemes
 *  @returns a function that reads once. It returns no keys if the server closes meanwhile */
export function keysReader(path: string, onClose: OnClose): (known: readonly string[]) => Promise<NewKeys> {
  const file = new URL(`./read-keys-thread${extname(import.meta.url)}`, import.meta.url)
  const run = jobThreads<KeysToRead, NewKeys>(file, onClose)
  return async known => {
    let read: NewKeys = { keys: [], refused: [] }
    await run({ path, known }, keys => {
      read = keys
    })
    return read
  }
}
