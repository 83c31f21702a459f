/** JSON as text: the parts of a document in the form of the wire (compact, `<>&` escaped), with the members in the order of the document. A
 *  JavaScript object would sort names like `10` and round large numbers. @module */

/** One value of a document. */
export type JsonText = {
  /** the text of the value, as on the wire */
  readonly text: string
  /** the members of an object */
  readonly members: ReadonlyMap<string, JsonText>
  /** the items of a list */
  readonly items: readonly JsonText[]
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g
const NO_MEMBERS: ReadonlyMap<string, JsonText> = new Map()

/** @param document well-formed JSON */
export function readJsonText(document: string): JsonText {
  const tokens = (document.match(TOKEN) ?? []).values()
  const next = (): string => tokens.next().value ?? ''
  const readValue = (token: string): JsonText => {
    if (token === '{') return readObject()
    if (token === '[') return readList()
    return { text: token.startsWith('"') ? wireString(token) : token, members: NO_MEMBERS, items: [] }
  }
  const readObject = (): JsonText => {
    const members = new Map<string, JsonText>()
    for (let token = next(); token !== '}'; token = next()) {
      if (token === ',') continue
      next() // the colon
      members.set(JSON.parse(token), readValue(next()))
    }
    const text = [...members].map(([name, value]) => `${wireString(JSON.stringify(name))}:${value.text}`)
    return { text: `{${text.join(',')}}`, members, items: [] }
  }
  const readList = (): JsonText => {
    const items: JsonText[] = []
    for (let token = next(); token !== ']'; token = next()) if (token !== ',') items.push(readValue(token))
    return { text: `[${items.map(item => item.text).join(',')}]`, members: NO_MEMBERS, items }
  }
  return readValue(next())
}

/** The same string in the form of the wire (spec/session-server#0). */
function wireString(token: string): string {
  const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(JSON.parse(token)).replace(/[<>&\u2028\u2029]/g, escaped)
}

/** @returns the string at a path of members; null if there is none */
export function stringAt(value: JsonText | undefined, ...path: readonly string[]): string | null {
  let found = value
  for (const name of path) found = found?.members.get(name)
  return found?.text.startsWith('"') ? JSON.parse(found.text) : null
}
