/** The frame of every page: navigation, search, and a link to the next page. @module */
import { dirname, relative } from 'node:path'
import { Html, html } from '../../http/html.ts'
import { plainText } from './body.ts'
import type { Contents } from './contents.ts'
import type { SitePage } from './pages.ts'

const NAME = 'Attribute session service'
const ENTRY = 'index.html'
/** Minimum number of headings for a list of them at the top of a page. */
const MIN_PLACES = 3
const SECTION = /<h2 id="([^"]+)">(.*?)<\/h2>/gs

export type Frame = {
  readonly contents: Contents
  /** by source file */
  readonly pages: ReadonlyMap<string, SitePage>
}

/** @param body HTML of the page's content */
export function framed(page: SitePage, body: string, { contents, pages }: Frame): string {
  const to = (output: string): string => relative(dirname(page.output), output)
  const output = (path: string): string => to(pages.get(path)?.output ?? path)
  const isEntry = page.output === ENTRY
  const title = isEntry ? NAME : `${page.title} · ${NAME}`
  return html`<!doctype html>
<html lang="en" data-top="${to('.') || '.'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${to('style.css')}">
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header><a class="home" href="${to(ENTRY)}">${NAME}</a><a class="all" href="#pages">All pages</a>
<form role="search" hidden><label for="words">Search</label><input id="words" type="search" autocomplete="off" spellcheck="false"></form>
<div id="found" role="status"></div></header>
<main id="content" tabindex="-1">
${new Html(isEntry ? body : withPlaces(body))}
${nextPart(page, contents, output)}</main>
<nav id="pages" aria-label="Pages">
${contents.map(({ heading, links }) => groupPart(page, heading, links, output))}</nav>
<script src="${to('minisearch.js')}" defer></script>
<script src="${to('search.js')}" defer></script>
<script src="${to('copy.js')}" defer></script>
${
  hasChart(body)
    ? html`<script src="${to('view.js')}" defer></script>
<script src="${to('charts.js')}" defer></script>`
    : null
}
${body.includes(' id="try"') ? html`<script src="${to('try-it.js')}" defer></script>` : null}
</body>
</html>
`.text
}

function hasChart(body: string): boolean {
  return /<img src="[^"]*\.svg"/.test(body)
}

/** Inserts the list of sections between the heading of the page and its text. */
function withPlaces(body: string): string {
  const places = [...body.matchAll(SECTION)]
  if (places.length < MIN_PLACES) return body
  const list = places.map(
    ([, id = '', words = '']) => html`<li><a href="#${id}">${plainText(words)}</a></li>
`,
  )
  const part = html`<details class="places"><summary>On this page</summary><ul>
${list}</ul></details>`
  return body.replace('</h1>', () => `</h1>\n${part.text}`)
}

type Links = Contents[number]['links']

function groupPart(page: SitePage, heading: string, links: Links, output: (path: string) => string): Html {
  const items = links.map(({ title, path }) => {
    const current = path === page.path ? new Html(' aria-current="page"') : null
    return html`<li><a href="${output(path)}"${current}>${title}</a></li>
`
  })
  return html`<h2>${heading}</h2><ul>
${items}</ul>
`
}

/** A link to the next page for the same reader. */
function nextPart(page: SitePage, contents: Contents, output: (path: string) => string): Html | null {
  const links = contents.map(({ links }) => links).find(links => links.some(({ path }) => path === page.path))
  const next = links?.[links.findIndex(({ path }) => path === page.path) + 1]
  return next
    ? html`<p class="next">Next: <a href="${output(next.path)}">${next.title}</a></p>
`
    : null
}
