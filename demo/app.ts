/** The demo's own application: its page, and the back ends of the web sites, the phone and the guide of the tour. @module */
import { Router } from '@koa/router'
import Koa from 'koa'
import { answerErrors } from '../http/answer-errors.ts'
import type { ServerDeps } from '../http/deps.ts'
import type { Wallet } from '../libraries/wallet/wallet.ts'
import { NotFoundError } from '../protocol/errors.ts'
import { jsonReader } from './bodies.ts'
import { readPage } from './files.ts'
import { guard } from './guard.ts'
import type { AccountPlaces } from './keyshare/account.ts'
import { mountOwnPhone, viewOfOwnPhone } from './own-phone/routes.ts'
import type { OwnPhone } from './own-phone/server.ts'
import { mountPhone } from './phone.ts'
import type { Phone } from './phone-wallet.ts'
import { mountTwoSites } from './sign-in/routes.ts'
import type { TwoSites } from './sign-in/two-sites.ts'
import { mountSite, NEXT } from './site.ts'
import type { SiteHosts } from './site-hosts.ts'
import type { Stamps } from './stamps.ts'
import type { Step } from './steps.ts'
import type { Submissions } from './submissions.ts'
import { mountTour } from './tour.ts'

export type DemoApp = {
  readonly app: Koa
  /** true for paths of the demo; other paths belong to the session server */
  owns(path: string): boolean
  /** ends the sessions on the phone */
  close(): void
}

export type DemoAppDeps = {
  /** address of all these parts, without a slash at the end */
  readonly address: string
  readonly hosts: SiteHosts
  readonly server: ServerDeps
  readonly phone: Phone
  readonly stamps: Stamps
  readonly submissions: Submissions
  readonly account: AccountPlaces
  readonly twoSites: TwoSites
  /** null: no real phone may answer */
  readonly ownPhone: OwnPhone | null
  /** URL of the inspector's page, with its token */
  readonly inspector: string
}

export function createDemoApp(deps: DemoAppDeps): DemoApp {
  const { address, hosts, server, phone, stamps, submissions, account, twoSites, ownPhone, inspector } = deps
  const { settings, schemes, clock, random } = server
  const page = readPage()
  const router = new Router({ strict: true })
  const { profile } = settings
  const reserveBody = (bytes: number) => server.sessions.reserveBody(bytes)
  const readJson = jsonReader({ settings, clock, reserveBody })
  const parts = { address, hosts, schemes, clock, random, profile, readJson }
  const done = new Set<Step>()
  for (const [path, { type, bytes }] of page)
    router.get(path, ctx => {
      ctx.set('Content-Type', type)
      ctx.body = bytes
    })
  mountSite(router, { ...parts, submissions, onDone: step => done.add(step) })
  const close = mountPhone(router, { ...parts, phone, account, issuer: twoSites.issuer })
  mountTwoSites(router, twoSites, () => done.add('sites'))
  const empty = (): Promise<void> => {
    close()
    account.mailbox.empty()
    twoSites.forget()
    return phone.empty()
  }
  const wallet = (): Wallet => phone.session().wallet
  mountOwnPhone(router, { ownPhone, clock, random })
  const view = ownPhone && viewOfOwnPhone(ownPhone)
  mountTour(router, { profile, hosts, schemes, stamps, done, wallet, empty, ownPhone: view, inspector })
  const app = new Koa()
  app
    .use(answerErrors(server))
    .use(guard(address, hosts.all, NEXT))
    .use(router.routes())
  app.use(() => {
    throw new NotFoundError()
  })
  return { app, owns: path => path.startsWith('/demo/') || page.has(path), close }
}
