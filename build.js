/** `npm run build`: compiles beside what is there and takes its place once it is whole, so that a program that runs from `dist` finds at every moment the
 *  files that it loads later: those of new worker threads, for instance. A build that fails changes nothing. It begins with a copy of the last one, whose `.tsbuildinfo` tells
 *  the compiler which files have changed since. @module */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const MAX_ATTEMPTS = 100
const STATE = '.tsbuildinfo'
const fresh = `dist.new-${process.pid}`
const old = `dist.old-${process.pid}`

function copyLast() {
  try {
    cpSync('dist', fresh, { recursive: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error // the first build, or another build takes its place now
    rmSync(fresh, { recursive: true, force: true })
  }
  if (!existsSync(join(fresh, STATE))) rmSync(fresh, { recursive: true, force: true })
}

/** Of a source that has gone, the compiler leaves the output. */
function removeStale() {
  for (const file of readdirSync(fresh, { recursive: true }))
    if (file.endsWith('.js') && !existsSync(`${file.slice(0, -'.js'.length)}.ts`))
      for (const suffix of ['.js', '.js.map', '.d.ts'])
        rmSync(join(fresh, file.replace(/\.js$/, suffix)), { force: true })
}

function compile() {
  const state = ['--incremental', '--tsBuildInfoFile', join(fresh, STATE)]
  execFileSync('node_modules/.bin/tsc', ['--outDir', fresh, ...state], { stdio: 'inherit' })
}

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
  copyLast()
  compile()
  removeStale()
  takePlace()
} catch (error) {
  if (error.status === undefined) throw error
  process.exitCode = error.status // the compiler has said why
} finally {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true })
}
