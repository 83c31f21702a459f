/** The start page: a sentence, the version, a picture, and a door for each kind of reader. The list of all pages follows. @module */
import { Html, html } from '../../http/html.ts'

/** The doors, with the first page behind each. */
const DOORS = [
  {
    page: 'docs/first-question.html',
    title: 'Ask',
    words: 'Your web site asks its visitors for a fact. A page, a back end and a server in ten minutes.',
  },
  {
    page: 'docs/operator-guide.html',
    title: 'Operate',
    words: 'You run the servers. One page to production, then stores, nodes, metrics and logs.',
  },
  {
    page: 'docs/sign-in.html',
    title: 'Sign in',
    words: 'Your site speaks OpenID Connect. Users sign in with the wallet.',
  },
]

/** @param list the rendered list of all pages, with its heading first
 *  @param version of the package */
export function startPage(list: string, version: string): string {
  const heading = list.slice(0, list.indexOf('</h1>') + '</h1>'.length)
  const sections = list.slice(list.indexOf('<h2'))
  const doors = DOORS.map(
    ({
      page,
      title,
      words,
    }) => html`<li><a href="${page}"><strong>${title}</strong> <span>${words}</span></a></li>
`,
  )
  return html`${new Html(heading)}
<p class="lead">A web site asks for a fact that an issuer confirms. The wallet app on the visitor's phone proves it and reveals nothing else.</p>
<p class="version">Version ${version} · <a href="CHANGELOG.html">Changes</a> · <a href="docs/tour.html">Tour</a></p>
<ul class="doors">
${doors}</ul>
<p><a href="docs/tour.png"><img src="docs/tour.png" width="1280" alt="The tour in a browser: a web site on the left, a phone on the right, and the facts that the web site learned"></a></p>
${new Html(sections)}`.text
}
