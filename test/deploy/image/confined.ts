/** Runs a program in the root of an image, confined as the manifests confine it: a user without rights, no capability, and a root that cannot be written. Only a
 *  root user who may mount can do that. @module */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Running, startProgram } from '../../cli/run-svc.ts'
import { hasSmallDisks } from '../../small-disk.ts'

/** The programs and libraries of this machine take the place of the base image. */
const FOLDERS = ['usr', 'lib', 'lib64', 'bin', 'dev', 'proc'].filter(name => existsSync(`/${name}`))
const NODE = 'node-of-this-test'

const CONFINE = `set -e
root=$1 node=$2 user=$3; shift 3
mount --bind "$root" "$root"
for each in ${FOLDERS.join(' ')}; do mount --rbind "/$each" "$root/$each"; done
mount --bind "$node" "$root/${NODE}"
mount -o remount,bind,ro "$root"
exec chroot "$root" setpriv --reuid "\${user%:*}" --regid "\${user#*:}" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"`

/** For `isMissing`. */
export const canConfine = hasSmallDisks && canUnshare()

function canUnshare(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false // a container without the right, or without the program
  }
}

/** @param user ids as USER of a container file has them
 *  @param words program and arguments, with paths of the image */
export function startConfined(
  root: string,
  user: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Running {
  for (const name of [...FOLDERS, NODE]) mkdirSync(join(root, name), { recursive: true })
  const confine = ['--mount', 'sh', '-c', CONFINE, 'sh', root, dirname(process.execPath), user]
  const PATH = `/${NODE}:/usr/sbin:/usr/bin:/sbin:/bin`
  return startProgram('unshare', [...confine, ...words], { ...env, PATH })
}
