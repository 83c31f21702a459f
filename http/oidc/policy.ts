/** When a user is asked: at every authorization request. A login is a disclosure for one site, so an earlier login at another site answers no request.
 *  With `prompt=none` the answer is therefore `login_required`. @module */
import { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'

const { Check, Prompt } = interactionPolicy

/** The details of the prompt: the subject that the site expects. */
export type PromptFacts = { readonly expectedSub?: string }

export function loginPolicy(): interactionPolicy.Prompt[] {
  const login = new Prompt(
    { name: 'login', requestable: true },
    expectedSubject,
    new Check('openid_scope', 'without it a site gets no claim', ctx => {
      if (ctx.oidc.requestParamOIDCScopes.has('openid')) return Check.NO_NEED_TO_PROMPT
      throw new errors.InvalidScope('expected the scope openid, got none', 'openid')
    }),
    new Check('fresh_login', 'every login asks the wallet', 'login_required', ctx =>
      ctx.oidc.result?.login === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
  )
  // the wallet app asks for consent, so a site that asks for `prompt=consent` gets the same login
  return [login, new Prompt({ name: 'consent', requestable: true })]
}

/** The subject of `id_token_hint` (OpenID Connect Core 3.1.2.1). `finish.ts` compares the `sub` of the parameter `claims`. */
function expectedSubject({ oidc }: KoaContextWithOIDC): PromptFacts {
  const hint: unknown = oidc.entities.IdTokenHint
  const expected = memberOf(memberOf(hint, 'payload'), 'sub')
  return typeof expected === 'string' ? { expectedSub: expected } : {}
}

function memberOf(object: unknown, name: string): unknown {
  return typeof object === 'object' && object !== null ? Reflect.get(object, name) : undefined
}
