/** Builds the site into a folder: every page with its frame, and the files that the scripts read. @module */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Eleventy, type EleventySettings } from '@11ty/eleventy'
import { packageVersion } from '../../server/version.ts'
import { apiPages } from './api-pages.ts'
import { bodyOf } from './body.ts'
import { contentsOf } from './contents.ts'
import { framed } from './frame.ts'
import { pagesOf, picturesOf, type SitePage } from './pages.ts'
import { SearchIndex } from './search-index.ts'
import { startPage } from './start.ts'
import { STYLE } from './style.ts'

const SCRIPTS = ['search.js', 'copy.js', 'try-it.js', 'charts.js']
/** The parts of the inspector's page that show a large drawing. */
const VIEW = 'http/inspector/page/view'

/** @param project folder that contains README.md, docs/ and the demo schemes
 *  @param folder output folder; files of the same names are replaced
 *  @throws {Error} for a link without target */
export async function buildSite(project: string, folder: string): Promise<void> {
  const pages = [...pagesOf(project), ...(await apiPages(project))]
  const byPath = new Map(pages.map(page => [page.path, page]))
  const [entry] = pages
  const frame = { contents: contentsOf(entry?.markdown ?? ''), pages: byPath }
  const index = new SearchIndex()
  const rendered = await renderedPages(project, pages)
  for (const page of pages) {
    const content = rendered.get(page.output)
    if (content === undefined) throw new Error(`${page.path}: expected a page, got none of this name`)
    const text =
      withStarts(bodyOf(page, content, byPath), join(project, dirname(page.output))) +
      (page.after?.text ?? '')
    const body = page === entry ? startPage(text, packageVersion()) : text
    index.add(page, body)
    writePage(folder, page.output, framed(page, body, frame))
  }
  for (const picture of picturesOf(project)) copyInto(folder, picture, join(project, picture))
  for (const script of SCRIPTS) copyInto(folder, script, join(project, 'tools/site/page', script))
  copyInto(folder, 'minisearch.js', minisearch())
  writeFileSync(join(folder, 'search-index.js'), index.script())
  const view = (ending: string): string => readFileSync(join(project, `${VIEW}.${ending}`), 'utf8')
  writeFileSync(join(folder, 'view.js'), view('js').replace(/^export /gm, '')) // as a plain script
  writeFileSync(join(folder, 'style.css'), `${STYLE}${view('css')}`)
}

/** Writes the place of the first dot of each chart beside its picture. The script that frames the chart shows this part at first.
 *  @param folder in which the pictures of the page are */
function withStarts(text: string, folder: string): string {
  return text.replace(/<img src="([^"]*\.svg)"/g, (image, source: string) => {
    const [, x, y] =
      /class="dot" cx="(\d+)" cy="(\d+)"/.exec(readFileSync(join(folder, source), 'utf8')) ?? []
    if (x === undefined) throw new Error(`${source}: expected a dot before the initial state, got none`)
    return `${image} data-start="${x} ${y}"`
  })
}

/** Renders the Markdown of all pages. Eleventy returns the pages instead of writing them, because it prints a message for each file that it writes. It resolves
 *  paths in the working directory.
 *  @returns content by output file */
async function renderedPages(project: string, pages: readonly SitePage[]): Promise<Map<string, string>> {
  const config = (settings: EleventySettings): void => {
    settings.setTemplateFormats(['md'])
    for (const { path, output, markdown } of pages)
      settings.addTemplate(path.endsWith('.md') ? path : `${path}.md`, markdown, {
        permalink: output,
        templateEngineOverride: 'md', // the braces in pages are not templates
      })
  }
  const input = relative('.', join(project, 'tools/site'))
  const eleventy = new Eleventy(input, '.', { quietMode: true, configPath: false, config })
  const rendered = await eleventy.toJSON()
  return new Map(rendered.map(({ outputPath, content }) => [normalize(outputPath), content]))
}

function writePage(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}

function copyInto(folder: string, name: string, file: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  copyFileSync(file, join(folder, name))
}

/** The form of the package without modules: pages opened from a folder cannot load modules. */
function minisearch(): string {
  const module = fileURLToPath(import.meta.resolve('minisearch'))
  return join(dirname(module), '../umd/index.js')
}
