/** Starts the guide and the two sides of the page. @module */
import { offerOwnPhone } from './own-phone.js'
import { home, openLink, refreshCards, settled, setUpPin, startPhone } from './phone.js'
import { leave, offer, pointerOnScreen, showReturned, watchSites } from './site.js'
import { beginAgain, chosen, nextStep, ownPhone, refresh, select, startTour } from './tour.js'

const theme = document.getElementById('theme')
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

/** The actions of a web site outside its own screen. */
const guide = {
  again: startStep,
  goTo(step) {
    select(step)
    startStep()
  },
  home,
  openLink,
  setUpPin,
  async ended(isDone) {
    if (isDone) await settled() // issued cards are on the phone after this
    await Promise.all([refresh(), refreshCards()])
  },
}

/** Shows both sides at the beginning of the chosen step. */
function startStep() {
  offer(chosen(), guide)
  home()
}

function isDark() {
  return (document.documentElement.dataset.theme ?? (systemIsDark.matches ? 'dark' : 'light')) === 'dark'
}

function nameTheme() {
  theme.textContent = isDark() ? 'Light theme' : 'Dark theme'
}

/** Marks the link to a side that has a new screen but is scrolled out of view. */
function markNews({ detail: { side, isNews } }) {
  const link = document.querySelector(`.sides [data-side="${side}"]`)
  const { top, bottom } = document.getElementById(side).getBoundingClientRect()
  link.classList.toggle('news', isNews && (bottom < 120 || top > innerHeight - 120))
}

/** The phone may now have cards that a web site needed. */
async function cardsChanged() {
  await Promise.all([refresh(), refreshCards()])
  if (document.querySelector('#site-screen .offer')) offer(chosen(), guide)
}

async function restart() {
  await beginAgain()
  await refreshCards()
  guide.goTo('cards')
}

addEventListener('pagehide', leave)
document.addEventListener('screen', markNews)
document.querySelector('.sides').addEventListener('click', event => event.target.classList.remove('news'))
systemIsDark.addEventListener('change', nameTheme)
theme.addEventListener('click', () => {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark'
  nameTheme()
})
nameTheme()

// set if the wallet returned its user to this page (`clientReturnUrl`)
const opened = new URLSearchParams(location.search)
const returned = opened.get('back')
// set if the provider's sign-in page opened the wallet
const pointer = opened.get('session')
history.replaceState(null, '', '/')
await refresh()
select(returned !== null ? 'mobile' : pointer !== null ? 'sites' : (nextStep() ?? 'cards'))
startTour({ choose: startStep, restart })
offer(chosen(), guide)
offerOwnPhone(ownPhone())
await startPhone(pointerOnScreen, cardsChanged)
if (pointer !== null) {
  void watchSites(guide)
  await openLink(pointer)
}
if (returned !== null) await showReturned(returned, guide)
