/** The thread of `checkpoints.ts`. A passive checkpoint does not wait for others, and others do not wait for it. @module */
import { parentPort, workerData } from 'node:worker_threads'
import { openSqlite } from '../statements.ts'
import type { CheckpointMessage } from './checkpoints.ts'

const database = await openSqlite(String(workerData))

parentPort?.on('message', (asked: CheckpointMessage) => {
  if (asked === 'checkpoint') {
    database.exec('pragma wal_checkpoint(passive)')
    parentPort?.postMessage('done')
  } else {
    database.close()
    parentPort?.close()
  }
})
