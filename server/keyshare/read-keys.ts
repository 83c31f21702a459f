/** Reads schemes in a thread of its own, because hashes and XML of many files would stop all other calls meanwhile. @module */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { NewKeys } from '../../schemes/new-keys.ts'
import type { OnClose } from '../opened.ts'

/** What the thread is given. */
export type KeysToRead = { readonly path: string; readonly known: readonly string[] }

/** @param path folder of the schemes
 *  @param onClose ends a thread that still reads
 *  @returns reads once; the thread ends with it */
export function keysReader(path: string, onClose: OnClose): (known: readonly string[]) => Promise<NewKeys> {
  const threads = new Set<Worker>()
  onClose(async () => {
    await Promise.all([...threads].map(thread => thread.terminate()))
  })
  return known =>
    new Promise((resolve, reject) => {
      const workerData: KeysToRead = { path, known }
      const file = new URL(`./read-keys-thread${extname(import.meta.url)}`, import.meta.url)
      const thread = new Worker(file, { workerData })
      threads.add(thread)
      thread.once('message', resolve)
      thread.once('error', reject)
      thread.once('exit', () => {
        threads.delete(thread)
        resolve({ keys: [], refused: [] }) // ended while it read: the server stops
      })
    })
}
