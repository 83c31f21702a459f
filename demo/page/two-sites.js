/** Two sites of one OpenID provider: each opens in a window of its own, and this page shows the claims that both have got.
 *
 *  @typedef {{ name: string, address: string, claims: Record<string, unknown> | null }} SignedIn
 *  @typedef {{ sites: SignedIn[], isDone: boolean }} Sites
 *  @module */
import { element, heading, icon } from './dom.js'
import { call } from './requests.js'
import { onwards, verdict } from './site-result.js'
import { pair, row } from './two-logins.js'

/** Starts the provider and the sites. Earlier logins are forgotten. */
export function beginSites() {
  return call('/demo/sites/open', { method: 'POST' })
}

/** Shows each change of the sites until the signal ends it.
 *  @param {AbortSignal} signal
 *  @param {(sites: Sites) => Promise<void>} changed */
export async function followSites(signal, changed) {
  for (let after = 0; !signal.aborted; ) {
    const { version, ...sites } = await call(`/demo/sites?after=${after}`)
    if (version !== after && sites.sites.length > 0) await changed(sites)
    after = version
  }
}

/** @param {Sites} sites
 *  @param {{ again: () => void, goTo: (step: string) => void, next: string | null }} ways */
export function twoSites(state, ways) {
  return state.sites.every(({ claims }) => claims !== null) ? compared(state, ways) : toSignIn(state)
}

/** @param {Sites} state */
function toSignIn({ sites }) {
  return element(
    'div',
    { class: 'screen split code' },
    element('div', { class: 'tile' }, icon('globe')),
    element(
      'div',
      { class: 'words' },
      heading('Sign in at both sites'),
      element(
        'p',
        {},
        'Each site opens in a window of its own, and sends you to the provider. There, press “Open the wallet app”: this page opens with the phone. Type the code of the phone into the provider’s page.',
      ),
      ...sites.map(link),
    ),
  )
}

/** @param {SignedIn} site */
function link({ name, address, claims }) {
  const isIn = claims !== null
  return element(
    'a',
    { class: `button ${isIn ? 'quiet' : 'main'}`, href: address, target: '_blank', rel: 'noreferrer' },
    isIn ? `${name}: you are signed in` : `Open the ${name}`,
  )
}

/** @param {Sites} state */
function compared({ sites, isDone }, ways) {
  const names = sites.map(({ name }) => name)
  const claims = sites.map(site => site.claims)
  const common = [...new Set(claims.flatMap(Object.keys))].filter(name => name !== 'sub')
  const rows = [...common, 'sub'].map(claim => {
    const values = claims.map(each => JSON.stringify(each[claim]) ?? 'nothing')
    return row(new Set(values).size === 1, [code(claim)], ...values.map(text => [code(text)]))
  })
  const caption = 'All that the sites got from the provider'
  return element(
    'div',
    { class: `screen result ${isDone ? 'good' : 'stopped'}` },
    verdict(isDone, isDone ? 'Signed in at both sites' : 'Not as expected', words(isDone)),
    pair({ caption, names }, rows, claims),
    onwards({ isDone, canRevoke: false, canRepeat: false }, ways),
  )
}

/** @param {string} text */
function code(text) {
  return element('code', {}, text)
}

/** @param {boolean} isDone */
function words(isDone) {
  return isDone
    ? 'Both know that you are over 18. Each knows you by a “sub” of its own, so they cannot tell together that you are one person. The provider made both from your document number, which no site gets.'
    : 'Expected over18: true and two different values of “sub”.'
}
