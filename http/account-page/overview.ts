/** GET /account/{language}/: the accounts of the address of the visit. A single account is shown at once. @module */
import { answerPage } from './answer-page.ts'
import { type PageDeps, placeOf, seeOther, type VisitorEndpoint, visited } from './place.ts'
import { chooseScreen } from './screens.ts'

export function overview(deps: PageDeps): VisitorEndpoint {
  const { owners, place } = deps
  return visited(deps, async (ctx, visit) => {
    const accounts = await owners.accountsOf(visit.address)
    const [only] = accounts
    if (only !== undefined && accounts.length === 1)
      return seeOther(ctx, `${place.base}/accounts/${only.row.id}`)
    answerPage(ctx, placeOf(deps, visit), chooseScreen(placeOf(deps, visit), visit.address, accounts))
  })
}
