/** HTML in which everything that is filled in is escaped, unless it is HTML of this kind itself. @module */

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Filled = string | number | Html | readonly Html[] | null

/** A template. null adds nothing. */
export function html(fixed: TemplateStringsArray, ...filled: readonly Filled[]): Html {
  return new Html(fixed.map((text, i) => text + textOf(filled[i] ?? null)).join(''))
}

function textOf(filled: Filled): string {
  if (filled === null) return ''
  if (filled instanceof Html) return filled.text
  if (typeof filled === 'object') return filled.map(({ text }) => text).join('')
  return String(filled).replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
