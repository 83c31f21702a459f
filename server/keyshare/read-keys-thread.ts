/** The thread of `read-keys.ts`: reads once and answers. @module */
import { parentPort, workerData } from 'node:worker_threads'
import { readNewKeys } from '../../schemes/new-keys.ts'
import type { KeysToRead } from './read-keys.ts'

const { path, known }: KeysToRead = workerData
parentPort?.postMessage(await readNewKeys(path, known))
