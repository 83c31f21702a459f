/** Waits until a program that a test has started accepts connections. @module */
import type { ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import { pause } from './patience.ts'

/** The pause between two attempts. */
const LOOK_MS = 20

/** @throws {Error} if the program ends first */
export async function untilListening(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    if (await isListening(port)) return
    await pause(LOOK_MS)
  }
  throw new Error(`expected a program that listens, got its end with ${child.exitCode ?? child.signalCode}`)
}

function isListening(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
