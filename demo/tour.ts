/** The guide of the tour: the steps that are done, the cards that a step needs, and the restart. Unlike the web sites, it knows the cards on the phone. @module */
import type { Router } from '@koa/router'
import { answerJson, answerNoContent } from '../http/answer.ts'
import type { Wallet } from '../libraries/wallet/wallet.ts'
import { credentialTypeOf } from '../protocol/ids.ts'
import type { Profile } from '../protocol/profiles.ts'
import { parseSessionRequestText } from '../protocol/request.ts'
import type { Schemes } from '../schemes/types.ts'
import { cardName } from './names.ts'
import type { OwnPhoneView } from './own-phone/routes.ts'
import type { SiteHosts } from './site-hosts.ts'
import type { Stamps } from './stamps.ts'
import { OFFERED, requestOf, STEPS, type Step } from './steps.ts'

export type TourDeps = {
  readonly profile: Profile
  readonly hosts: SiteHosts
  readonly schemes: Schemes
  readonly stamps: Stamps
  readonly done: Set<Step>
  readonly wallet: () => Wallet
  /** empties the phone and ends its sessions */
  readonly empty: () => Promise<void>
  readonly ownPhone: OwnPhoneView | null
  /** page of the inspector, with its token; every caller of the demo may watch its charts */
  readonly inspector: string
}

export type StepView = {
  readonly step: Step
  /** host of its web site */
  readonly host: string
  readonly isDone: boolean
  /** cards, one of which is needed, and the step that issues it, or `phone` if the phone gets it without a step; null: none is needed */
  readonly lacks: { readonly cards: readonly string[]; readonly givenBy: Step | 'phone' } | null
}

/** `GET /demo/tour`, `POST /demo/tour/restart`. */
export function mountTour(router: Router, deps: TourDeps): void {
  router.get('/demo/tour', ctx => {
    const { wanted, address } = deps.stamps
    answerJson(ctx, {
      steps: STEPS.map(step => viewOf(step, deps)),
      stamps: { wanted, address, isAsNamed: wanted === address },
      ownPhone: deps.ownPhone,
      inspector: deps.inspector,
    })
  })

  router.post('/demo/tour/restart', async ctx => {
    await deps.empty()
    deps.done.clear()
    answerNoContent(ctx)
  })
}

function viewOf(step: Step, { profile, hosts, schemes, done, wallet }: TourDeps): StepView {
  const host = hosts.of(step)
  const request = requestOf(step, { ...profile, host }, { next: 'http://-/', back: 'http://-/' })
  const missing = wallet()
    .candidates(parseSessionRequestText(JSON.stringify(request), profile).request)
    .items.flatMap(item => item.missing.flat().map(credentialTypeOf))
  const isOffered = (other: Step) =>
    OFFERED[other].some(({ credential }) => missing.some(type => type === credential))
  const givenBy = STEPS.find(isOffered) ?? 'phone'
  return {
    step,
    host,
    isDone: done.has(step),
    lacks:
      missing.length > 0
        ? { cards: [...new Set(missing.map(type => cardName(schemes, type)))], givenBy }
        : null,
  }
}
