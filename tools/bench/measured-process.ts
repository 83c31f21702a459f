/** The measured process, which answers the tasks of `tools/bench/server-process.ts`. @module */

/** Answered with the CPU milliseconds, user and system, of all threads of this process until now. */
export type CpuTask = { readonly ask: 'cpu' }

function asksForCpu(task: { readonly ask: string }): task is CpuTask {
  return task.ask === 'cpu'
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Answers the tasks of the parent process. The process ends with its parent.
 *  @param answer handles every other task */
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
