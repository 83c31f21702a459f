/** The crowd of the benchmark: a process of its own that submits everything at once when it is told to, and tells the statuses of the answers. @module */
import { call } from './call.ts'

export type Crowd = {
  readonly headers: Readonly<Record<string, string>>
  /** addresses, each with the number of its body */
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
