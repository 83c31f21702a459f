/** The demo's own application: its page, the shop's back end and the phone's. @module */
import { Router } from '@koa/router'
import Koa from 'koa'
import { answerErrors } from '../http/answer-errors.ts'
import type { ServerDeps } from '../http/deps.ts'
import { NotFound } from '../protocol/errors.ts'
import type { SessionDeps } from '../wallet/session.ts'
import { jsonReader } from './bodies.ts'
import { readPage } from './files.ts'
import { guard } from './guard.ts'
import { mountPhone } from './phone.ts'
import { mountShop } from './shop.ts'

export type DemoApp = {
  readonly app: Koa
  /** whether a path belongs to the demo; the others are the session server's */
  owns(path: string): boolean
  /** ends the sessions on the phone */
  close(): void
}

/** @param address where all of this listens, without a slash at the end */
export function createDemoApp(address: string, server: ServerDeps, wallet: SessionDeps): DemoApp {
  const { settings, schemes, random } = server
  const page = readPage()
  const router = new Router({ strict: true })
  const parts = { address, schemes, random, profile: settings.profile, readJson: jsonReader(server) }
  for (const [path, { type, bytes }] of page)
    router.get(path, ctx => {
      ctx.set('Content-Type', type)
      ctx.body = bytes
    })
  mountShop(router, { ...parts, fetch: wallet.fetch })
  const close = mountPhone(router, { ...parts, wallet })
  const app = new Koa()
  app.use(answerErrors(server)).use(guard(address)).use(router.routes())
  app.use(() => {
    throw new NotFound()
  })
  return { app, owns: path => path.startsWith('/demo/') || page.has(path), close }
}
