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

/** @param {keyof typeof OFFERS} scenario */
export function offer(scenario, start) {
  const { title, text, button: label, icon: drawing } = OFFERS[scenario]
  return element(
    'div',
    { class: 'screen offer' },
    element('div', { class: 'picture' }, icon(drawing)),
    element('div', { class: 'words' }, heading(title), element('p', {}, text), button(label, start)),
  )
}

export function starting() {
  return element(
    'div',
    { class: 'screen waiting' },
    heading('Starting a session'),
    element('div', { class: 'pulse' }),
  )
}

export function code(session, stop) {
  return element(
    'div',
    { class: 'screen code' },
    element('img', {
      class: 'qr',
      src: `/demo/shop/qr/${session.id}`,
      alt: 'QR code for the wallet app. On this page, press Scan QR code on the phone.',
      width: 260,
      height: 260,
    }),
    element(
      'div',
      { class: 'words' },
      heading('Scan this code with your phone'),
      element(
        'p',
        {},
        'The phone beside this shop has a button for it. You will see what we ask before anything is shared.',
      ),
      button('Cancel', stop, 'quiet'),
      json('What the shop asked, as JSON', session.request),
    ),
  )
}

/** @param {(typed: string) => Promise<string | null>} check */
export function pairing(check, stop) {
  const input = element('input', {
    id: 'code',
    name: 'code',
    inputmode: 'numeric',
    autocomplete: 'off',
    maxlength: 4,
    required: true,
    pattern: '[0-9]{4}',
    'aria-describedby': 'code-error',
    'data-focus': true,
  })
  const error = element('p', { class: 'error', id: 'code-error', role: 'alert' })
  const submit = async event => {
    event.preventDefault()
    const wrong = await check(input.value.trim()).catch(failure => failure.message)
    error.textContent = wrong ?? ''
    input.toggleAttribute('aria-invalid', wrong !== null)
    if (wrong) input.select()
  }
  return element(
    'form',
    { class: 'screen pairing', novalidate: true, onsubmit: submit },
    heading('Type the code shown on the phone'),
    element('p', {}, 'This makes sure that it is your phone that scanned the code, and nobody else’s.'),
    element('label', { for: 'code' }, 'Four digits'),
    element('div', { class: 'row' }, input, element('button', { class: 'main' }, 'Confirm')),
    error,
    button('Cancel', stop, 'quiet'),
  )
}

export function connected(stop) {
  return element(
    'div',
    { class: 'screen waiting' },
    heading('Your phone has the question'),
    element('p', {}, 'Nothing has been shared yet. You decide on the phone.'),
    element('div', { class: 'pulse' }),
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
    json('The result, as JSON', answer.result),
    json('What the shop asked, as JSON', request),
    button('Start again', startAgain),
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

function hidden(answer) {
  if (answer.hidden.length === 0) return null
  return element(
    'section',
    { class: 'hidden' },
    element('h4', {}, icon('hidden'), 'It does not see'),
    element(
      'ul',
      {},
      ...answer.hidden.flatMap(({ names, card }) =>
        names.map(name => element('li', {}, name, element('small', {}, card))),
      ),
    ),
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
