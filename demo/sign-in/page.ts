/** The pages of the demo of `svc oidc`: two sites and a phone. They need no script. @module */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { STYLE } from '../../http/account-page/style.ts'
import { type Html, html } from '../../http/html.ts'

const POLICY =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export type DemoPage = { readonly title: string; readonly main: Html; readonly refreshSec?: number }

export function answerPage(res: ServerResponse, { title, main, refreshSec }: DemoPage, status = 200): void {
  const refresh = refreshSec === undefined ? null : html`<meta http-equiv="refresh" content="${refreshSec}">`
  const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${refresh}
<title>${title}</title><link rel="stylesheet" href="/style.css"></head>
<body><header><strong>Demo</strong></header><main><h1>${title}</h1>
${main}</main></body></html>
`
  res.writeHead(status, {
    'Content-Type': 'text/html; charset=UTF-8',
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  })
  res.end(page.text)
}

/** @returns true: the call is answered */
export function answeredStyle(req: IncomingMessage, res: ServerResponse): boolean {
  if (req.url !== '/style.css') return false
  res.writeHead(200, { 'Content-Type': 'text/css; charset=UTF-8' }).end(STYLE)
  return true
}

export function seeOther(res: ServerResponse, location: string, cookie?: string): void {
  res.writeHead(303, { Location: location, ...(cookie !== undefined && { 'Set-Cookie': cookie }) }).end()
}

/** Forms of other pages are refused. */
export function isOwnForm({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-site'] === undefined || headers['sec-fetch-site'] === 'same-origin'
}
