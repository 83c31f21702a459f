/** Which process holds a store, in words that say for certain when it is gone. @module */
import { readFileSync, readlinkSync } from 'node:fs'

const KERNEL_BOOT = '/proc/sys/kernel/random/boot_id'
const PID_NAMESPACE = '/proc/self/ns/pid'
/** The places in /proc/PID/stat, counted after the name, which may hold anything (proc(5): fields 3 and 22). */
const STATE = 0
const STARTED = 19

/** Where pids are counted: the boot of the kernel, and the namespace.
 *  @returns null where the system does not say */
function whereabouts(): string | null {
  try {
    return `${readFileSync(KERNEL_BOOT, 'utf8').trim()} ${readlinkSync(PID_NAMESPACE)}`
  } catch {
    return null // no Linux, or one that hides it: nothing is certain then
  }
}

/** @returns fields of /proc/PID/stat from the third on, null if they cannot be read */
function statOf(pid: number): readonly string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null // gone, or hidden from this user: `kill` knows
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH') // else it is somebody else's
  }
}

/** @returns kernel boot, PID namespace, pid and start time; null where the system does not say */
export function ownIdentity(): string | null {
  const where = whereabouts()
  const started = statOf(process.pid)?.[STARTED]
  return where === null || started === undefined ? null : `${where} ${process.pid} ${started}`
}

/** @param identity as `ownIdentity` said it, here or elsewhere
 *  @returns false also when nobody can say */
export function isCertainlyGone(identity: string | null): boolean {
  const [kernel, namespace, pid, started] = identity?.split(' ') ?? []
  if (pid === undefined || `${kernel} ${namespace}` !== whereabouts()) return false
  if (!exists(Number(pid))) return true
  const stat = statOf(Number(pid))
  return stat !== null && (stat[STARTED] !== started || stat[STATE] === 'Z')
}
