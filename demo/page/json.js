/** What is behind a screen: JSON as it went over the wire, and a request as a command for a shell. @module */
import { button, element } from './dom.js'

/** @param {string} label */
export function json(label, value) {
  return element(
    'details',
    { class: 'json' },
    element('summary', {}, label),
    element('pre', { tabindex: 0, 'aria-label': label, role: 'region' }, JSON.stringify(value, null, 2)),
  )
}

/** @param {string} label
 *  @param {string} curl the request, or the first of several, as a command */
export function request(label, value, curl) {
  return element('div', { class: 'request' }, json(label, value), copying(curl))
}

/** Where a browser lets no page write to the clipboard, the command is shown, ready to be copied by hand. */
function copying(curl) {
  const news = element('span', { class: 'copied', role: 'status' })
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(curl)
      news.textContent = 'Copied'
    } catch {
      news.replaceChildren(element('code', {}, curl))
      getSelection().selectAllChildren(news.firstChild)
    }
  }
  return element('p', { class: 'copy' }, button('Copy as curl', copy, 'text'), news)
}
