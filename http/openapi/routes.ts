/** GET /openapi.json and GET /openapi: the calls and answers of a server, for programs and for people. Files of these names in `static_path` have priority. @module */
import type { Context } from 'koa'
import { answerJson } from '../answer.ts'
import type { DescribedRoute } from '../mount.ts'
import { type AnyTable, type ApiDocument, type ApiFacts, describeApi } from './document.ts'
import { answerPage } from './page.ts'

/** @param tables the route tables of the listener, without the table of these routes
 *  @returns the routes below `prefix` */
export function descriptionRoutes(
  tables: readonly AnyTable[],
  prefix: string,
  facts: ApiFacts,
): readonly DescribedRoute<{ readonly anybody: null }>[] {
  let made: ApiDocument | null = null
  const document = (): ApiDocument => {
    made ??= describeApi([...tables, { prefix, routes }], facts, rootOf(prefix))
    return made
  }
  const asJson = (ctx: Context): void => {
    ctx.set('Cache-Control', 'no-cache')
    answerJson(ctx, document())
  }
  const asPage = (ctx: Context): void => answerPage(ctx, document(), `${prefix}/openapi.json`)
  // biome-ignore format: a table is read by its columns
  const routes = [
    ['GET', '/openapi.json', 'anybody', '-', '-', 'json', asJson, 'description'],
    ['GET', '/openapi',      'anybody', '-', '-', 'json', asPage, 'descriptionPage'],
  ] as const
  return routes
}

/** The relative path from `{prefix}/openapi.json` to the root. */
function rootOf(prefix: string): string {
  const depth = prefix.split('/').length - 1
  return depth === 0 ? './' : '../'.repeat(depth)
}
