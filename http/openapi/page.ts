/** The description of a server as a page: plain HTML of the document itself, which loads nothing and runs no script. @module */
import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { Html, html } from '../html.ts'
import type { ApiDocument, OperationObject } from './document.ts'
import { STYLE } from './style.ts'

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** @param source where the document is */
export function answerPage(ctx: Context, document: ApiDocument, source: string): void {
  answerHtml(ctx, page(document, source))
}

/** A page that loads nothing, in the style of this one. */
export function answerHtml(ctx: Context, text: string): void {
  ctx.set('Content-Security-Policy', POLICY)
  ctx.set('Referrer-Policy', 'no-referrer')
  ctx.set('X-Content-Type-Options', 'nosniff')
  ctx.set('Cache-Control', 'no-cache')
  ctx.type = 'text/html; charset=UTF-8'
  ctx.body = text
}

type Endpoint = OperationObject & { readonly method: string; readonly path: string }

/** The endpoints by caller, the ways to authenticate, and the schemas. */
export function describedApi(document: ApiDocument): Html {
  const { components } = document
  const endpoints = endpointsOf(document)
  const tags = [...new Set(endpoints.flatMap(({ tags }) => tags))]
  const sections = tags.map(tag =>
    section(
      tag,
      endpoints.filter(({ tags }) => tags.includes(tag)),
    ),
  )
  const schemas = Object.entries(components.schemas).map(([name, schema]) => schemaPart(name, schema))
  return html`${sections}
<section><h2 id="authentication">Authentication</h2><dl>${waysIn(components.securitySchemes)}</dl></section>
<section><h2 id="schemas">Schemas</h2>
${schemas}
</section>
`
}

function page(document: ApiDocument, source: string): string {
  const { info } = document
  return framed(
    `${info.title}: endpoints`,
    html`<header><h1>${info.title}</h1>
<p>Version ${info.version}</p>
<p>${info.description}</p>
<p>For programs: <a href="${source}">${source}</a> (OpenAPI ${document.openapi})</p></header>
<main>
${describedApi(document)}</main>`,
  )
}

export function framed(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`.text
}

function endpointsOf({ paths }: ApiDocument): Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )
}

function section(tag: string, endpoints: readonly Endpoint[]): Html {
  return html`<section><h2 id="${tag.toLowerCase().replaceAll(' ', '-')}">${tag}</h2>
${endpoints.map(endpointPart)}</section>
`
}

function endpointPart(endpoint: Endpoint): Html {
  const {
    method,
    path,
    operationId,
    summary,
    description = '',
    parameters = [],
    requestBody,
    responses,
    security,
  } = endpoint
  const body = requestBody && html`<h3>Body</h3>${contents(requestBody.content)}`
  const ways = security
    .flatMap(way => Object.keys(way))
    .map(name => html`<a href="#way-${name}">${name}</a> `)
  const answers = Object.entries(responses).map(
    ([status, { description, content = {} }]) =>
      html`<dt>${status}</dt><dd>${description}${contents(content)}</dd>`,
  )
  return html`<details id="${operationId}"><summary><b>${method}</b> <code>${path}</code><span>${summary}</span></summary>
${description === '' ? null : html`<p>${description}</p>`}
${ways.length === 0 ? null : html`<p>Authentication: ${ways}</p>`}
<dl>${parameters.map(({ name, description }) => html`<dt><code>${name}</code></dt><dd>${description}</dd>`)}</dl>
${body ?? null}
<h3>Answers</h3><dl>${answers}</dl>
</details>
`
}

type Contents = NonNullable<OperationObject['requestBody']>['content']

function contents(content: Contents): readonly Html[] {
  return Object.entries(content).map(([type, { schema, example }]) => {
    const shown =
      example === undefined ? null : html`<pre tabindex="0">${JSON.stringify(example, null, 2)}</pre>`
    return html`<p><code>${type}</code> ${nameOf(schema)}</p>${shown}`
  })
}

/** A link to the schema, where it has a name. */
function nameOf(schema: object): Html | null {
  const inner = 'contentSchema' in schema ? schema.contentSchema : schema
  if (typeof inner !== 'object' || inner === null || !('$ref' in inner)) return null
  const name = String(inner.$ref).split('/').at(-1) ?? ''
  return html`<a href="#${name}">${name}</a>`
}

function waysIn(schemes: ApiDocument['components']['securitySchemes']): readonly Html[] {
  return Object.entries(schemes).map(
    ([name, { description }]) =>
      html`<dt id="way-${name}"><code>${name}</code></dt><dd>Authorization: ${description}</dd>`,
  )
}

function schemaPart(name: string, schema: object): Html {
  return html`<article id="${name}"><h3>${name}</h3><pre tabindex="0">${JSON.stringify(schema, null, 2)}</pre></article>
`
}
