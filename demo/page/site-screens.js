/** The screens of a web site before a result. @module */
import { button, element, heading, icon } from './dom.js'
import { request } from './json.js'
import { numberOf, STEPS } from './steps.js'
import { stamps, viewOf } from './tour.js'

/** The layout of all screens before the result: a picture beside the text.
 *  @param {string} name
 *  @param {Node} picture
 *  @param {...(Node | null | false | undefined)} words */
function split(name, picture, ...words) {
  return element(
    'div',
    { class: `screen split ${name}` },
    picture,
    element('div', { class: 'words' }, ...words.filter(Boolean)),
  )
}

function tile(...content) {
  return element('div', { class: 'tile' }, ...content)
}

/** @param {string} step
 *  @param {() => void} start
 *  @param {{ goTo: (step: string) => void, setUpPin: () => void }} remedies */
export function offer(step, start, remedies) {
  const { title, text, note, button: label, icon: drawing } = STEPS[step]
  const { lacks } = viewOf(step)
  return split(
    'offer',
    tile(icon(drawing)),
    heading(title),
    element('p', {}, text),
    note && element('p', { class: 'aside' }, note),
    step === 'contract' && !stamps().isAsNamed && elsewhere(stamps()),
    lacks && lacking(lacks, remedies),
    button(label, start, lacks ? 'quiet' : 'main'),
  )
}

/** @param {{ cards: string[], givenBy: string }} lacks */
function lacking({ cards, givenBy }, { goTo, setUpPin }) {
  return element(
    'div',
    { class: 'notice' },
    element('p', {}, `For this step the phone needs: ${cards.join(' or ')}.`),
    givenBy === 'phone'
      ? button('Set up a PIN on the phone', setUpPin)
      : button(`Go to step ${numberOf(givenBy)}: ${STEPS[givenBy].name}`, () => goTo(givenBy)),
  )
}

function elsewhere({ wanted, address }) {
  return element(
    'p',
    { class: 'aside' },
    `Another program has the address of the timestamp server (${wanted}), so the timestamps of this demo come from ${address}.`,
  )
}

export function starting() {
  return split(
    'waiting',
    tile(element('div', { class: 'pulse' }), icon('phone')),
    heading('Starting a session'),
  )
}

/** @param {{ id: string, request: unknown, programs: import('./json.js').Programs }} session
 *  @param {() => void} stop */
export function code({ id, request: asked, programs }, stop) {
  const qr = element('img', {
    class: 'tile',
    src: `/demo/site/qr/${id}`,
    alt: 'QR code for the wallet app. On this page, press Scan QR code on the phone.',
  })
  return split(
    'code',
    qr,
    heading('Scan this code with your phone'),
    element(
      'p',
      {},
      'Use the button on the phone on this page. You will see what we ask before anything is shared.',
    ),
    button('Cancel', stop, 'quiet'),
    request('What the site asks, as JSON', asked, programs),
  )
}

/** Shown instead of the code, on a phone.
 *  @param {{ address: string, request: unknown, programs: import('./json.js').Programs }} session
 *  @param {(link: string) => void} open
 *  @param {() => void} stop */
export function link({ address, request: asked, programs }, open, stop) {
  const follow = event => {
    event.preventDefault() // this page is not on a phone, so the simulated phone beside it opens the link
    open(address)
  }
  return split(
    'code',
    tile(icon('phone')),
    heading('Go on in your wallet'),
    element(
      'p',
      {},
      'The link holds what the QR code would hold, so there is no code to scan or to compare.',
    ),
    element('a', { class: 'button main', href: address, onclick: follow }, 'Open the wallet app'),
    element('p', { class: 'link' }, element('code', {}, decodeURIComponent(address))),
    button('Cancel', stop, 'quiet'),
    request('What the site asks, as JSON', asked, programs),
  )
}

/** Shown between the two requests for the permit.
 *  @param {{ request: unknown, programs: import('./json.js').Programs }} revocation
 *  @param {() => void} again */
export function revoked(revocation, again) {
  return split(
    'revoked',
    tile(icon('stall')),
    heading('The permit has been revoked'),
    element(
      'p',
      {},
      'Nobody has told the phone, and the card is still on it. Show it again: the phone finds out when it has to prove that the permit counts.',
    ),
    button('Show the permit again', again),
    request('The revocation, as JSON', revocation.request, revocation.programs),
  )
}

/** Shown in the mobile flow, where the wallet returns the user. */
export function away() {
  return split(
    'waiting',
    tile(icon('phone')),
    heading('The wallet is done'),
    element('p', {}, 'On a phone you would still see the wallet. Its button brings you back to this site.'),
  )
}

/** @param {(typed: string) => Promise<string | null>} check
 *  @param {() => void} stop */
export function pairing(check, stop) {
  return split(
    'pairing',
    tile(icon('shield')),
    heading('Type the code shown on the phone'),
    element('p', {}, 'Then we know that it is your phone that scanned our code.'),
    codeForm(check),
    button('Cancel', stop, 'quiet'),
  )
}

function codeForm(check) {
  const input = element('input', {
    id: 'code',
    inputmode: 'numeric',
    autocomplete: 'off',
    maxlength: 4,
    'aria-describedby': 'code-error',
    'data-focus': true,
  })
  const error = element('p', { class: 'error', id: 'code-error', role: 'alert' })
  const submit = async event => {
    event.preventDefault()
    const wrong = await check(input.value.trim()).catch(failure => failure.message)
    error.textContent = wrong ?? ''
    input.setAttribute('aria-invalid', String(wrong !== null))
    if (wrong) input.select()
  }
  return element(
    'form',
    { onsubmit: submit },
    element('label', { for: 'code' }, 'Four digits'),
    element('div', { class: 'row' }, input, element('button', { class: 'main' }, 'Confirm')),
    error,
  )
}

/** @param {{ link: number }} session number in its chain; from 2 on it is a later session
 *  @param {() => void} stop */
export function connected({ link: number }, stop) {
  return split(
    'waiting',
    tile(element('div', { class: 'pulse' }), icon('phone')),
    heading(number > 1 ? 'One more question on your phone' : 'Your phone has the question'),
    element(
      'p',
      {},
      number > 1
        ? 'The first session has succeeded, and the second one follows without another scan.'
        : 'Nothing has been shared yet. You decide on the phone.',
    ),
    button('Cancel', stop, 'quiet'),
  )
}
