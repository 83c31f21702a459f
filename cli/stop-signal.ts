/** How a command that runs for good is told to stop. @module */

/** @returns its name, once SIGINT or SIGTERM has come; a second one ends the process at once */
export function stopSignal(): Promise<string> {
  return new Promise(resolve => {
    const stop = (signal: string): void => {
      process.off('SIGINT', stop).off('SIGTERM', stop)
      resolve(signal)
    }
    process.on('SIGINT', stop).on('SIGTERM', stop)
  })
}
