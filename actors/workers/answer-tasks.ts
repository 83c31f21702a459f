/** The side of a worker thread of `Threads`: it answers each task in turn, and ends with the pool. @module */
import { parentPort } from 'node:worker_threads'
import { END } from '../../ports/thread.ts'
import type { FromThread, TaskMessage, ToThread } from './threads.ts'

/** @template Task type of all tasks of the pool
 *  @param outputOf calculates the answer; its error becomes the error of the task
 *  @param forget removes the key of this number */
export function answerTasks<Task>(
  outputOf: (task: Task, key: TaskMessage['key']) => unknown,
  forget: (keyName: number) => void = () => {},
): void {
  const answerTo = ({ id, task, key }: TaskMessage): FromThread => {
    try {
      return { id, output: outputOf(task as Task, key) } // the pool sends only tasks of this type
    } catch (error) {
      return { id, error }
    }
  }
  parentPort?.on('message', (message: ToThread) => {
    if (message === END) parentPort?.close()
    else if ('forget' in message) forget(message.forget)
    else parentPort?.postMessage(answerTo(message))
  })
  queueMicrotask(() => parentPort?.postMessage('loaded' satisfies FromThread)) // after the module of the thread is loaded as well
}
