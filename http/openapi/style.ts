/** The one stylesheet of the page. Every colour is named once, for both themes. @module */
export const STYLE = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f4ef, #10141b);
  --surface: light-dark(#ffffff, #191f29);
  --ink: light-dark(#1a2230, #e8ebf0);
  --soft: light-dark(#525c6d, #a9b3c2);
  --line: light-dark(#dcd7cb, #323c4a);
  --accent: light-dark(#0b595e, #74d3cd);
  --focus: light-dark(#1f4fd8, #9fc2ff);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  overflow-wrap: anywhere;
  -webkit-text-size-adjust: 100%;
}
header, main { width: min(56rem, 100% - 2rem); margin-inline: auto; padding-block: 1rem; }
h1 { font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 2rem 0 0.75rem; font-size: 1.25rem; }
h3 { margin: 1rem 0 0.25rem; font-size: 1rem; }
p { margin: 0 0 0.75rem; }
a { color: var(--accent); text-underline-offset: 0.2em; }
code, pre { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.875rem; }
pre { margin: 0 0 0.75rem; padding: 0.75rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.5rem; }
details, article { margin-block-end: 0.5rem; padding: 0.5rem 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: 0.5rem; }
summary { cursor: pointer; padding-block: 0.25rem; }
summary span { display: block; color: var(--soft); }
dl { margin: 0; }
dt { font-weight: 600; }
dd { margin: 0 0 0.5rem; color: var(--soft); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
:target { outline: 2px solid var(--accent); }
`
