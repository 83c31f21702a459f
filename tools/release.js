/** `npm run release -- 0.2.0`: closes the chapter "Unreleased" of the changelog under this version and today's date, and sets the version of the package. It writes
 *  the chapter to `dist.release/0.2.0.md` for the page of the release. It does not commit. If it refuses a release, it changes nothing.
 *  `npm run release -- notes 0.2.0` prints the chapter of a closed version. @module */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const FORM = /^(\d+)\.(\d+)\.(\d+)$/
const OPEN = '## Unreleased\n'

class ReleaseError extends Error {}

/** @returns true if the first version is above the second one */
function isAbove(one, other) {
  const [parts, others] = [one, other].map(text => FORM.exec(text).slice(1).map(Number))
  const at = parts.findIndex((part, i) => part !== others[i])
  return at >= 0 && parts[at] > others[at]
}

function requireVersion(version, current) {
  if (!FORM.test(version ?? ''))
    throw new ReleaseError(
      `version: expected a form like 0.2.0, got ${version ?? 'none'}: run npm run release -- 0.2.0`,
    )
  if (!isAbove(version, current))
    throw new ReleaseError(`version: expected one above ${current}, got ${version}`)
}

function requireCleanTree() {
  const changed = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' })
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
  const next = changelog.indexOf('\n## ', begin)
  const end = next < 0 ? changelog.length : next + 1
  const text = changelog.slice(begin, end).trim()
  if (text === '')
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
  writeFileSync(
    'CHANGELOG.md',
    `${before}${OPEN}\n## ${version} (${date})\n\n${text}\n\n${after}`.trimEnd().concat('\n'),
  )
  writeFileSync(
    'package.json',
    withVersion('package.json', version, whole => [whole]),
  )
  writeFileSync(
    'package-lock.json',
    withVersion('package-lock.json', version, whole => [whole, whole.packages['']]),
  )
  mkdirSync('dist.release', { recursive: true })
  writeFileSync(`dist.release/${version}.md`, `${text}\n`)
  process.stdout.write(
    `version ${version}: CHANGELOG.md, package.json, package-lock.json, dist.release/${version}.md\n` +
      `next: npm run test:all, then git commit -am "build: release ${version}" && git tag v${version}\n`,
  )
}

/** Prints the chapter of a closed version, without its heading. */
function printNotes(version) {
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
  const [word, version] = process.argv.slice(2)
  if (word === 'notes') printNotes(version)
  else release(word)
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
