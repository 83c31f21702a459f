/** Counts sentences that a reader may have to read twice: in comments of code, in pages, and in texts of errors. The rules find a part of them only.
 *  @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesAt } from './paths.ts'

export const PARTS = ['comments', 'pages', 'errors'] as const
export type Part = (typeof PARTS)[number]

/** The maximum number of findings in 1,000 sentences. */
export const LIMITS: Readonly<Record<Part, number>> = { comments: 30, pages: 30, errors: 10 }

const MAX_WORDS = 25

const RULES: readonly (readonly [name: string, form: RegExp])[] = [
  ['riddle', /\b(?:who(?:m)?ever|whatever|whichever|wherever|(?:no|every|some|any)body)\b/i],
  [
    'dialect',
    /\b(?:anew|besides(?=[,.;])|told|hears?|heard|in vain|as it were|is over|has come|makes up for)\b/i,
  ],
  ['dialect', /\b(?:thereby|thereof|therein|whereof|wherein|what becomes of)\b/i],
  ['begins with what or who', /^(?:what|who|whom|whose)\b(?!.*\?)/i],
  [
    'what or who as a noun',
    /\b(?:of|for|by|to|from|with|on|in|than|and) (?:what|whom?)\b(?! (?:is|are|it) )/i,
  ],
  ['late subject', /^(?:of|for|by|to) (?:which|what|one|an?|the) .{0,40}\b(?:is|are|was|were)\b/i],
  ['"stands" for "is"', /\b(?:stands?|stood)\b(?! (?:for|by)\b)/i],
]

export type Finding = {
  readonly part: Part
  /** `path:line` */
  readonly place: string
  /** code is shortened to `x` */
  readonly sentence: string
  readonly rules: readonly string[]
}

/** Text of one part, with its line in the file. */
type Passage = { readonly text: string; readonly line: number }

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

function commentsOf(code: string): Passage[] {
  const comments = code.matchAll(/\/\*\*?([\s\S]*?)\*\/|(?:^|[\s;{}(,])\/\/ ?([^\n]*)/g)
  return Array.from(comments, ({ 1: block, 2: line = '', index }) => {
    const text = (block ?? line)
      .replace(/^\s*\* ?/gm, ' ')
      .replace(/@(?:module|param|returns|throws|example)\b/g, '. ')
    return { text, line: lineAt(code, index) }
  })
}

function errorsOf(code: string): Passage[] {
  return Array.from(code.matchAll(/new [A-Z]\w*\(\s*(`[^`]*`|'[^'\n]*')/g), ({ 1: literal = '', index }) => ({
    text: literal.slice(1, -1).replace(/\$\{[^}]*\}/g, 'X'),
    line: lineAt(code, index),
  }))
}

function pageLines(page: string): Passage[] {
  const prose = page.replace(/```[\s\S]*?```/g, block => block.replace(/[^\n]/g, ' '))
  return prose.split('\n').map((line, index) => ({
    text: line
      .replace(/\|/g, '. ')
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/^[#>*\s-]+/, ''),
    line: index + 1,
  }))
}

/** @returns the words of each sentence that has at least three */
function sentencesIn(text: string): string[][] {
  return text
    .split(/(?<=[.:;?!])\s+/)
    .map(sentence =>
      sentence
        .trim()
        .replace(/`[^`]*`/g, 'x')
        .split(/\s+/)
        .filter(word => /[A-Za-z]{2}/.test(word)),
    )
    .filter(words => words.length >= 3)
}

/** @returns the names of the rules that the sentence breaks */
export function brokenRules(sentence: string): string[] {
  const count = sentence.split(' ').length
  const names = RULES.filter(([, form]) => form.test(sentence)).map(([name]) => name)
  return count > MAX_WORDS ? [...names, `${count} words`] : names
}

/** @returns the passages of a file by part; empty for generated files and recorded data */
function passagesOf(path: string, read: () => string): readonly (readonly [Part, Passage[]])[] {
  if (/vectors|\.d\.ts$|^dist/.test(path)) return []
  if (/\.(?:ts|js|mjs)$/.test(path)) {
    const code = read()
    const comments = ['comments', commentsOf(code)] as const
    return path.startsWith('test/') ? [comments] : [comments, ['errors', errorsOf(code)]]
  }
  const isGenerated = /^docs\/spec\/|options\.md$|charts\/|conformance\.md$/.test(path)
  return path.endsWith('.md') && !isGenerated ? [['pages', pageLines(read())]] : []
}

export type Count = { sentences: number; readonly findings: Finding[] }

/** @param folder the root of a checkout
 *  @param paths of files and folders below it; default: all
 *  @throws {WrongOptionError} for a path that leads to no file */
export function countPlainness(folder: string, paths?: readonly string[]): Readonly<Record<Part, Count>> {
  const counts: Record<Part, Count> = {
    comments: { sentences: 0, findings: [] },
    pages: { sentences: 0, findings: [] },
    errors: { sentences: 0, findings: [] },
  }
  for (const path of filesAt(folder, paths))
    for (const [part, passages] of passagesOf(path, () => readFileSync(join(folder, path), 'utf8')))
      for (const { text, line } of passages)
        for (const words of sentencesIn(text)) {
          const sentence = words.join(' ')
          const rules = brokenRules(sentence)
          counts[part].sentences += 1
          if (rules.length > 0)
            counts[part].findings.push({ part, place: `${path}:${line}`, sentence, rules })
        }
  return counts
}

/** @returns findings in 1,000 sentences */
export function perThousand({ sentences, findings }: Count): number {
  return Math.round((findings.length / Math.max(1, sentences)) * 1_000)
}
