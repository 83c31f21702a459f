/** The crowd of the benchmark: a process that submits everything at once on command, and reports the statuses of the answers. @module */
import { call } from './call.ts'

export type Crowd = {
  readonly headers: Readonly<Record<string, string>>
  /** addresses, each with the index of its body */
  readonly submissions: readonly (readonly [url: string, body: number])[]
  readonly bodies: readonly string[]
}

process.on('message', async ({ headers, submissions, bodies }: Crowd) => {
  const answers = await Promise.all(
    submissions.map(([url, body]) => call('POST', url, headers, bodies[body])),
  )
  process.send?.(answers.map(({ status }) => status))
})
process.on('disconnect', () => process.exit())
