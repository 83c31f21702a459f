/** The data behind a screen: JSON as sent, and a request as a program for a developer's own site.
 *
 *  @typedef {Record<keyof typeof LANGUAGES, string>} Programs
 *  @module */
import { button, element } from './dom.js'

const LANGUAGES = { curl: 'curl', javascript: 'JavaScript', python: 'Python', php: 'PHP' }

/** @param {string} label */
export function json(label, value) {
  return element(
    'details',
    { class: 'json' },
    element('summary', {}, label),
    element('pre', { tabindex: 0, 'aria-label': label, role: 'region' }, JSON.stringify(value, null, 2)),
  )
}

/** Shows a request.
 *  @param {string} label
 *  @param {Programs} programs the request, or the first of several, as programs */
export function request(label, value, programs) {
  return element('div', { class: 'request' }, json(label, value), inOwnSite(programs))
}

/** The last chosen language, on any screen. */
let language = 'curl'

/** @param {Programs} programs */
function inOwnSite(programs) {
  const program = element('pre', { tabindex: 0, role: 'region', 'aria-label': 'Program' })
  const news = element('span', { class: 'copied', role: 'status' })
  const choose = name => {
    language = name
    program.textContent = programs[name]
    news.textContent = ''
  }
  choose(language)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(programs[language])
      news.textContent = 'Copied'
    } catch {
      news.textContent = 'Selected: copy it with your keyboard' // some browsers do not allow pages to write to the clipboard
      getSelection().selectAllChildren(program)
    }
  }
  return element(
    'details',
    { class: 'json own' },
    element('summary', {}, 'Do this in your own site'),
    element(
      'fieldset',
      { class: 'languages' },
      element('legend', { class: 'unseen' }, 'Language'),
      ...Object.entries(LANGUAGES).map(([name, label]) => languageChoice(name, label, choose)),
    ),
    program,
    element('p', { class: 'copy' }, button('Copy', copy, 'quiet'), news),
  )
}

function languageChoice(name, label, choose) {
  const input = element('input', {
    ...{ type: 'radio', name: 'language', value: name, checked: name === language },
    onchange: () => choose(name),
  })
  return element('label', {}, input, element('span', {}, label))
}
