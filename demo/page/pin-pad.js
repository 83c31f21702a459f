/** The PIN pad on the phone: a field that accepts digits from any keyboard, and ten keys to tap. @module */
import { button, element, icon } from './dom.js'

const DIGITS = 5
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '', '0']

/** @param {{ title: (Node | string)[], hint?: string, problem?: string, action?: string }} words
 *  @param {(pin: string) => void} enter
 *  @param {() => void} cancel */
export function pinPad({ title, hint, problem, action = 'OK' }, enter, cancel) {
  const field = element('input', {
    id: 'pin-field',
    type: 'password',
    inputmode: 'none', // the pad below has the keys
    autocomplete: 'off',
    maxlength: DIGITS,
    'aria-labelledby': 'pin-title',
    'aria-describedby': 'pin-hint pin-problem',
    'data-focus': true,
    oninput: () => {
      field.value = field.value.replace(/[^0-9]/g, '') // removes letters, which would be shown like digits
    },
  })
  const trouble = element('p', { class: 'note', id: 'pin-problem', role: 'alert' }, problem)
  const tell = words => {
    trouble.textContent = words
    trouble.hidden = words === ''
  }
  tell(problem ?? '')
  const type = digit => {
    if (field.value.length < DIGITS) field.value += digit
  }
  const submit = event => {
    event.preventDefault()
    const pin = field.value
    if (/^[0-9]{5}$/.test(pin)) return enter(pin)
    tell(`A PIN has ${DIGITS} digits.`)
    field.focus()
  }
  return element(
    'form',
    { class: 'screen pad', onsubmit: submit },
    icon('lock'),
    element('h3', { id: 'pin-title' }, ...title),
    element('p', { class: 'hint', id: 'pin-hint' }, hint),
    field,
    trouble,
    keys(type, () => {
      field.value = field.value.slice(0, -1)
    }),
    element(
      'div',
      { class: 'actions' },
      button('Cancel', cancel, 'quiet'),
      element('button', { class: 'main' }, action),
    ),
  )
}

function keys(type, deleteLast) {
  const key = digit => (digit === '' ? element('span') : button(digit, () => type(digit), 'key'))
  const back = element(
    'button',
    { type: 'button', class: 'key', 'aria-label': 'Delete the last digit', onclick: deleteLast },
    icon('back'),
  )
  return element('div', { class: 'keys', role: 'group', 'aria-label': 'Digits' }, ...KEYS.map(key), back)
}

/** A sentence about the remaining tries.
 *  @param {number | null} triesLeft null: no PIN was wrong */
export function wrongPin(triesLeft) {
  if (triesLeft === null) return undefined
  return `Wrong PIN. ${triesLeft === 1 ? 'One more try' : `${triesLeft} more tries`}, then you have to wait.`
}
