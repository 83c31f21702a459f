/** The pages for each reader, in the order to read them. `llms.txt` lists them, for programs and people. The endpoints follow. @module */

export type Contents = readonly {
  readonly heading: string
  readonly links: readonly { readonly title: string; readonly path: string }[]
}[]

const ENDPOINTS = `
## Endpoints

- [Endpoints of a session server](api/session-server.md): who may call each, what is sent and what is answered, with recorded examples
- [Endpoints of a keyshare server](api/keyshare-server.md)
`

/** @param list text of llms.txt
 *  @returns the Markdown of the entry page */
export function entryPageOf(list: string): string {
  return `${list.trimEnd()}\n${ENDPOINTS}`
}

export function contentsOf(entryPage: string): Contents {
  const [, ...sections] = entryPage.split(/^## /m)
  return sections.map(section => ({
    heading: section.slice(0, section.indexOf('\n')),
    links: [...section.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, title = '', path = '']) => ({
      title,
      path,
    })),
  }))
}
