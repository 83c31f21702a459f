/** Waits for the signal that stops a long-running command. @module */

/** @returns the name of the first SIGINT or SIGTERM; a second one ends the process at once */
export function stopSignal(): Promise<string> {
  return new Promise(resolve => {
    const stop = (signal: string): void => {
      process.off('SIGINT', stop).off('SIGTERM', stop)
      resolve(signal)
    }
    process.on('SIGINT', stop).on('SIGTERM', stop)
  })
}
