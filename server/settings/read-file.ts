/** Settings files: JSON, YAML or TOML by the ending of the name; names keep their case, and the file that was named is the one that is
 *  read. Without a name the usual places are searched, and no file is fine. @module */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { utf8Of } from '../../ports/utf8.ts'
import { isFile } from '../files/paths.ts'
import { SettingsError } from './errors.ts'
import { readSettingsJson } from './json.ts'
import { shownName } from './unknown-names.ts'

const loadNow = createRequire(import.meta.url)

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  '.json': readSettingsJson,
  '.toml': readToml,
  '.yaml': readYaml,
  '.yml': readYaml,
}

export type SettingsFile = {
  readonly name: string
  readonly values: Readonly<Record<string, unknown>>
  /** @returns the name that an option or a member has in the file; left out: the same name */
  readonly nameOf?: (name: string) => string
}

/** The first file that exists. The endings `.json`, `.toml`, `.yaml` and `.yml` are tried in this order. */
export function findFile(usual: readonly string[]): string | undefined {
  return usual.flatMap(file => Object.keys(READERS).map(ending => file + ending)).find(isFile)
}

/** @param named the file that the operator named; undefined: one of the usual files, if there is any
 *  @param usual files without their ending
 *  @throws {SettingsError} if the named file is missing, or a file does not parse */
export function readSettingsFile(
  named: string | undefined,
  usual: readonly string[],
): SettingsFile | undefined {
  const name = named ?? findFile(usual)
  if (name === undefined) return undefined
  if (!isFile(name)) throw new SettingsError(`settings file: expected an existing file, got ${name}`)
  const read = READERS[extname(name)]
  if (!read)
    throw new SettingsError(`settings file: expected ${Object.keys(READERS).join(', ')}, got ${name}`)
  const values = parse(name, read)
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new SettingsError(`settings file ${name}: expected options by name, got another value`)
  return { name, values: { ...values } }
}

/** A number with a leading zero has another value in YAML 1.1 and 1.2. It stays a text, as in flags and variables. */
const NOT_DECIMAL = /^[-+]?0[\dxo]/

function readToml(text: string): unknown {
  const { parse: parseToml }: typeof import('smol-toml') = loadNow('smol-toml')
  return parseToml(text)
}

/** Each warning of the reader is an error here, because the value would differ from the text. */
function readYaml(text: string): unknown {
  const { parseDocument, visit }: typeof import('yaml') = loadNow('yaml') // a package of 70 files, which is loaded only for a YAML file
  const document = parseDocument(text, { logLevel: 'silent', merge: true })
  const [mistake] = [...document.errors, ...document.warnings]
  if (mistake) throw mistake
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'number' && NOT_DECIMAL.test(node.source ?? '')) node.value = node.source
    },
  })
  return document.toJS()
}

function parse(name: string, read: (text: string) => unknown): unknown {
  const text = contentOf(name)
  try {
    return read(text) ?? {}
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : reasonOf(error, text)
    throw new SettingsError(`settings file ${name}: expected ${extname(name).slice(1)}, got ${reason}`)
  }
}

function contentOf(name: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(name)
  } catch (error) {
    throw new SettingsError(`settings file ${name}: expected a file that can be read, got ${codeOf(error)}`)
  }
  const text = utf8Of(bytes)
  if (text === null) throw new SettingsError(`settings file ${name}: expected UTF-8, got other bytes`)
  return text
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'another failure'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The reason of the reader without its quotes of the file, which may hold a secret: tags, directives, the text after a colon or a backslash, and the lines below. */
function reasonOf(error: unknown, text: string): string {
  const name = repeatedNameOf(error, text)
  if (name !== null) return `another text:${placeOf(error)} ${JSON.stringify(name)} for the second time`
  const [first = ''] = messageOf(error).replace('Invalid TOML document: ', '').split('\n')
  const reason = first
    .replace(/ at line \d+, column \d+:?$/, '')
    .replace(/ [!%].*(?= tag has)| [!%].*$|(?<! ): .*$| \\.*$/, '')
  return `another text:${placeOf(error)} ${reason}`
}

/** Both readers give the position of the second name.
 *  @returns the part of the name that a message may show; null: the mistake is another */
function repeatedNameOf(error: unknown, text: string): string | null {
  if (!(error instanceof Error)) return null
  const [start] = 'pos' in error && Array.isArray(error.pos) ? error.pos : []
  if ('code' in error && error.code === 'DUPLICATE_KEY') return nameIn(text.slice(start))
  if (!('line' in error && 'column' in error) || !/redefine/.test(error.message)) return null
  const line = text.split('\n')[Number(error.line) - 1] ?? ''
  return nameIn(line.slice(Number(error.column) - 1))
}

/** @param text begins with the name, and goes on with its value */
function nameIn(text: string): string {
  const [, , quoted, plain = ''] = /^(?:(["'])(.*?)\1|([^:=\]\n]*))/.exec(text) ?? []
  return shownName(quoted ?? plain.trim())
}

function placeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('line' in error && typeof error.line === 'number') return ` line ${error.line}:`
  if (!('linePos' in error) || !Array.isArray(error.linePos)) return ''
  return ` line ${error.linePos[0]?.line}:`
}
