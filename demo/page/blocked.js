/** The phone while no PIN is accepted, with the remaining time. @module */
import { button, element, heading, icon } from './dom.js'

/** @param {number} seconds
 *  @param {() => void} close */
export function blocked(seconds, close) {
  const endsAt = performance.now() + seconds * 1000
  const left = element('p', { class: 'countdown', role: 'timer' })
  const why = element(
    'p',
    {},
    'The keyshare server takes no PIN now, not even the right one. After each wrong PIN from here on it waits twice as long.',
  )
  const end = () => {
    left.textContent = 'Now you can try again.'
    left.classList.remove('countdown')
    why.textContent = 'One more wrong PIN, and the keyshare server waits twice as long.'
  }
  const screen = element(
    'div',
    { class: 'screen middle blocked' },
    element('span', { class: 'badge bad' }, icon('lock')),
    heading('Too many wrong PINs'),
    left,
    why,
    button('Close', close),
  )
  const tick = () => {
    const seconds = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000))
    if (seconds === 0) return end()
    left.textContent = inWords(seconds)
    if (screen.isConnected || !wasShown) setTimeout(tick, 250)
    wasShown ||= screen.isConnected
  }
  let wasShown = false
  tick()
  return screen
}

function inWords(seconds) {
  const minutes = Math.floor(seconds / 60)
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`
}
