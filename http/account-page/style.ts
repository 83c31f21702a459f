/** The one stylesheet of the account page. @module */
import { BASE_STYLE } from '../page-style.ts'

export const STYLE = `${BASE_STYLE}:root {
  --edge: light-dark(#857d6b, #74808f);
  --on-accent: light-dark(#ffffff, #042322);
  --tint: light-dark(#e0f0ee, #12302f);
  --bad: light-dark(#a3232b, #ff9c9c);
  --on-bad: light-dark(#ffffff, #330609);
}
header, main, footer { width: min(40rem, 100% - 2rem); margin-inline: auto; }
header, footer { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: center; padding-block: 1.25rem; }
header { justify-content: space-between; }
header strong { letter-spacing: -0.01em; }
footer { color: var(--soft); font-size: 0.875rem; }
main { overflow-wrap: anywhere; background: var(--surface); border: 1px solid var(--line); border-radius: 1rem; padding: clamp(1.25rem, 5vw, 2.25rem); }
h1 { margin: 0 0 0.75rem; font-size: 1.625rem; line-height: 1.2; letter-spacing: -0.015em; text-wrap: balance; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.125rem; }
p, ul, ol, dl { margin: 0 0 1rem; }
ul, ol { padding: 0; list-style: none; }
main > :last-child { margin-bottom: 0; }
small, .soft { color: var(--soft); font-size: 0.875rem; }
a { color: var(--accent); text-underline-offset: 0.2em; }
code { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; }
form { margin: 0 0 1rem; }
label { display: block; font-weight: 600; margin-bottom: 0.35rem; }
label.check { display: flex; gap: 0.75rem; align-items: flex-start; font-weight: 400; margin-bottom: 1rem; }
input[type="email"] {
  width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; margin-bottom: 0.75rem;
  border: 1px solid var(--edge); border-radius: 0.6rem; background: var(--surface); color: var(--ink); font: inherit;
}
input[aria-invalid="true"] { border-color: var(--bad); }
input[type="checkbox"] { width: 1.5rem; height: 1.5rem; flex: none; margin: 0; accent-color: var(--bad); }
button, a.button {
  display: inline-block; min-height: 2.75rem; padding: 0.55rem 1.15rem; border: 1px solid transparent; border-radius: 0.7rem;
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; background: var(--accent); color: var(--on-accent);
}
button.quiet, a.quiet { background: var(--surface); border-color: var(--edge); color: var(--ink); }
button.grave { background: var(--bad); color: var(--on-bad); }
a.grave { background: var(--surface); border-color: var(--bad); color: var(--bad); }
.error { color: var(--bad); font-weight: 600; }
.notice { background: var(--tint); border-radius: 0.7rem; padding: 0.75rem 1rem; }
.rows > li { border-top: 1px solid var(--line); padding-block: 0.7rem; display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; justify-content: space-between; }
.rows > li:last-child { border-bottom: 1px solid var(--line); }
nav { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center; }
.plain { background: none; border: 0; padding: 0; min-height: 0; color: var(--accent); text-decoration: underline; text-underline-offset: 0.2em; font-weight: 400; }
header form { margin: 0; }
@media (prefers-contrast: more) { :root { --line: var(--ink); --soft: var(--ink); } }
`
