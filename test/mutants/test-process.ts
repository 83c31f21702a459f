/** The process that runs test files against a mutant; workshop.ts has put the mutant into this copy. It reports the end of every test, and ends at the first
 *  failure. @module */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Heard =
  | { readonly type: 'over' }
  | { readonly type: 'failed'; readonly test: string }
  | { readonly type: 'passed' }

type SuiteRun = () => Promise<unknown>

const tests = dirname(dirname(fileURLToPath(import.meta.url)))
const queue: [string, ...SuiteRun[]][] = []
Object.assign(globalThis, { UVU_DEFER: 1, UVU_QUEUE: queue })
const { beginFile, endFile, hearTests } = await import('../suite.ts') // uvu reads these globals while it is loading

function say(heard: Heard): void {
  process.send?.(heard)
}

/** The parent ends this process when it gets a failure. */
function failed(test: string): Promise<never> {
  say({ type: 'failed', test })
  return new Promise(() => {})
}

process.channel?.ref() // until the parent has received everything
hearTests(
  ({ file, title, outcome }) =>
    void (outcome === 'failed' ? failed(`${file}: ${title}`) : say({ type: 'over' })),
)

for (const [index, file] of process.argv.slice(2).entries()) {
  Object.assign(globalThis, { UVU_INDEX: index })
  queue.push([file])
  await beginFile(file)
  await import(join(tests, file)).catch(() => failed(`${file} is loaded`))
  const [, ...suites] = queue[index] ?? ['']
  for (const run of suites) await run()
  endFile()
}
say({ type: 'passed' })
