/** The stylesheet of the page, and the part of it for a page that shows a description among other content. @module */
import { BASE_STYLE } from '../page-style.ts'

export const DESCRIPTION_STYLE = `details, article { margin-block-end: 0.5rem; padding: 0.5rem 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: 0.5rem; }
summary { cursor: pointer; padding-block: 0.25rem; }
summary span { display: block; color: var(--soft); }
dl { margin: 0; }
dt { font-weight: 600; }
dd { margin: 0 0 0.5rem; color: var(--soft); }
`

export const STYLE = `${BASE_STYLE}body { overflow-wrap: anywhere; }
header, main { width: min(56rem, 100% - 2rem); margin-inline: auto; padding-block: 1rem; }
h1 { font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 2rem 0 0.75rem; font-size: 1.25rem; }
h3 { margin: 1rem 0 0.25rem; font-size: 1rem; }
p { margin: 0 0 0.75rem; }
a { color: var(--accent); text-underline-offset: 0.2em; }
code, pre { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.875rem; }
pre { margin: 0 0 0.75rem; padding: 0.75rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.5rem; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
:target { outline: 2px solid var(--accent); }
${DESCRIPTION_STYLE}`
