/** The jobs on schemes that run in threads, and their messages to and from the server. @module */
import { extname } from 'node:path'
import type { SchemeContent } from '../../schemes/types.ts'
import type { OnClose } from '../closable.ts'
import { jobThreads } from './job-threads.ts'
import type { UpdateJob, UpdateOutcome } from './update-job.ts'

type KeptJob = {
  readonly folder: string
  readonly timestampSec: number
  readonly privateKeys: string | null
}

/** The input of the thread. */
export type ToThread = {
  readonly job: (UpdateJob & { readonly type: 'update' }) | (KeptJob & { readonly type: 'kept' })
  /** the answer of the server to each version that the thread found */
  readonly answer: { readonly folder: string; readonly refusal: string | null }
}

export type FromThread =
  | { readonly type: 'found'; readonly content: SchemeContent }
  | { readonly type: 'outcome'; readonly outcome: UpdateOutcome }
  | { readonly type: 'kept'; readonly content: SchemeContent | null }

export type UpdateListener = {
  /** @returns the reason why this version is refused; null: it is approved */
  approve(content: SchemeContent): string | null
  notify(outcome: UpdateOutcome): void
}

export type SchemeThreads = {
  /** Ends when each scheme has been reported, or when the server closes. */
  update(job: UpdateJob, listener: UpdateListener): Promise<void>
  /** @returns null: the version was not kept, or is broken, or the server closes */
  readKept(job: KeptJob): Promise<SchemeContent | null>
}

/** @param onClose at the close, running jobs are aborted */
export function schemeThreads(onClose: OnClose): SchemeThreads {
  const file = new URL(`./thread${extname(import.meta.url)}`, import.meta.url)
  const run = jobThreads<ToThread['job'], FromThread>(file, onClose)
  return {
    update: (job, { approve, notify: told }) =>
      run({ ...job, type: 'update' }, (message, thread) => {
        if (message.type === 'outcome') told(message.outcome)
        if (message.type !== 'found') return
        const { folder } = message.content
        const answer: ToThread['answer'] = { folder, refusal: approve(message.content) }
        thread.postMessage(answer)
      }),
    async readKept(job) {
      let content: SchemeContent | null = null
      await run({ ...job, type: 'kept' }, message => {
        if (message.type === 'kept') content = message.content
      })
      return content
    },
  }
}
