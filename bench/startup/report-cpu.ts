/** Loaded into a `svc` process before anything else: it says its CPU time when its parent asks, and of its own accord when it has nothing left to do. @module */

function tell(): void {
  const { user, system } = process.cpuUsage()
  process.send?.((user + system) / 1_000)
}

process.on('message', tell)
process.channel?.unref() // a command that is done ends
process.once('beforeExit', tell)
