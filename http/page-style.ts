/** The beginning of the stylesheets of all pages: colours, each named once for both themes, and the text of the page. @module */
export const BASE_STYLE = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f1efe9, #10141b);
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
  -webkit-text-size-adjust: 100%;
}
`
