/** `npm run release -- 0.2.0`: closes the chapter "Unreleased" of the changelog under this version and today's date, and sets the version of the package. It writes
 *  the chapter to `dist.release/0.2.0.md` for the page of the release. It does not commit. If it refuses a release, it changes nothing.
 *  `npm run release -- notes 0.2.0` prints the chapter of a closed version. Both also work from a folder below the package. @module */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const NUMBER = '(0|[1-9]\\d*)'
const FORM = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}$`)
const OPEN = '## Unreleased\n'
const FILES = ['CHANGELOG.md', 'package.json']

class ReleaseError extends Error {}

/** @returns true if the first version is above the second one */
function isAbove(one, other) {
  const [parts, others] = [one, other].map(numbersOf)
  const at = parts.findIndex((part, i) => part !== others[i])
  return at >= 0 && parts[at] > others[at]
}

function numbersOf(version) {
  return FORM.exec(version).slice(1).map(Number)
}

/** npm refuses greater numbers too, because they are not exact. */
function requireForm(version, what, remedy) {
  if (!FORM.test(version ?? ''))
    throw new ReleaseError(`${what}: expected a form like 0.2.0, got ${version ?? 'none'}: ${remedy}`)
  if (!numbersOf(version).every(Number.isSafeInteger))
    throw new ReleaseError(`${what}: expected numbers up to ${Number.MAX_SAFE_INTEGER}, got ${version}`)
}

function requireVersion(version, current) {
  requireForm(version, 'version', 'run npm run release -- 0.2.0')
  requireForm(current, 'version in package.json', 'correct it first')
  if (!isAbove(version, current))
    throw new ReleaseError(`version: expected one above ${current}, got ${version}`)
}

function requireNoMore(words) {
  if (words.length > 0)
    throw new ReleaseError(`arguments: expected none after the version, got ${words.join(' ')}`)
}

/** The nearest folder, from the current one upwards, that has the files of a package. */
function packageFolder(folder) {
  if (FILES.every(file => existsSync(join(folder, file)))) return folder
  if (dirname(folder) === folder)
    throw new ReleaseError(
      `folder: expected ${FILES.join(' and ')} in it or in one above it, got ${process.cwd()}`,
    )
  return packageFolder(dirname(folder))
}

function requireCleanTree() {
  const {
    status,
    stdout: changed,
    stderr,
  } = spawnSync('git', ['status', '--porcelain'], { encoding: 'utf8' })
  if (status !== 0)
    throw new ReleaseError(`working tree: expected a checkout of git, got ${stderr?.trim() || 'no git'}`)
  if (changed !== '')
    throw new ReleaseError(
      `working tree: expected no changes, got these; commit or stash them first:\n${changed}`,
    )
}

/** @returns the text before the chapter, the chapter, and the text after it */
function chapters(changelog) {
  const start = changelog.indexOf(OPEN)
  if (start < 0) throw new ReleaseError('CHANGELOG.md: expected a heading "## Unreleased", got none')
  const begin = start + OPEN.length
  const next = changelog.indexOf('\n## ', begin - 1)
  const end = next < 0 ? changelog.length : next + 1
  const text = changelog.slice(begin, end).trim()
  const hasLines = /^\s*(?!#+(?:\s|$))\S/m.test(text) // headings are none
  if (!hasLines)
    throw new ReleaseError('CHANGELOG.md: expected lines below "Unreleased", got none: nothing to release')
  return { before: changelog.slice(0, start), text, after: changelog.slice(end) }
}

function withVersion(path, version, places) {
  const content = JSON.parse(readFileSync(path, 'utf8'))
  for (const place of places(content)) place.version = version
  return `${JSON.stringify(content, null, 2)}\n`
}

function release(version) {
  requireVersion(version, JSON.parse(readFileSync('package.json', 'utf8')).version)
  requireCleanTree()
  const { before, text, after } = chapters(readFileSync('CHANGELOG.md', 'utf8'))
  const date = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
  const closed = `${before}${OPEN}\n## ${version} (${date})\n\n${text}\n\n${after}`.trimEnd()
  const written = {
    'CHANGELOG.md': `${closed}\n`,
    'package.json': withVersion('package.json', version, whole => [whole]),
    'package-lock.json': withVersion('package-lock.json', version, whole => [whole, whole.packages['']]),
  }
  for (const [path, content] of Object.entries(written)) writeFileSync(path, content)
  mkdirSync('dist.release', { recursive: true })
  writeFileSync(`dist.release/${version}.md`, `${text}\n`)
  process.stdout.write(
    `version ${version}: CHANGELOG.md, package.json, package-lock.json, dist.release/${version}.md\n` +
      `next: npm run test:all, then git commit -am "build: release ${version}" && git tag v${version}\n`,
  )
}

/** Prints the chapter of a closed version, without its heading. */
function printNotes(version) {
  if (version === undefined)
    throw new ReleaseError('notes: expected a version, got none: run npm run release -- notes 0.2.0')
  const chapter = readFileSync('CHANGELOG.md', 'utf8')
    .split(/^## /m)
    .find(text => text.startsWith(`${version} (`))
  if (chapter === undefined)
    throw new ReleaseError(
      `CHANGELOG.md: expected a chapter "## ${version} (DATE)", got none: close it first`,
    )
  process.stdout.write(`${chapter.slice(chapter.indexOf('\n')).trim()}\n`)
}

try {
  const words = process.argv.slice(2)
  const wantsNotes = words[0] === 'notes'
  const [version, ...more] = wantsNotes ? words.slice(1) : words
  requireNoMore(more)
  process.chdir(packageFolder(process.cwd()))
  if (wantsNotes) printNotes(version)
  else release(version)
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
