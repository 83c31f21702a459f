/** A large drawing in a frame that scrolls: it can be zoomed, fitted and dragged, and a map shows which part is in sight. The documentation site uses it too.
 *  @module */

const STEP = 1.25
const SMALLEST = 0.15
const LARGEST = 3
/** The least scale at first: the smallest text of a chart has 11 px. */
const READABLE = 0.9

export class View {
  #frame
  #drawing = null
  #natural = { width: 1, height: 1 }
  #scale = 1
  /** the part that stays in sight; null: none */
  #anchor = null
  #map = document.createElement('div')
  #window = document.createElement('div')

  /** @param {HTMLElement} frame it scrolls, and its parent gets the buttons and the map */
  constructor(frame) {
    this.#frame = frame
    const tools = document.createElement('div')
    tools.className = 'view-tools'
    tools.append(
      viewButton('−', 'Zoom out', () => this.zoom(1 / STEP)),
      viewButton('+', 'Zoom in', () => this.zoom(STEP)),
      viewButton('Fit', 'Show the whole chart', () => this.fit()),
    )
    this.#map.className = 'view-map'
    this.#map.setAttribute('aria-hidden', 'true')
    this.#window.className = 'view-window'
    frame.before(tools)
    frame.after(this.#map)
    frame.addEventListener('scroll', () => this.#showWindow())
    frame.addEventListener('pointerdown', event => this.#drag(event))
    frame.addEventListener('wheel', event => this.#turn(event), { passive: false })
    this.#map.addEventListener('pointerdown', event => this.#jump(event))
    this.#map.addEventListener('pointermove', event => event.buttons === 1 && this.#jump(event))
    new ResizeObserver(() => this.#resized()).observe(frame)
  }

  /** @param {Element} drawing
   *  @param {{ width: number, height: number }} natural its size at scale 1, in px
   *  @param {Element} thumbnail the same drawing, small
   *  @param {{ x: number, y: number }} start the point that is in the middle at first, in px at scale 1 */
  show(drawing, natural, thumbnail, start) {
    this.#drawing = drawing
    this.#natural = natural
    this.#anchor = null
    this.#frame.replaceChildren(drawing)
    this.#map.replaceChildren(thumbnail, this.#window)
    this.#setScale(Math.max(READABLE, this.#frame.clientWidth / natural.width))
    this.#frame.scrollLeft = start.x * this.#scale - this.#frame.clientWidth / 2
    this.#frame.scrollTop = start.y * this.#scale - this.#frame.clientHeight / 2
  }

  /** Brings a part to the middle. It stays in sight when the scale or the frame changes.
   *  @param {Element | null} part */
  keepInSight(part) {
    this.#anchor = part
    this.#centre()
  }

  /** @param {number} factor */
  zoom(factor) {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.#frame
    const before = this.#scale
    this.#setScale(before * factor)
    const real = this.#scale / before
    this.#frame.scrollLeft = (scrollLeft + clientWidth / 2) * real - clientWidth / 2
    this.#frame.scrollTop = (scrollTop + clientHeight / 2) * real - clientHeight / 2
    this.#centre()
  }

  /** Shows the whole drawing. */
  fit() {
    const { width, height } = this.#natural
    const { maxHeight } = getComputedStyle(this.#frame)
    const border = this.#frame.offsetHeight - this.#frame.clientHeight
    const most = (Number.parseFloat(maxHeight) || this.#frame.offsetHeight) - border
    this.#setScale(Math.min(this.#frame.clientWidth / width, most / height))
  }

  #setScale(scale) {
    if (this.#drawing === null) return
    this.#scale = Math.min(LARGEST, Math.max(SMALLEST, scale))
    this.#drawing.style.width = `${this.#natural.width * this.#scale}px`
    this.#showWindow()
  }

  #resized() {
    this.#centre()
    this.#showWindow()
  }

  /** The frame alone is scrolled, never the page. */
  #centre() {
    if (this.#anchor === null) return
    const [inner, outer] = [this.#anchor, this.#frame].map(each => each.getBoundingClientRect())
    this.#frame.scrollBy({
      left: inner.left + inner.width / 2 - outer.left - outer.width / 2,
      top: inner.top + inner.height / 2 - outer.top - outer.height / 2,
    })
  }

  #showWindow() {
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = this.#frame
    this.#map.hidden = scrollWidth <= clientWidth + 1 && scrollHeight <= clientHeight + 1
    const percent = (part, whole) => `${(100 * part) / whole}%`
    this.#window.style.left = percent(scrollLeft, scrollWidth)
    this.#window.style.top = percent(scrollTop, scrollHeight)
    this.#window.style.width = percent(clientWidth, scrollWidth)
    this.#window.style.height = percent(clientHeight, scrollHeight)
  }

  /** Fingers scroll the frame without this. */
  #drag({ pointerType, button, pointerId, target }) {
    if (pointerType !== 'mouse' || button !== 0 || target === this.#frame) return
    const frame = this.#frame
    const move = ({ movementX, movementY }) => frame.scrollBy(-movementX, -movementY)
    const end = () => {
      frame.removeEventListener('pointermove', move)
      frame.classList.remove('dragged')
    }
    frame.setPointerCapture(pointerId)
    frame.classList.add('dragged')
    frame.addEventListener('pointermove', move)
    frame.addEventListener('lostpointercapture', end, { once: true })
  }

  /** With Ctrl, which a touchpad sends for two fingers, the wheel zooms. */
  #turn(event) {
    if (!event.ctrlKey) return
    event.preventDefault()
    this.zoom(event.deltaY < 0 ? STEP : 1 / STEP)
  }

  #jump({ clientX, clientY }) {
    const { left, top, width, height } = this.#map.getBoundingClientRect()
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = this.#frame
    this.#frame.scrollLeft = ((clientX - left) / width) * scrollWidth - clientWidth / 2
    this.#frame.scrollTop = ((clientY - top) / height) * scrollHeight - clientHeight / 2
  }
}

function viewButton(label, words, act) {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = 'quiet'
  made.textContent = label
  made.setAttribute('aria-label', words)
  made.addEventListener('click', act)
  return made
}
