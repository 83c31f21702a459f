/** Schemes are read and updated in a thread of its own for each job, because hashes, XML and copies of many files would stop all other calls meanwhile. @module */
import { Worker } from 'node:worker_threads'
import { ended } from '../../ports/thread.ts'
import type { OnClose } from '../opened.ts'

/** @param job what the thread is given
 *  @param hear gets what the thread sends; nothing once the server closes
 *  @returns when the thread has ended
 *  @throws what the thread throws */
export type RunJob<Job, Message> = (
  job: Job,
  hear: (message: Message, thread: Worker) => void,
) => Promise<void>

/** @param file of the threads
 *  @param onClose tells them to end, and waits for it; whatever of a job can be left out, is */
export function jobThreads<Job, Message>(file: URL, onClose: OnClose): RunJob<Job, Message> {
  const threads = new Set<Worker>()
  let isClosing = false
  onClose(async () => {
    isClosing = true
    await Promise.all([...threads].map(ended))
  })
  return (job, hear) =>
    new Promise((resolve, reject) => {
      const thread = new Worker(file, { workerData: job })
      threads.add(thread)
      thread.on('message', (message: Message) => {
        if (!isClosing) hear(message, thread)
      })
      thread.once('error', reject)
      thread.once('exit', () => {
        threads.delete(thread)
        resolve()
      })
    })
}
