/** The demo's own application: its page, and behind it the web sites, the phone and the guide of the tour. @module */
import { Router } from '@koa/router'
import Koa from 'koa'
import { answerErrors } from '../http/answer-errors.ts'
import type { ServerDeps } from '../http/deps.ts'
import { NotFound } from '../protocol/errors.ts'
import { jsonReader } from './bodies.ts'
import { readPage } from './files.ts'
import { guard } from './guard.ts'
import { mountPhone } from './phone.ts'
import type { Phone } from './phone-wallet.ts'
import { mountSite, NEXT } from './site.ts'
import type { Stamps } from './stamps.ts'
import type { Step } from './steps.ts'
import { mountTour } from './tour.ts'

export type DemoApp = {
  readonly app: Koa
  /** whether a path belongs to the demo; the others are the session server's */
  owns(path: string): boolean
  /** ends the sessions on the phone */
  close(): void
}

/** @param address where all of this listens, without a slash at the end */
export function createDemoApp(address: string, server: ServerDeps, phone: Phone, stamps: Stamps): DemoApp {
  const { settings, schemes, random } = server
  const page = readPage()
  const router = new Router({ strict: true })
  const { profile } = settings
  const parts = { address, schemes, random, profile, readJson: jsonReader(server) }
  const done = new Set<Step>()
  for (const [path, { type, bytes }] of page)
    router.get(path, ctx => {
      ctx.set('Content-Type', type)
      ctx.body = bytes
    })
  mountSite(router, { ...parts, fetch: phone.session().fetch, onDone: step => done.add(step) })
  const close = mountPhone(router, { ...parts, phone })
  const empty = (): Promise<void> => {
    close()
    return phone.empty()
  }
  mountTour(router, { profile, schemes, stamps, done, wallet: () => phone.session().wallet, empty })
  const app = new Koa()
  app.use(answerErrors(server)).use(guard(address, NEXT)).use(router.routes())
  app.use(() => {
    throw new NotFound()
  })
  return { app, owns: path => path.startsWith('/demo/') || page.has(path), close }
}
