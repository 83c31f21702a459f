/** The other side of `bench/server-process.ts`: the process that is measured, and answers its parent. @module */

/** Answered with the CPU milliseconds of all threads of this process until now, user and system. */
export type CpuTask = { readonly ask: 'cpu' }

function asksForCpu(task: { readonly ask: string }): task is CpuTask {
  return task.ask === 'cpu'
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** The process ends with its parent.
 *  @param answer to every other task */
export function answerParent<Task extends { readonly ask: string }>(
  answer: (task: Exclude<Task, CpuTask>) => Promise<number>,
): void {
  const answerOf = async (task: Exclude<Task, CpuTask> | CpuTask): Promise<number> =>
    asksForCpu(task) ? cpuMs() : answer(task)
  process.on('message', async (task: Exclude<Task, CpuTask> | CpuTask) => {
    process.send?.(await answerOf(task))
  })
  process.on('disconnect', () => process.exit())
}
