/** What the web shop shows. @module */
import { button, element, heading, icon } from './dom.js'

const OFFERS = {
  age: {
    icon: 'bottle',
    title: 'Red wine, one bottle',
    text: 'We sell wine to adults only. So we need to know one thing: are you over 18? Your name and date of birth are none of our business.',
    button: 'Prove that you are over 18',
  },
  login: {
    icon: 'person',
    title: 'Log in',
    text: 'Use a student card or your civil registration, whichever you like. There is no password to remember.',
    button: 'Log in with your wallet',
  },
  delivery: {
    icon: 'parcel',
    title: 'Have it delivered',
    text: 'We need a postal code and a house number. Your family name on the label is up to you.',
    button: 'Fill in with your wallet',
  },
}

/** The form that all screens before the result have: a picture beside the words.
 *  @param {string} name
 *  @param {Node} picture
 *  @param {...(Node | null)} words */
function split(name, picture, ...words) {
  return element(
    'div',
    { class: `screen split ${name}` },
    picture,
    element('div', { class: 'words' }, ...words),
  )
}

function tile(...content) {
  return element('div', { class: 'tile' }, ...content)
}

/** @param {keyof typeof OFFERS} scenario
 *  @param {() => void} start */
export function offer(scenario, start) {
  const { title, text, button: label, icon: drawing } = OFFERS[scenario]
  return split('offer', tile(icon(drawing)), heading(title), element('p', {}, text), button(label, start))
}

export function starting() {
  return split(
    'waiting',
    tile(element('div', { class: 'pulse' }), icon('phone')),
    heading('Starting a session'),
  )
}

/** @param {{ id: string, request: unknown }} session
 *  @param {() => void} stop */
export function code({ id, request }, stop) {
  const qr = element('img', {
    class: 'tile',
    src: `/demo/shop/qr/${id}`,
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
    json('What the shop asks, as JSON', request),
    button('Cancel', stop, 'quiet'),
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

/** @param {() => void} stop */
export function connected(stop) {
  return split(
    'waiting',
    tile(element('div', { class: 'pulse' }), icon('phone')),
    heading('Your phone has the question'),
    element('p', {}, 'Nothing has been shared yet. You decide on the phone.'),
    button('Cancel', stop, 'quiet'),
  )
}

/** @param {{ isAccepted: boolean, title: string, text: string, seen: { card: string, name: string, value: string | null }[],
 *    hidden: { card: string, names: string[] }[], result: unknown }} answer */
export function result(answer, request, startAgain) {
  return element(
    'div',
    { class: `screen result ${answer.isAccepted ? 'good' : 'stopped'}` },
    element(
      'div',
      { class: 'verdict' },
      element('span', { class: 'badge' }, icon(answer.isAccepted ? 'check' : 'cross')),
      element('div', {}, heading(answer.title), element('p', {}, answer.text)),
    ),
    element('div', { class: 'told' }, seen(answer), hidden(answer)),
    button('Start again', startAgain),
    json('The result, as JSON', answer.result),
    json('What the shop asked, as JSON', request),
  )
}

function seen(answer) {
  const rows = answer.seen.map(({ name, value, card }) =>
    element(
      'div',
      {},
      element('dt', {}, name, element('small', {}, card)),
      element('dd', {}, value ?? 'left empty'),
    ),
  )
  return element(
    'section',
    { class: 'seen' },
    element('h4', {}, icon('eye'), 'The shop sees'),
    rows.length > 0
      ? element('dl', {}, ...rows)
      : element('p', {}, 'Nothing at all. Not even whether you have the card.'),
  )
}

function hidden({ hidden: cards }) {
  const groups = cards.map(({ names, card }) =>
    element(
      'li',
      {},
      element('ul', {}, ...names.map(name => element('li', {}, name))),
      element('small', {}, card),
    ),
  )
  if (groups.length === 0) return null
  return element(
    'section',
    { class: 'hidden' },
    element('h4', {}, icon('hidden'), 'It does not see'),
    element('ul', {}, ...groups),
  )
}

export function failed(reason, startAgain) {
  return element(
    'div',
    { class: 'screen result stopped' },
    element(
      'div',
      { class: 'verdict' },
      element('span', { class: 'badge' }, icon('cross')),
      element('div', {}, heading('That did not work'), element('p', {}, reason)),
    ),
    button('Start again', startAgain),
  )
}

function json(label, value) {
  return element(
    'details',
    { class: 'json' },
    element('summary', {}, label),
    element('pre', { tabindex: 0, 'aria-label': label, role: 'region' }, JSON.stringify(value, null, 2)),
  )
}
