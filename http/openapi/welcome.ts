/** GET / of a server in development, for browsers: an introduction, the first calls to make, and links. Programs get 404 for this path, as in production.
 *  A server with a `static_path` shows its own site instead. @module */
import type { Context } from 'koa'
import { NotFoundError } from '../../protocol/errors.ts'
import type { Profile } from '../../protocol/profiles.ts'
import type { Schemes } from '../../schemes/types.ts'
import { html } from '../html.ts'
import type { Route } from '../mount.ts'
import { answerHtml, framed } from './page.ts'

export type WelcomeFacts = {
  readonly title: string
  readonly version: string
  readonly profile: Profile
  /** where this server is reached, with a slash at the end */
  readonly url: string
  /** command that starts such a server */
  readonly command: string
  /** the endpoints are described */
  readonly openapi: boolean
  readonly noAuth: boolean
  /** true if requestors call this listener; else there is no call to try by hand */
  readonly takesRequestors: boolean
}

type Part = { readonly words: string; readonly lines: readonly string[] }

/** @param schemes from which the first question takes its attribute
 *  @param prefix path of this page; a slash may follow it */
export function welcomeRoutes(
  facts: WelcomeFacts,
  schemes: Schemes,
  prefix: string,
): readonly Route<{ readonly anybody: null }>[] {
  const welcome = (ctx: Context): void => {
    const about = `${facts.title} ${facts.version}, in development, with the wire profile ${facts.profile.name}`
    const parts = [...firstQuestion(facts, schemes), ...readOn(facts)]
    if (!ctx.get('Accept').includes('text/html')) throw new NotFoundError()
    answerHtml(ctx, pageOf(facts.title, about, parts))
  }
  return [['GET', prefix === '' ? '/' : '{/}', 'anybody', '-', '-', 'json', welcome]]
}

/** The two calls of a requestor, and between them that of the wallet app. */
function firstQuestion({ profile, url, noAuth, takesRequestors }: WelcomeFacts, schemes: Schemes): Part[] {
  const attribute = firstAttribute(schemes)
  if (!takesRequestors || attribute === null) return []
  const request = { '@context': `${profile.contextBase}/ld/request/disclosure/v2`, disclose: [[[attribute]]] }
  const token = noAuth ? '' : " -H 'Authorization: TOKEN_OF_A_REQUESTOR'"
  const ask = `curl ${url}session -H 'Content-Type: application/json'${token} -d '${JSON.stringify(request)}'`
  return [
    { words: 'Ask a question. The answer holds a sessionPtr and a token:', lines: [ask] },
    {
      words: 'Answer it with a wallet app that reads the sessionPtr as a QR code, or without a phone:',
      lines: ["npx attribute-session-service wallet answer 'SESSION_PTR'"],
    },
    { words: 'Read the result:', lines: [`curl ${url}session/TOKEN/result`] },
  ]
}

function firstAttribute({ schemes }: Schemes): string | null {
  const types = [...schemes.values()]
    .flatMap(({ issuers }) => [...issuers.values()])
    .flatMap(({ credentialTypes }) => [...credentialTypes.values()])
  const [first] = types.flatMap(({ attributes }) => attributes.filter(({ isRevocation }) => !isRevocation))
  return first?.id ?? null
}

function readOn({ url, command, openapi }: WelcomeFacts): Part[] {
  const described = openapi ? [`${url}openapi`, `${url}openapi.json`] : []
  return [
    ...(openapi ? [{ words: 'Every endpoint, for people and for programs:', lines: described }] : []),
    {
      words:
        'Guides, options and charts are in the folder docs of the package, and README.md begins with a first question. Every command and option:',
      lines: [
        'npx attribute-session-service --help',
        `npx attribute-session-service${command.slice(3)} --help`,
      ],
    },
  ]
}

function pageOf(title: string, about: string, parts: readonly Part[]): string {
  const sections = parts.map(
    ({ words, lines }) => html`<p>${words}</p>
<pre tabindex="0">${lines.map(
      line => html`${linkOr(line)}
`,
    )}</pre>
`,
  )
  return framed(
    title,
    html`<header><h1>${title}</h1>
<p>${about}</p></header>
<main>
${sections}</main>`,
  )
}

/** An address can be followed. */
function linkOr(line: string) {
  return /^https?:\/\/\S+$/.test(line) ? html`<a href="${line}">${line}</a>` : html`${line}`
}
