/** Reads the fences of a page of the documentation, with the marks after the language, and its links. @module */

export type Fence = {
  /** file and line */
  readonly at: string
  readonly language: string
  /** `example` has the value ''; `terminal=phone` has the value `phone` */
  readonly marks: ReadonlyMap<string, string>
  readonly content: string
  /** the prose between the previous fence and this one */
  readonly before: string
}

export type Page = {
  readonly fences: readonly Fence[]
  /** the prose after the last fence */
  readonly after: string
}

/** Fences must begin at the margin. An indented fence would be missed, so it is refused.
 *  @throws {Error} for a fence that is indented, has no language, or is not closed */
export function readPage(file: string, text: string): Page {
  const fences: Fence[] = []
  let before: string[] = []
  let open: { at: string; info: string; lines: string[] } | null = null
  for (const [index, line] of text.split('\n').entries()) {
    const at = `${file}:${index + 1}`
    if (open && line === '```') {
      fences.push({ at: open.at, ...infoOf(open.at, open.info), ...contentOf(open.lines, before) })
      before = []
      open = null
    } else if (open) open.lines.push(line)
    else if (line.startsWith('```')) open = { at, info: line.slice(3), lines: [] }
    else if (/^\s+```/.test(line))
      throw new Error(`${at}: expected a fence at the margin, got one that is indented`)
    else before.push(line)
  }
  if (open) throw new Error(`${open.at}: expected the end of this fence, got the end of the page`)
  return { fences, after: before.join('\n') }
}

function infoOf(at: string, info: string): Pick<Fence, 'language' | 'marks'> {
  const [language = '', ...words] = info.split(' ')
  if (language === '') throw new Error(`${at}: expected a language behind the fence, got none`)
  const marks = new Map(words.map(word => [word.split('=')[0] ?? '', word.split('=').slice(1).join('=')]))
  return { language, marks }
}

function contentOf(lines: readonly string[], before: readonly string[]): Pick<Fence, 'content' | 'before'> {
  return { content: lines.join('\n'), before: before.join('\n') }
}

/** The files that a page links or shows, as it names them, without other hosts and anchors of the page itself. */
export function linksOf(text: string): readonly string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  const files = targets.filter(target => !/^[a-z]+:/.test(target)).map(target => target.replace(/#.*$/, ''))
  return [...new Set(files.filter(file => file !== ''))]
}
