/** Citations of the specification: `spec/FILE#ANCHOR` in code and tests, links in pages, and the headings of docs/spec that both lead to. @module */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../project.ts'

export type Citation = { readonly page: string; readonly anchor: string; readonly text: string }

/** Anchors of a page, each with the name of its heading in a link. */
export type Anchors = ReadonlyMap<string, string>

const FOLDER = 'docs/spec'
const GAP = String.raw`\s+(?:(?:\*|//|#) +)?`
const AND = `(?:,|,?${GAP}(?:and|to|or))${GAP}`
/** Behind an anchor: points of a list there, such as `rule 2` and `steps 1, 3 and 4`. */
const POINTS = String.raw`(?:,?${GAP}(?:rule|step|row|propert)(?:s|y|ies)?${GAP}\d+(?:${AND}\d+)*)?`
const ANCHOR = String.raw`#[\w.]*\w`
const CITATION = new RegExp(`\\bspec/([a-z-]+)(${ANCHOR}(?:${POINTS}${AND}${ANCHOR})*)`, 'g')
const EACH = new RegExp(ANCHOR, 'g')

const FENCE = /^```[\s\S]*?^```/gm
const HEADING = /^#+ +(.+)$/gm
const LINK = /\[[^\]]*\]\([^)]*\)/g

/** Forms that are not allowed: each lacks the page or the heading. */
const OTHER_FORMS: readonly RegExp[] = [
  /\b[DKQ][1-9]\d?\b(?!['"`])/g,
  /\blaws? [1-6]\b/gi,
  /(?<!docs\/)\bspec\/[\w-]+(?:\.md|`? \d)/g,
  /(?<!\/)\b(?:decisions?\.md|interface\.md|design, )/g,
  /\bdecisions?: `?(?:time|replay|chain|streams|lifetimes|errors|hosts|versions|callbacks|indices)\b/g,
  /\b(?:spec|specification|cryptography|session-server|keyshare-server|schemes-and-cli)(?: note)?,? (?:sections? )?\d/gi,
  /\bnote,? (?:sections? )?\(?\d+\.\d/g,
]

/** The first word of each heading is its anchor: `4` of "Law 4: ...", `2.1` of "2.1 Paths", `d25` of "D25 ...". */
export function anchorsOf(page: string): Anchors {
  const anchors = new Map<string, string>()
  const names = new Map<string, number>()
  for (const [, heading = ''] of page.replace(FENCE, '').matchAll(HEADING)) {
    const words = heading.replace(/[`*]/g, '').trim().toLowerCase()
    const name = words.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
    const count = names.get(name) ?? 0
    names.set(name, count + 1)
    const [, anchor = ''] = /^(?:law )?(\S*?)[.:,;]?(?:\s|$)/.exec(words) ?? []
    if (!anchors.has(anchor)) anchors.set(anchor, count === 0 ? name : `${name}-${count}`)
  }
  return anchors
}

/** Pages of the specification by the name that citations give them. */
export function specification(): ReadonlyMap<string, string> {
  const files = readdirSync(join(PROJECT, FOLDER)).filter(
    file => file.endsWith('.md') && file !== 'README.md',
  )
  return new Map(
    files.map(file => [file.replace(/\.md$/, ''), readFileSync(join(PROJECT, FOLDER, file), 'utf8')]),
  )
}

export function citationsIn(text: string): readonly Citation[] {
  return [...text.matchAll(CITATION)].flatMap(([, page = '', list = '']) =>
    anchorsIn(list).map(anchor => ({ page, anchor, text: `spec/${page}#${anchor}` })),
  )
}

/** @returns citations that lead to no heading */
export function deadIn(text: string, pages: ReadonlyMap<string, Anchors>): readonly string[] {
  return citationsIn(text)
    .filter(({ page, anchor }) => !pages.get(page)?.has(anchor))
    .map(citation => citation.text)
}

/** @returns citations in another form than `spec/FILE#ANCHOR` or a link */
export function otherFormsIn(text: string): readonly string[] {
  const rest = text.replace(LINK, '').replace(CITATION, '')
  return OTHER_FORMS.flatMap(form => rest.match(form) ?? [])
}

/** The text with a link in place of each citation, for a page in docs/. */
export function withLinks(text: string, pages: ReadonlyMap<string, Anchors>): string {
  return text.replace(CITATION, (_all, page: string, list: string) =>
    list.replace(EACH, each => {
      const anchor = each.slice(1)
      return `[${labelOf(page, anchor)}](spec/${page}.md#${pages.get(page)?.get(anchor) ?? ''})`
    }),
  )
}

function labelOf(page: string, anchor: string): string {
  if (page === 'laws') return `law ${anchor}`
  if (/^[dkq]\d/.test(anchor)) return anchor.toUpperCase()
  return page === 'decisions' ? anchor : `${page} ${anchor}`
}

function anchorsIn(list: string): readonly string[] {
  return (list.match(EACH) ?? []).map(each => each.slice(1))
}
