/** The only stylesheet of the site. @module */
import { DESCRIPTION_STYLE } from '../../http/openapi/style.ts'
import { BASE_STYLE } from '../../http/page-style.ts'

const FRAME = `html { scroll-padding-top: 1rem; }
body { display: grid; grid-template-columns: minmax(0, 1fr); line-height: 1.6; }
body > header { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: center; padding: 0.875rem 1.25rem; border-bottom: 1px solid var(--line); }
.home { font-weight: 700; color: var(--ink); text-decoration: none; letter-spacing: -0.01em; margin-inline-end: auto; }
.skip { position: absolute; inset: 0.5rem auto auto 0.5rem; padding: 0.5rem 1rem; background: var(--surface); border-radius: 0.5rem; transform: translateY(-200%); }
.skip:focus { transform: none; }
main { padding: 1.5rem 1.25rem 3rem; min-width: 0; outline: none; overflow-wrap: break-word; }
nav { padding: 1.25rem; border-top: 1px solid var(--line); font-size: 0.9375rem; }
nav h2 { margin: 1.25rem 0 0.25rem; font-size: 0.8125rem; font-weight: 600; color: var(--soft); }
nav h2:first-child { margin-top: 0; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li a { display: block; padding: 0.3rem 0.6rem; margin-inline: -0.6rem; border-radius: 0.4rem; color: var(--ink); text-decoration: none; }
nav li a:hover { text-decoration: underline; text-underline-offset: 0.2em; }
nav a[aria-current] { background: var(--surface); color: var(--accent); font-weight: 600; }
@media (min-width: 62rem) {
  body { grid-template: auto 1fr / 17rem minmax(0, 1fr); min-height: 100vh; }
  body > header { grid-column: 1 / -1; }
  .all { display: none; }
  nav { grid-area: 2 / 1; padding: 1.75rem 1.25rem; border: 0; border-inline-end: 1px solid var(--line); }
  main { grid-area: 2 / 2; padding: 1.75rem clamp(1.5rem, 5vw, 4rem) 4rem; }
}
`

const SEARCH = `form[hidden] { display: none; }
form { display: flex; gap: 0.5rem; align-items: center; flex: 0 1 20rem; }
form label { color: var(--soft); font-size: 0.9375rem; }
input { min-width: 0; width: 100%; padding: 0.4rem 0.7rem; border: 1px solid var(--edge); border-radius: 0.5rem; background: var(--surface); color: var(--ink); font: inherit; }
#found { flex-basis: 100%; }
#found:empty { display: none; }
#found p { margin: 0.25rem 0; color: var(--soft); }
#found ul { margin: 0; padding: 0; list-style: none; max-height: 60vh; overflow-y: auto; }
#found li { padding: 0.5rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
#found mark, ::target-text { background: light-dark(#ffe08a, #6b5300); color: var(--ink); border-radius: 0.2em; }
#found span { display: block; color: var(--soft); font-size: 0.9375rem; }
`

const START = `.lead { font-size: 1.1875rem; }
.version { color: var(--soft); font-size: 0.9375rem; }
.doors { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); gap: 0.75rem; max-width: 64rem; list-style: none; }
main .doors { padding: 0; margin-block-end: 1.5rem; }
main .doors li { margin: 0; }
.doors a { display: block; height: 100%; padding: 1rem 1.125rem; border: 1px solid var(--line); border-radius: 0.6rem; background: var(--surface); color: var(--ink); text-decoration: none; }
.doors a:hover { border-color: var(--accent); }
.doors strong { display: block; font-size: 1.1875rem; color: var(--accent); }
.doors span { color: var(--soft); }
`

const VIEW = `.view { max-width: 64rem; margin-block-end: 1.25rem; }
.drawing > img { display: block; max-width: none; height: auto; cursor: grab; }
.drawing > img, .view-map img { border-radius: 0; }
.view-tools button { padding: 0.25rem 0.5rem; border: 1px solid var(--edge); border-radius: 0.4rem; color: var(--ink); font: inherit; cursor: pointer; }
`

const TRY = `.try { flex-direction: column; align-items: stretch; max-width: 42rem; margin-block: 0.75rem; }
.try label { display: grid; grid-template-columns: minmax(0, 7.5rem) minmax(0, 1fr); gap: 0.5rem; align-items: baseline; }
@media (max-width: 40rem) { .try label { grid-template-columns: minmax(0, 1fr); gap: 0.1rem; } }
.try textarea { width: 100%; padding: 0.4rem 0.7rem; border: 1px solid var(--edge); border-radius: 0.5rem; background: var(--ground, transparent); color: var(--ink); font: 0.875rem/1.45 ui-monospace, Menlo, Consolas, monospace; }
.try button { align-self: start; padding: 0.4rem 1rem; border: 1px solid var(--edge); border-radius: 0.5rem; background: var(--surface); color: var(--accent); font: inherit; font-weight: 600; cursor: pointer; }
.try pre { margin: 0; }
`

const TEXT = `h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; letter-spacing: -0.01em; }
h1 { margin: 0 0 1rem; font-size: 1.875rem; }
main h2 { margin: 2.5rem 0 0.75rem; font-size: 1.375rem; }
main h3 { margin: 1.75rem 0 0.5rem; font-size: 1.125rem; }
main :is(p, li, blockquote, h1, h2, h3, dl) { max-width: 42rem; }
main :is(p, ul, ol, blockquote) { margin: 0 0 1rem; }
main p:has(img) { max-width: 64rem; }
main :is(ul, ol) { padding-inline-start: 1.375rem; }
main li { margin-block-end: 0.35rem; }
blockquote { padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); color: var(--soft); }
a { color: var(--accent); text-underline-offset: 0.2em; }
code, pre { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.875em; }
:not(pre) > code { overflow-wrap: anywhere; padding: 0.1em 0.25em; border-radius: 0.3em; background: var(--tint); }
pre { position: relative; margin: 0 0 1.25rem; padding: 0.875rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.6rem; background: var(--surface); font-size: 0.875rem; line-height: 1.5; }
pre code { font-size: 1em; }
.code { position: relative; max-width: 56rem; }
.code button { position: absolute; inset: 0.4rem 0.4rem auto auto; padding: 0.2rem 0.6rem; border: 1px solid var(--edge); border-radius: 0.4rem; background: var(--surface); color: var(--ink); font: inherit; font-size: 0.8125rem; cursor: pointer; }
.code code { display: inline-block; padding-inline-end: 4.5rem; }
@media (max-width: 40rem) { .code pre { padding-block-start: 2.5rem; } .code code { padding: 0; } }
.wide { overflow-x: auto; margin: 0 0 1.25rem; }
table { border-collapse: collapse; font-size: 0.9375rem; line-height: 1.45; }
th, td { padding: 0.5rem 1rem 0.5rem 0; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); min-width: 6rem; max-width: 34rem; }
th { color: var(--soft); font-weight: 600; }
td code { overflow-wrap: normal; }
img:not(.drawing > img) { max-width: 100%; height: auto; border-radius: 0.6rem; }
.places { max-width: 42rem; margin-block-end: 1.5rem; }
.places { padding: 0; background: none; border: 0; color: var(--soft); }
.places ul { margin: 0.25rem 0; }
.next { margin-block-start: 3rem; padding-block-start: 1rem; border-top: 1px solid var(--line); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 0.2rem; }
:target { scroll-margin-top: 1rem; }
@media (prefers-contrast: more) { :root { --line: var(--ink); --soft: var(--ink); } }
@media print { body > header, nav, .places, .next { display: none; } }
`

export const STYLE = `${BASE_STYLE}:root {
  --edge: light-dark(#857d6b, #74808f);
  --tint: light-dark(#e7e3d9, #1d2530);
}
${FRAME}${SEARCH}${START}${VIEW}${TRY}${TEXT}${DESCRIPTION_STYLE}`
