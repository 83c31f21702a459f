/** Puts the two sides on the page. @module */
import { home, startPhone } from './phone.js'
import { leave, offer, pointerOnScreen } from './shop.js'

const setup = document.getElementById('setup')
const theme = document.getElementById('theme')
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

/** Both sides back to their beginning, with what is set above them. */
function startAgain() {
  const form = new FormData(setup)
  offer({ scenario: String(form.get('scenario')), pairing: form.has('pairing'), startAgain })
  home()
}

function isDark() {
  return (document.documentElement.dataset.theme ?? (systemIsDark.matches ? 'dark' : 'light')) === 'dark'
}

function nameTheme() {
  theme.textContent = isDark() ? 'Light theme' : 'Dark theme'
}

/** On a narrow window one side is out of sight: a mark says that something came there. */
function markNews({ detail: { side } }) {
  const link = document.querySelector(`.sides [data-side="${side}"]`)
  const { top, bottom } = document.getElementById(side).getBoundingClientRect()
  link.classList.toggle('news', bottom < 120 || top > innerHeight - 120)
}

document.getElementById('address').textContent = location.host
setup.addEventListener('change', startAgain)
addEventListener('pagehide', leave)
document.addEventListener('screen', markNews)
document.querySelector('.sides').addEventListener('click', event => event.target.classList.remove('news'))
systemIsDark.addEventListener('change', nameTheme)
theme.addEventListener('click', () => {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark'
  nameTheme()
})
nameTheme()
offer({ scenario: 'age', pairing: false, startAgain })
await startPhone(pointerOnScreen)
