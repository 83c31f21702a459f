/** Builds the site into a folder: a page of every file, with what stands around it, and what their scripts read. @module */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Eleventy, type EleventySettings } from '@11ty/eleventy'
import { apiPages } from './api-pages.ts'
import { bodyOf } from './body.ts'
import { contentsOf } from './contents.ts'
import { framed } from './frame.ts'
import { pagesOf, picturesOf, type SitePage } from './pages.ts'
import { SearchIndex } from './search-index.ts'
import { STYLE } from './style.ts'

const SCRIPTS = ['search.js', 'copy.js']

/** @param project the folder that holds README.md, docs/ and the demo schemes
 *  @param folder files of the same names are replaced
 *  @throws {Error} for a link that leads nowhere */
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
    const body = bodyOf(page, content, byPath) + (page.after?.text ?? '')
    index.add(page, body)
    writePage(folder, page.output, framed(page, body, frame))
  }
  for (const picture of picturesOf(project)) copyInto(folder, picture, join(project, picture))
  for (const script of SCRIPTS) copyInto(folder, script, join(project, 'site/page', script))
  copyInto(folder, 'minisearch.js', minisearch())
  writeFileSync(join(folder, 'search-index.js'), index.script())
  writeFileSync(join(folder, 'style.css'), STYLE)
}

/** What Markdown becomes, by the file that each page is written to. Its pages are given back, since Eleventy says when it has written what it writes itself.
 *  It takes paths from where the process runs. */
async function renderedPages(project: string, pages: readonly SitePage[]): Promise<Map<string, string>> {
  const config = (settings: EleventySettings): void => {
    settings.setTemplateFormats(['md'])
    for (const { path, output, markdown } of pages)
      settings.addTemplate(path.endsWith('.md') ? path : `${path}.md`, markdown, {
        permalink: output,
        templateEngineOverride: 'md', // braces of the pages are no template
      })
  }
  const input = relative('.', join(project, 'site'))
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

/** The form of it that a page loads without modules, which pages that are opened from a folder may not load. */
function minisearch(): string {
  const module = fileURLToPath(import.meta.resolve('minisearch'))
  return join(dirname(module), '../umd/index.js')
}
