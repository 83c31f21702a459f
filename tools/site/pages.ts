/** The pages of the site. Each is generated from one file of the project: Markdown, the code of an example, or a settings file. @module */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Html } from '../../http/html.ts'
import { entryPageOf } from './contents.ts'

export type SitePage = {
  /** source file, relative to the project; links of other pages use it */
  readonly path: string
  /** relative to the top of the site */
  readonly output: string
  readonly title: string
  readonly markdown: string
  /** content after the Markdown; null: none */
  readonly after: Html | null
}

/** Extensions of pictures, which are copied unchanged. */
export const PICTURES = new Set(['.png', '.svg'])
const TOP = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']
const ENTRY = 'llms.txt'
/** Longer than any fence inside a file. */
const FENCE = '~~~~~~~~'

/** @param project folder that contains README.md and docs/ */
export function pagesOf(project: string): SitePage[] {
  const text = (file: string): string => readFileSync(join(project, file), 'utf8')
  const docs = filesIn(project, 'docs')
  const guides = [...TOP, ...docs.filter(file => file.endsWith('.md'))]
  const code = [...docs.filter(file => file.endsWith('.yml')), ...filesIn(project, 'examples')]
  return [
    guidePage(ENTRY, entryPageOf(text(ENTRY)), 'index.html'),
    ...guides.map(file => guidePage(file, text(file), file.replace(/\.md$/, '.html'))),
    ...code.map(file => guidePage(file, codePage(file, text(file)), `${file}.html`)),
  ]
}

export function picturesOf(project: string): string[] {
  return filesIn(project, 'docs').filter(file => PICTURES.has(extname(file)))
}

function filesIn(project: string, folder: string): string[] {
  return readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(project.length).replace(/^\//, ''))
    .toSorted()
}

/** @throws {Error} for a page without a heading, which would have no title */
function guidePage(path: string, markdown: string, output: string): SitePage {
  const [, title] = /^# (.+)$/m.exec(markdown) ?? []
  if (title === undefined) throw new Error(`${path}: expected a heading "# ...", got none`)
  return { path, output, title: title.replaceAll('`', ''), markdown, after: null }
}

function codePage(file: string, text: string): string {
  return `# ${file}\n\n${FENCE}${extname(file).slice(1)}\n${text.trimEnd()}\n${FENCE}\n`
}
