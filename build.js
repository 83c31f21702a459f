/** `npm run build`: compiles beside what is there and takes its place once it is whole, so that a program that runs from `dist` finds at every moment the
 *  files that it loads later: those of new worker threads, for instance. A build that fails changes nothing. @module */
import { execFileSync } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'

const MAX_ATTEMPTS = 100
const fresh = `dist.new-${process.pid}`
const old = `dist.old-${process.pid}`

/** The folder is away for the moment between two renames; another build may come between them, and is then replaced as well. */
function takePlace() {
  for (let attempt = 1; ; attempt++) {
    moveAway()
    try {
      return renameSync(fresh, 'dist')
    } catch (error) {
      if (error.code !== 'ENOTEMPTY' || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

function moveAway() {
  rmSync(old, { recursive: true, force: true })
  try {
    renameSync('dist', old)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error // the first build
  }
}

try {
  execFileSync('node_modules/.bin/tsc', ['--outDir', fresh], { stdio: 'inherit' })
  takePlace()
} catch (error) {
  if (error.status === undefined) throw error
  process.exitCode = error.status // the compiler has said why
} finally {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true })
}
