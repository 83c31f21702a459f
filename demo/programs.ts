/** Writes a request of a web site as a program, in each language of the tour. @module */

export const LANGUAGES = ['curl', 'javascript', 'python', 'php'] as const

/** By language: text of a program that sends the request and prints the response. */
export type Programs = Readonly<Record<(typeof LANGUAGES)[number], string>>

/** `POST` of JSON, with only the standard library of each language.
 *  @param body without secrets: the programs are shown on the page */
export function programsOf(url: string, body: object): Programs {
  return {
    curl: curlOf(url, body),
    javascript: javascriptOf(url, body),
    python: pythonOf(url, body),
    php: phpOf(url, body),
  }
}

/** Quotes for a shell: between single quotes, only a single quote has a meaning. */
function curlOf(url: string, body: object): string {
  const inQuotes = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const quoted = [url, 'Content-Type: application/json', JSON.stringify(body)].map(inQuotes)
  return `curl ${quoted[0]} -H ${quoted[1]} --data-raw ${quoted[2]}`
}

/** A module for Node. JSON is a valid literal in JavaScript. */
function javascriptOf(url: string, body: object): string {
  return `const request = ${JSON.stringify(body, null, 2)}
const answer = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(request),
})
console.log(await answer.text())
`
}

function pythonOf(url: string, body: object): string {
  return `import json, urllib.request
request = ${literalOf(body, PYTHON)}
headers = {"Content-Type": "application/json"}
call = urllib.request.Request(${PYTHON.text(url)}, json.dumps(request).encode(), headers)
with urllib.request.urlopen(call) as answer:
    print(answer.read().decode())
`
}

function phpOf(url: string, body: object): string {
  return `<?php
$request = ${literalOf(body, PHP)};
$call = [
  'method' => 'POST',
  'header' => 'Content-Type: application/json',
  'content' => json_encode($request),
];
echo file_get_contents(${PHP.text(url)}, false, stream_context_create(['http' => $call]));
`
}

type Notation = {
  readonly text: (text: string) => string
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>
  /** the characters around the members of an object, and between a name and its value */
  readonly object: readonly [open: string, between: string, close: string]
}

/** JSON escapes have the same meaning in Python. */
const PYTHON: Notation = {
  text: text => JSON.stringify(text),
  words: { true: 'True', false: 'False', null: 'None' },
  object: ['{', ': ', '}'],
}
/** In single quotes, PHP has two escapes. */
const PHP: Notation = {
  text: text => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  words: { true: 'true', false: 'false', null: 'null' },
  object: ['[', ' => ', ']'],
}

/** @param value as for `JSON.stringify`, without empty objects, which PHP would send as lists */
function literalOf(value: unknown, notation: Notation, indent = ''): string {
  const { text, words, object } = notation
  const inner = `${indent}  `
  const block = (open: string, lines: readonly string[], close: string) =>
    lines.length === 0
      ? open + close
      : [open, ...lines.map(line => `${inner}${line},`), indent + close].join('\n')
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number') return JSON.stringify(value)
  if (typeof value === 'boolean') return value ? words.true : words.false
  if (value === null || value === undefined) return words.null
  const literal = (one: unknown) => literalOf(one, notation, inner)
  if (Array.isArray(value)) return block('[', value.map(literal), ']')
  const [open, between, close] = object
  const members = Object.entries(value).map(([name, one]) => text(name) + between + literal(one))
  return block(open, members, close)
}
