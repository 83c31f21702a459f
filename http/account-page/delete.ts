/** GET and POST /account/{language}/accounts/{id}/delete: the page that asks the owner to confirm, and the deletion. @module */
import { NotFoundError } from '../../protocol/errors.ts'
import { answerPage } from './answer-page.ts'
import { type PageDeps, placeOf, requireAccount, type VisitorEndpoint, visited } from './place.ts'
import { deletedScreen, deletionScreen } from './screens.ts'
import { endVisit } from './visit.ts'

export function askDeletion(deps: PageDeps): VisitorEndpoint {
  const { deleteDays } = deps.times
  return visited(deps, async (ctx, visit) => {
    const { row } = await requireAccount(ctx, visit, deps)
    const place = placeOf(deps, visit)
    answerPage(ctx, place, deletionScreen(place, row, deleteDays, false))
  })
}

export function deleteAccount(deps: PageDeps): VisitorEndpoint {
  const { owners, times } = deps
  return visited(deps, async (ctx, visit, form) => {
    const { row } = await requireAccount(ctx, visit, deps)
    const place = placeOf(deps, visit)
    if (form.get('understood') !== 'yes')
      return answerPage(ctx, place, deletionScreen(place, row, times.deleteDays, true), 400)
    if (!(await owners.disable(row.id))) throw new NotFoundError()
    if ((await owners.accountsOf(visit.address)).length > 0)
      return answerPage(ctx, place, deletedScreen(place))
    endVisit(ctx, deps)
    answerPage(ctx, placeOf(deps), deletedScreen(placeOf(deps)))
  })
}
