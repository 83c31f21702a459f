/** The calls of the page for the step with two sites: `POST /demo/sites/open`, `GET /demo/sites?after=N`. @module */
import type { Router } from '@koa/router'
import { answerJson, answerNoContent } from '../../http/answer.ts'
import type { TwoSites } from './two-sites.ts'

/** Duration of a long poll, well below the timeouts of browsers. */
const WAIT_MS = 10_000

/** @param onDone called when both sites have signed in the user */
export function mountTwoSites(router: Router, sites: TwoSites, onDone: () => void): void {
  router.post('/demo/sites/open', async ctx => {
    await sites.open()
    answerNoContent(ctx)
  })

  router.get('/demo/sites', async ctx => {
    const { version, state } = await sites.next(Number(ctx.query.after), WAIT_MS)
    if (state.isDone) onDone()
    answerJson(ctx, { version, ...state })
  })
}
