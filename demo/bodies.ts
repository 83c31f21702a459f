/** Reads bodies of the demo's own calls: short JSON of a known shape. @module */
import type { Context } from 'koa'
import type { z } from 'zod'
import { type BodyDeps, textOf, textReader } from '../http/read-body.ts'
import { MalformedInput } from '../protocol/errors.ts'
import { readJson } from '../protocol/json.ts'

/** @throws {MalformedInput} for a body that is not JSON, or of another shape */
export type ReadJson = <Shape>(ctx: Context, schema: z.ZodType<Shape>) => Promise<Shape>

export function jsonReader(deps: BodyDeps): ReadJson {
  const readBody = textReader(deps)
  return async (ctx, schema) => {
    const body = await readBody(ctx, MalformedInput)
    const parsed = schema.safeParse(parse(textOf(body, MalformedInput)))
    if (parsed.success) return parsed.data
    const issue = parsed.error.issues[0]
    throw new MalformedInput(`body: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim())
  }
}

function parse(text: string): unknown {
  try {
    return readJson(text)
  } catch (error) {
    throw new MalformedInput('body: expected JSON', { cause: error })
  }
}
