/** Every link of the documentation site, and the content of a page: only text and code of the project. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { bodyOf } from '../../tools/site/body.ts'
import { contentsOf, entryPageOf } from '../../tools/site/contents.ts'
import { SearchIndex } from '../../tools/site/search-index.ts'
import { textOf } from '../docs/pages.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { deadLinks, linksOf, newSite } from './site.ts'

const Links = suite('the documentation site: links')
const site = await newSite()

Links('each link leads to an existing file and place of the site', () => {
  assert.ok(site.pages.size > 25)
  assert.equal(deadLinks(site), [])
})

Links('the check finds links to a missing file and to a missing place', () => {
  const pages = new Map([
    ['a.html', '<h1 id="top">A</h1> <a href="b/c.html#d">'],
    [
      'b/c.html',
      '<h1 id="e">C</h1> <a href="../a.html#top"> <a href="gone.html"> <a href="#e"> <a href="#f">',
    ],
  ])
  const places = deadLinks({ pages, files: new Set(pages.keys()) }).map(({ to, place }) => `${to}#${place}`)
  assert.equal(places, ['b/c.html#d', 'b/gone.html#', 'b/c.html#f'])
})

Links(
  'the entry page leads to every page of docs, to both descriptions of endpoints and to the changes',
  () => {
    const linked = linksOf('index.html', site.pages.get('index.html') ?? '').map(({ to }) => to)
    const docs = readdirSync(join(PROJECT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter(name => /\.(md|yml)$/.test(name))
      .map(name => `docs/${name.replace(/\.md$/, '').concat('.html')}`)
    const others = ['README.html', 'CHANGELOG.html', 'api/session-server.html', 'api/keyshare-server.html']
    assert.ok(docs.length > 20)
    assert.equal(
      [...docs, ...others].filter(page => !linked.includes(page)),
      [],
    )
  },
)

Links('every page leads to every page of the contents without a script', () => {
  const contents = contentsOf(entryPageOf(textOf('llms.txt'))).flatMap(({ links }) => links)
  for (const [page, html] of site.pages)
    for (const { title } of contents) assert.ok(html.includes(`>${title}</a>`), `${page}: ${title}`)
})

Links('the navigation marks the current page, and a page links to the next one for the same reader', () => {
  const html = site.pages.get('docs/operator-guide.html') ?? ''
  assert.match(html, /<a href="operator-guide.html" aria-current="page">/)
  assert.match(html, /Next: <a href="operating.html">/)
  assert.not.match(site.pages.get('api/keyshare-server.html') ?? '', 'Next:')
})

const page = { path: 'docs/a.md', output: 'docs/a.html', title: 'A', markdown: '', after: null }
const readme = { ...page, path: 'README.md', output: 'README.html', title: 'The first page' }
const pages = new Map([page, readme].map(each => [each.path, each]))

Links('a link to a file outside of the site stops the build; the error names page and link', () => {
  assert.is(bodyOf(page, '<a href="../README.md#b">', pages), '<a href="../README.html#b">')
  assert.throws(
    () => bodyOf(page, '<a href="gone.md">', pages),
    (error: Error) =>
      error.message.startsWith('docs/a.md: expected links') && /got gone\.md$/.test(error.message),
  )
})

Links('the title of the page replaces a file name as the text of a link', () => {
  assert.is(
    bodyOf(page, '<a href="../README.md#b">README.md</a> <a href="../README.md">this</a>', pages),
    '<a href="../README.html#b">The first page</a> <a href="../README.html">this</a>',
  )
})

Links('headings have the same anchors as on code hosts', () => {
  const headings =
    '<h2>Stop &amp; restart</h2><h2>The <code>svc_x</code>, or "y"</h2><h2>Stop &amp; restart</h2>'
  const ids = [...bodyOf(page, headings, pages).matchAll(/id="([^"]*)"/g)].map(([, id]) => id)
  assert.equal(ids, ['stop--restart', 'the-svc_x-or-y', 'stop--restart-1'])
})

Links('a tag in code is shown as text', () => {
  assert.match(site.pages.get('docs/schemes.html') ?? '', '&lt;SchemeManager version=&quot;7&quot;&gt;')
  assert.match(site.pages.get('examples/page.html.html') ?? '', '&lt;')
})

Links('the search index separates the words of neighbouring cells', () => {
  const index = new SearchIndex()
  index.add(page, '<h1 id="a">A</h1><table><tr><td>left</td><td>right</td></tr></table>')
  assert.match(index.script(), 'left right')
})
Links.run()
