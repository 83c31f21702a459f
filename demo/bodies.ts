/** Reads bodies of the demo's own calls: short JSON of a known shape. @module */
import type { Context } from 'koa'
import type { z } from 'zod'
import { type BodyDeps, textOf, textReader } from '../http/read-body.ts'
import { MalformedInputError } from '../protocol/errors.ts'
import { readJson } from '../protocol/json.ts'

/** @throws {MalformedInputError} for a body that is not JSON, or of another shape */
export type ReadJson = <Shape>(ctx: Context, schema: z.ZodType<Shape>) => Promise<Shape>

export function jsonReader(deps: BodyDeps): ReadJson {
  const readBody = textReader(deps)
  return async (ctx, schema) => {
    const body = await readBody(ctx, MalformedInputError)
    const parsed = schema.safeParse(parse(textOf(body, MalformedInputError)))
    if (parsed.success) return parsed.data
    const issue = parsed.error.issues[0]
    throw new MalformedInputError(`body: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim())
  }
}

function parse(text: string): unknown {
  try {
    return readJson(text)
  } catch (error) {
    throw new MalformedInputError('body: expected JSON', { cause: error })
  }
}
