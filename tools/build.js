/** `npm run build`: compiles into a new folder, which replaces `dist` when it is complete. A program that runs from `dist` can therefore load further files at any
 *  time, for example for new worker threads. A failed build changes nothing. The new folder starts as a copy of the last build: its `.tsbuildinfo` tells
 *  the compiler which files have changed since. @module */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MAX_ATTEMPTS = 100
const STATE = '.tsbuildinfo'
const fresh = `dist.new-${process.pid}`
const old = `dist.old-${process.pid}`

/** Reads the state first: another build may replace `dist` during the copy. The compiler then writes all files that have changed since this state. */
function copyLast() {
  try {
    const state = readFileSync(join('dist', STATE))
    cpSync('dist', fresh, { recursive: true })
    writeFileSync(join(fresh, STATE), state)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error // the first build, or another build is replacing it now
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Removes the output of deleted sources, which the compiler keeps. */
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

/** Replaces `dist` by two renames. Another build may create `dist` between them; that one is then replaced as well. */
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
  process.exitCode = error.status // the compiler has printed the reason
} finally {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true })
}
