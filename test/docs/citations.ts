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
const ANCHOR = String.raw`#[\w.-]*\w`
/** The form itself, where a page explains it. */
const EXAMPLE = 'FILE#ANCHOR'
const CITATION = new RegExp(
  `(?<![\\w/])spec/(?!${EXAMPLE})([\\w-]+)(${ANCHOR}(?:${POINTS}${AND}${ANCHOR})*)`,
  'g',
)
const EACH = new RegExp(ANCHOR, 'g')

/** One character of the text or comment that a citation is part of, or a name in backticks. Other quotes end the text. */
const SAME_TEXT = String.raw`(?!\bspec/|\*/)(?:[^\n'"\x60]|(?<=\w)'(?=\w)|\x60\w[^\x60\n]*\x60|\n[ \t]*(?:\*|//|#)[ \t]+)`
/** Texts behind a citation that are no part of it, but look so. */
const WRONG_ENDS: readonly RegExp[] = [
  /^(?:[^\s,;:.)'"`|\]\\]|[,;:.]\w)[^\s)]*/,
  new RegExp(String.raw`^(?:${SAME_TEXT})*?(?<![\w.])#(?!(?:end)?region\b)\w[\w.-]*`),
  new RegExp(String.raw`^(?:${SAME_TEXT})*?(?:§|\bsections? )\s*\d[\d.]*`),
  new RegExp(String.raw`^(?:${AND}|\s*[–—&;]\s*)(?:sections? )?\d+(?:\.\d+)*(?![\w.]| [a-z])`),
]

const FENCE = /^```[\s\S]*?^```/gm
const HEADING = /^#+ +(.+)$/gm
const LINK = /\[[^\]]*\]\([^)]*\)/g

/** Forms that are not allowed: each lacks the page or the heading. */
const OTHER_FORMS: readonly RegExp[] = [
  /\b[DKQ][1-9]\d?\b(?!['"`])/g,
  /\blaws? [1-6]\b/gi,
  new RegExp(String.raw`(?<!docs/)\bspec/(?!${EXAMPLE})[\w.-]*`, 'gi'),
  /\bdocs\/spec\/[\w-]*(?:\.md)?`?#[\w.-]*/gi,
  /(?<!\/)\b(?:decisions?\.md|interface\.md)/g,
  /\bdecisions?: `?(?:time|replay|chain|streams|lifetimes|errors|hosts|versions|callbacks|indices)\b/g,
  /(?<!\bOpen\w+(?: Connect)? )\b(?:spec|specification|cryptography|session-server|keyshare-server|schemes-and-cli)(?: note)?,? (?:sections? )?\d/gi,
  /\bnote,? (?:sections? )?\(?\d+\.\d/g,
]

/** The number with which a heading begins is its anchor: `4` of "Law 4: ...", `2.1` of "2.1 Paths", `d25` of "D25 ...". A heading without a number has its whole
 *  name as its anchor: `account-page` of "account page". */
export function anchorsOf(page: string): Anchors {
  const anchors = new Map<string, string>()
  const names = new Map<string, number>()
  for (const [, heading = ''] of page.replace(FENCE, '').matchAll(HEADING)) {
    const words = heading.replace(/[`*]/g, '').trim().toLowerCase()
    const name = words.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
    const count = names.get(name) ?? 0
    names.set(name, count + 1)
    const [, first = ''] = /^(?:law )?(\S*?)[.:,;]?(?:\s|$)/.exec(words) ?? []
    const each = /\d/.test(first) ? first : name
    if (!anchors.has(each)) anchors.set(each, count === 0 ? name : `${name}-${count}`)
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

/** @returns citations in another form than `spec/FILE#ANCHOR`; a page may also have links */
export function otherFormsIn(text: string, isPage: boolean): readonly string[] {
  const cited = isPage ? text.replace(LINK, '') : text
  const rest = cited.replace(CITATION, '')
  return [...OTHER_FORMS.flatMap(form => rest.match(form) ?? []), ...wrongEndsIn(cited)]
}

/** @returns citations with the text behind them, if it continues them in another form */
function wrongEndsIn(text: string): readonly string[] {
  return [...text.matchAll(CITATION)].flatMap(({ 0: citation, index }) => {
    const after = text.slice(index + citation.length)
    const [end] = WRONG_ENDS.flatMap(form => form.exec(after)?.[0] ?? [])
    return end === undefined ? [] : [citation + end]
  })
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
