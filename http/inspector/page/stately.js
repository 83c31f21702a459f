/** Passes the feed on to the Stately Inspector in a window of its own, as `createBrowserInspector` of @statelyai/inspect does: the window says that it is there, then it
 *  gets each message by `postMessage`. Only the window that was opened, and only its own site, is given anything. @module */
import { byId } from './dom.js'
import { openFeed } from './feed.js'

const ADDRESS = 'https://stately.ai/inspect'
const CONNECTED = '@statelyai.connected'
const DISCONNECTED = '@statelyai.disconnected'
const { origin: SITE } = new URL(ADDRESS)
/** How often the page looks whether the window was closed, in ms. */
const LOOK_MS = 1_000

/** @param {() => string} tokenOf
 *  @param {(words: string) => void} say */
export function offerStately(tokenOf, say) {
  const dialog = byId('opening')
  byId('stately').addEventListener('click', () => dialog.showModal())
  dialog.addEventListener('close', () => {
    const { returnValue } = dialog
    dialog.returnValue = ''
    if (returnValue === 'open') openWindow(tokenOf(), say)
  })
}

function openWindow(token, say) {
  const other = window.open(ADDRESS, 'xstateinspector')
  if (other === null) return say('The browser has not opened the window of the Stately Inspector.')
  let feed = null
  const connect = ({ source, origin, data }) => {
    if (source !== other || origin !== SITE || data?.type !== CONNECTED) return
    feed?.close() // the window was reloaded: the feed starts again
    feed = openFeed('/stately', token)
    feed.addEventListener('message', message => other.postMessage(JSON.parse(message.data), SITE))
  }
  addEventListener('message', connect)
  const looking = setInterval(() => {
    if (!other.closed) return
    clearInterval(looking)
    removeEventListener('message', connect)
    feed?.close()
  }, LOOK_MS)
  addEventListener('pagehide', () => other.postMessage({ type: DISCONNECTED }, SITE))
}
