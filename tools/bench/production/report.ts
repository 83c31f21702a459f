/** Preloaded into the `svc` process of the production benchmark: it answers each message of its parent with its use of resources until now. @module */
import { GCProfiler } from 'node:v8'

export type Usage = {
  /** CPU milliseconds, user and system, of all threads */
  readonly cpuMs: number
  /** bytes that the main thread allocated on its heap; buffers outside of the heap are not included */
  readonly allocatedBytes: number
  /** resident memory in bytes */
  readonly residentBytes: number
}

let profiler = started()
/** Bytes of the heap after the last known collection. */
let keptBytes = process.memoryUsage().heapUsed
let allocatedBytes = 0

function started(): GCProfiler {
  const created = new GCProfiler()
  created.start()
  return created
}

/** Adds what was allocated before each collection since the last call, and after the last one. */
function countAllocated(): void {
  const collections = profiler.stop()?.statistics ?? []
  profiler = started()
  for (const { beforeGC, afterGC } of collections) {
    allocatedBytes += beforeGC.heapStatistics.usedHeapSize - keptBytes
    keptBytes = afterGC.heapStatistics.usedHeapSize
  }
  const { heapUsed } = process.memoryUsage()
  allocatedBytes += heapUsed - keptBytes
  keptBytes = heapUsed
}

process.on('message', () => {
  countAllocated()
  const { user, system } = process.cpuUsage()
  const residentBytes = process.memoryUsage.rss()
  process.send?.({ cpuMs: (user + system) / 1_000, allocatedBytes, residentBytes } satisfies Usage)
})
process.channel?.unref() // so that the channel does not keep a server alive that has stopped
process.on('disconnect', () => process.exit())
