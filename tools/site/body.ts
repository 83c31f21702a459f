/** Adapts rendered Markdown for the site: anchors of headings, links between pages, and tables and code that scroll separately. @module */
import { dirname, extname, join, normalize, relative } from 'node:path'
import { PICTURES, type SitePage } from './pages.ts'

const HEADING = /<h([1-4])>(.*?)<\/h\1>/gs
const LINK = /(href|src)="([^"#]*)(#[^"]*)?"/g
const PICTURE = /<p>(<img src="([^"]*)"[^>]*>)<\/p>/g
/** A link whose text is a file name. The site shows the title of the page instead. */
const NAMED = /<a href="([\w./-]+\.md)(#[^"]*)?">[\w./-]+\.md<\/a>/g
const TAG = /<[^>]+>/g
const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
}

type Pages = ReadonlyMap<string, SitePage>

/** @param pages of the site, by source file
 *  @throws {Error} for a link to a page that is not in the site */
export function bodyOf(page: SitePage, rendered: string, pages: Pages): string {
  const linked = rendered
    .replace(NAMED, (_all, target: string, place = '') => {
      const title = pages.get(normalize(join(dirname(page.path), target)))?.title ?? target
      return `<a href="${target}${place}">${title}</a>`
    })
    .replace(PICTURE, '<p><a href="$2">$1</a></p>')
    .replace(LINK, (_all, name: string, target: string, place = '') => {
      const file = target === '' || isElsewhere(target) ? target : placeInSite(page, target, pages)
      return `${name}="${file}${place}"`
    })
  return withPlaces(linked)
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
}

function isElsewhere(target: string): boolean {
  return /^[a-z]+:/.test(target)
}

function placeInSite(page: SitePage, target: string, pages: Pages): string {
  const file = normalize(join(dirname(page.path), target))
  const output = pages.get(file)?.output ?? (PICTURES.has(extname(file)) ? file : null)
  if (output === null)
    throw new Error(`${page.path}: expected links to pages of the site and to pictures, got ${target}`)
  return relative(dirname(page.output), output)
}

/** Gives each heading an anchor, with the name that code hosts use. */
function withPlaces(text: string): string {
  const seen = new Map<string, number>()
  return text.replace(HEADING, (_all, level: string, words: string) => {
    const name = placeName(words)
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    return `<h${level} id="${count === 0 ? name : `${name}-${count}`}">${words}</h${level}>`
  })
}

function placeName(words: string): string {
  return plainText(words)
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** The text of a piece of HTML. */
export function plainText(html: string): string {
  return html
    .replace(TAG, '')
    .replace(/&(lt|gt|quot|amp);/g, entity => ENTITIES[entity] ?? '')
    .replace(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)))
    .trim()
}
