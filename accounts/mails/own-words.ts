/** Texts of an operator in place of the built-in ones (spec/keyshare-server#13): a template in HTML and a subject for each mail and language. A template
 *  may have variables, such as `{{.VerificationURL}}`, and no other action. A mail with such a text has no plain-text part. @module */
import type { MailKind, MailText } from './texts.ts'
import type { MailLanguage } from './words/languages.ts'

/** The parts of a template: text, or the name of a variable. */
export type MailTemplate = readonly (string | { readonly name: string })[]

export type OwnWords = { readonly html: MailTemplate | null; readonly subject: string | null }
export type OwnMails = Readonly<Record<MailKind, Readonly<Record<MailLanguage, OwnWords>>>>

/** A mistake in a template, with its line. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

/** The variables that a template of a mail may have. */
export const MAIL_VARIABLES = {
  confirmation: ['VerificationURL'],
  login: ['TokenURL'],
  expiry: ['Username', 'Email', 'Delay'],
  deletion: ['Username', 'Email', 'Delay'],
} as const satisfies Readonly<Record<MailKind, readonly string[]>>

export type MailValues<Kind extends MailKind> = Readonly<
  Record<(typeof MAIL_VARIABLES)[Kind][number], string | number>
>

const OPEN = '{{'
const VARIABLE = /^\{\{(- )?\s*\.(\w+)\s*( -)?\}\}/
/** Text that ends inside of a script or a style sheet, where a value would need other escapes. */
const PROGRAM = /<(script|style)\b(?:(?!<\/\1).)*$/is

/** @throws {TemplateError} for an action that is no known variable, or for a variable inside of a script or a style sheet */
export function parseMailTemplate(text: string, kind: MailKind): MailTemplate {
  const known: readonly string[] = MAIL_VARIABLES[kind]
  const parts: MailTemplate[number][] = []
  let rest = text
  let isTrimming = false
  for (;;) {
    const at = rest.indexOf(OPEN)
    const before = at < 0 ? rest : rest.slice(0, at)
    const [action, trimsBefore, name = '', trimsAfter] = VARIABLE.exec(at < 0 ? '' : rest.slice(at)) ?? []
    const trimmed = isTrimming ? before.trimStart() : before
    parts.push(trimsBefore ? trimmed.trimEnd() : trimmed)
    if (at < 0) return parts
    const line = text.slice(0, text.length - rest.length + at).split('\n').length
    const words = known.map(each => `{{.${each}}}`).join(', ')
    if (action === undefined)
      throw new TemplateError(`line ${line}: expected one of ${words}, got another action`)
    if (!known.includes(name))
      throw new TemplateError(`line ${line}: expected one of ${words}, got {{.${name}}}`)
    if (PROGRAM.test(text.slice(0, text.length - rest.length + at)))
      throw new TemplateError(
        `line ${line}: expected {{.${name}}} outside of script and style, got it inside`,
      )
    parts.push({ name })
    rest = rest.slice(at + action.length)
    isTrimming = trimsAfter !== undefined
  }
}

/** @param built the built-in text, for the parts that the operator does not replace */
export function inOwnWords<Kind extends MailKind>(
  { html, subject }: OwnWords,
  values: MailValues<Kind>,
  built: MailText,
): MailText {
  const named = { ...built, subject: subject ?? built.subject }
  if (html === null) return named
  const texts: Readonly<Record<string, string | number>> = values
  const filled = html.map(part => (typeof part === 'string' ? part : escaped(String(texts[part.name] ?? ''))))
  return { ...named, text: '', html: filled.join('') }
}

/** Escaped for text, and for attributes with and without quotes. */
function escaped(text: string): string {
  return text.replace(/[&<>"'=`\s]/g, character => `&#${character.codePointAt(0)};`)
}
