/** Each job that reads or updates schemes has its own thread. On the main thread, hashes, XML and copies of many files would block all other calls. @module */
import { Worker } from 'node:worker_threads'
import { ended } from '../../ports/thread.ts'
import type { OnClose } from '../closable.ts'

/** @param job the input of the thread
 *  @param notify receives the messages of the thread, and none once the server closes
 *  @returns when the thread has ended
 *  @throws the error of the thread */
export type RunJob<Job, Message> = (
  job: Job,
  notify: (message: Message, thread: Worker) => void,
) => Promise<void>

/** @param file of the threads
 *  @param onClose at the close, every thread is told to end and is awaited. Its job then skips all remaining work that it can */
export function jobThreads<Job, Message>(file: URL, onClose: OnClose): RunJob<Job, Message> {
  const threads = new Set<Worker>()
  let isClosing = false
  onClose(async () => {
    isClosing = true
    await Promise.all([...threads].map(ended))
  })
  return (job, notify) =>
    new Promise((resolve, reject) => {
      const thread = new Worker(file, { workerData: job })
      threads.add(thread)
      thread.on('message', (message: Message) => {
        if (!isClosing) notify(message, thread)
      })
      thread.once('error', reject)
      thread.once('exit', () => {
        threads.delete(thread)
        resolve()
      })
    })
}
