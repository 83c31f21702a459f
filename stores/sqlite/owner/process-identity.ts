/** Identifies the process that holds a store, so that its end can be detected with certainty. @module */
import { readFileSync, readlinkSync } from 'node:fs'

const KERNEL_BOOT = '/proc/sys/kernel/random/boot_id'
const PID_NAMESPACE = '/proc/self/ns/pid'
/** Positions in /proc/PID/stat, counted after the name, which may contain any character (proc(5): fields 3 and 22). */
const STATE = 0
const STARTED = 19

/** The scope in which a pid is unique: the boot of the kernel, and the namespace.
 *  @returns null if the system does not provide it */
function whereabouts(): string | null {
  try {
    return `${readFileSync(KERNEL_BOOT, 'utf8').trim()} ${readlinkSync(PID_NAMESPACE)}`
  } catch {
    return null // not Linux, or the files are hidden: then nothing is certain
  }
}

/** @returns fields of /proc/PID/stat from the third on; null if they cannot be read */
function statOf(pid: number): readonly string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null // gone, or hidden from this user; `kill` tells them apart
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH') // any other error: the process belongs to another user
  }
}

/** @returns kernel boot, PID namespace, pid and start time; null if the system does not provide them */
export function ownIdentity(): string | null {
  const where = whereabouts()
  const started = statOf(process.pid)?.[STARTED]
  return where === null || started === undefined ? null : `${where} ${process.pid} ${started}`
}

/** @param identity returned by `ownIdentity`, of this process or another
 *  @returns false also if the state of the process is unknown */
export function isCertainlyGone(identity: string | null): boolean {
  const [kernel, namespace, pid, started] = identity?.split(' ') ?? []
  if (pid === undefined || `${kernel} ${namespace}` !== whereabouts()) return false
  if (!exists(Number(pid))) return true
  const stat = statOf(Number(pid))
  return stat !== null && (stat[STARTED] !== started || stat[STATE] === 'Z')
}
