/** GET and POST /account/{language}/login: the user requests a login link for an address. The answer is the same for known and unknown addresses. @module */
import { InvalidRequestError } from '../../protocol/errors.ts'
import { answerPage } from './answer-page.ts'
import { formOf, type PageDeps, placeOf, type VisitorEndpoint } from './place.ts'
import { askedScreen, askScreen } from './screens.ts'

export function ask(deps: PageDeps): VisitorEndpoint {
  return ctx => answerPage(ctx, placeOf(deps), askScreen(placeOf(deps)))
}

export function asked(deps: PageDeps): VisitorEndpoint {
  const { callerNames, loginMails, place } = deps
  return (ctx, _visit, body) => {
    const address = (formOf(body).get('address') ?? '').trim()
    try {
      loginMails.ask(address, place.language, callerNames.of(ctx))
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error
      return answerPage(ctx, placeOf(deps), askScreen(placeOf(deps), address), error.status)
    }
    return answerPage(ctx, placeOf(deps), askedScreen(placeOf(deps)))
  }
}
