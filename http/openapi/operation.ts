/** The description of an endpoint beside its line in a table of routes: purpose, parameters and answers. The table has its caller, its body and the form
 *  of its errors. @module */
import type { z } from 'zod'

/** The form of a success. */
export type Answer =
  | { readonly form: 'json'; readonly schema: z.ZodType }
  | { readonly form: 'text'; readonly words: string }
  | { readonly form: 'page'; readonly words: string }
  /** each event is JSON of this schema */
  | { readonly form: 'events'; readonly schema: z.ZodType }
  /** CBOR */
  | { readonly form: 'bytes'; readonly words: string }
  | { readonly form: 'empty' }

export type Operation = {
  /** its purpose, in one sentence */
  readonly summary: string
  readonly description?: string
  readonly body?: z.ZodType
  /** by HTTP status */
  readonly answers: Readonly<Record<number, Answer>>
  /** statuses of errors beside those that follow from its line in the table */
  readonly errors?: readonly number[]
  /** beside those in the path */
  readonly headers?: readonly Header[]
}

export type Header = { readonly name: string; readonly words: string; readonly isRequired: boolean }

export const EMPTY: Answer = { form: 'empty' }

export function json(schema: z.ZodType): Answer {
  return { form: 'json', schema }
}

export function text(words: string): Answer {
  return { form: 'text', words }
}

export function bytes(words: string): Answer {
  return { form: 'bytes', words }
}

export function events(schema: z.ZodType): Answer {
  return { form: 'events', schema }
}

export function page(words: string): Answer {
  return { form: 'page', words }
}
