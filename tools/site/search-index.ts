/** The search index over the text of all pages, by section. It is written as a plain script, because a page opened from a folder can load nothing else. @module */
import MiniSearch from 'minisearch'
import { plainText } from './body.ts'
import type { SitePage } from './pages.ts'

/** Also used by `page/search.js` to read the index. */
const OPTIONS = {
  fields: ['page', 'heading', 'text'],
  storeFields: ['page', 'heading', 'text', 'place', 'isReference'],
}
/** Pages that are looked up. Their sections come after those of guides. */
const REFERENCE =
  /^(?:api|examples|docs\/spec|docs\/charts)\/|^(?:CHANGELOG|CONTRIBUTING)|(?:options|conformance|seeded-faults|architecture)\.md$|\.yml$/
const PLACE = /<(?:h[1-4]|details|article) id="([^"]+)"/g

type Section = {
  readonly id: number
  readonly page: string
  readonly heading: string
  readonly text: string
  /** relative to the top of the site */
  readonly place: string
  readonly isReference: boolean
}

export class SearchIndex {
  readonly #index = new MiniSearch<Section>(OPTIONS)

  add(page: SitePage, body: string): void {
    const starts = [...body.matchAll(PLACE)]
    for (const [i, start] of starts.entries()) {
      const part = body.slice(start.index, starts[i + 1]?.index)
      const end = /<\/(?:h[1-4]|summary|h3)>/.exec(part)?.index ?? 0
      const [heading, text] = [part.slice(0, end), part.slice(end)].map(spaced)
      this.#index.add({
        id: this.#index.documentCount,
        page: page.title,
        heading: heading ?? '',
        text: text ?? '',
        place: `${page.output}#${start[1]}`,
        isReference: REFERENCE.test(page.path),
      })
    }
  }

  /** @returns a script that assigns the index and its options to constants */
  script(): string {
    return `const SEARCH_OPTIONS = ${JSON.stringify(OPTIONS)}\nconst SEARCH_INDEX = ${JSON.stringify(JSON.stringify(this.#index))}\n`
  }
}

/** Separates the text of adjacent elements with spaces. */
function spaced(html: string): string {
  return plainText(html.replace(/<\/?(?:td|th|tr|li|p|div|dt|dd|br|h\d|pre|span)[^>]*>/g, ' ')).replace(
    /\s+/g,
    ' ',
  )
}
