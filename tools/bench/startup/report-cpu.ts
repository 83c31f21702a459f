/** Preloaded into a `svc` process: it reports its CPU time when its parent asks, and when it has nothing left to do. @module */

function tell(): void {
  const { user, system } = process.cpuUsage()
  process.send?.((user + system) / 1_000)
}

process.on('message', tell)
process.channel?.unref() // so that the channel does not keep a finished command alive
process.once('beforeExit', tell)
