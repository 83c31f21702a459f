/** The path of an actor: kept on the server from the moment at which it is asked for, and played again step by step. @module */
import { button, byId, element, setText } from './dom.js'
import { sequenceOf } from './sequence.js'
import { eventName, moveText, statesAfter, timeText } from './words.js'

/** How long a step is shown when the path plays by itself, in ms. */
const STEP_MS = 1_000

export class Path {
  #send
  #changed
  /** @type {{ first: import('./words.js').Actor, steps: import('./words.js').Step[], isCut: boolean } | null} */
  #path = null
  #id = ''
  /** null: the actor is shown as it is now */
  #at = null
  #timer = 0

  /** @param {(message: object) => void} send
   *  @param {() => void} changed what is to be lit is something else */
  constructor(send, changed) {
    this.#send = send
    this.#changed = changed
  }

  /** @param {string} id
   *  @param {boolean} isKept */
  choose(id, isKept) {
    this.#stop()
    this.#id = id
    this.#path = null
    if (isKept) this.#send({ type: 'path', id })
    this.#show()
  }

  /** @param {{ id: string, path: object | null }} message */
  set({ id, path }) {
    if (id !== this.#id) return
    this.#path = path
    if (path === null) this.#stop()
    this.#show()
  }

  /** @param {import('./words.js').Step} step */
  add(step) {
    if (step.id !== this.#path?.first.id || this.#path.isCut || this.#has(step)) return
    this.#path.steps.push(step)
    this.#show()
  }

  /** A step that was made before the path was read may come after it. */
  #has({ actor }) {
    const { first, steps } = this.#path
    const end = steps.length > 0 ? steps.at(-1).actor : first
    return end === null || (actor !== null && actor.version <= end.version)
  }

  /** @returns the states to light in place of the current ones; null: none */
  get shown() {
    if (this.#path === null || this.#at === null) return null
    const { first, steps } = this.#path
    if (this.#at === 0) return { states: first.states, edges: [] }
    const step = steps[this.#at - 1]
    return { states: statesAfter(step), edges: step.edges }
  }

  #go(at) {
    this.#at = at === null ? null : Math.max(0, Math.min(at, this.#path.steps.length))
    this.#show()
    this.#changed()
  }

  #play() {
    clearInterval(this.#timer)
    this.#go(0)
    this.#timer = setInterval(() => {
      if (this.#at === null || this.#at >= this.#path.steps.length) clearInterval(this.#timer)
      else this.#go(this.#at + 1)
    }, STEP_MS)
  }

  #stop() {
    clearInterval(this.#timer)
    this.#at = null
  }

  #show() {
    const place = byId('path')
    if (this.#id === '') return place.replaceChildren()
    const wanted = this.#path === null ? 'offer' : 'player'
    if (place.dataset.shown !== wanted + this.#id) {
      place.dataset.shown = wanted + this.#id
      place.replaceChildren(...(this.#path === null ? this.#offer() : this.#player()))
    }
    if (this.#path !== null) this.#fill()
  }

  #offer() {
    const keep = () => this.#send({ type: 'keep', id: this.#id, isOn: true })
    return [
      button('Keep its path', keep),
      element('small', {}, 'Its events from now on, with times and without contents, to be played again.'),
    ]
  }

  #player() {
    const by = step => () => {
      clearInterval(this.#timer)
      this.#go((this.#at ?? this.#path.steps.length) + step)
    }
    const slide = ({ target }) => {
      clearInterval(this.#timer)
      this.#go(Number(target.value))
    }
    return [
      element(
        'div',
        { class: 'row' },
        button('Play', () => this.#play()),
        button('Step back', by(-1)),
        button('Step on', by(1)),
        button('Now', () => {
          this.#stop()
          this.#go(null)
        }),
        button('Forget the path', () => this.#send({ type: 'keep', id: this.#id, isOn: false })),
      ),
      element('input', {
        type: 'range',
        id: 'step',
        min: 0,
        value: 0,
        'aria-label': 'Step of the path',
        oninput: slide,
      }),
      element('p', { id: 'step-text', role: 'status' }),
      element(
        'details',
        { id: 'sequence', ontoggle: () => this.#drawSequence() },
        element('summary', {}, 'Sequence diagram'),
      ),
    ]
  }

  #fill() {
    const { steps, isCut } = this.#path
    const at = this.#at ?? steps.length
    byId('step').max = steps.length
    byId('step').value = at
    const cut = isCut ? ', and more that were not kept' : ''
    const count = `${steps.length} ${steps.length === 1 ? 'step is' : 'steps are'} kept${cut}`
    setText(
      byId('step-text'),
      this.#at === null
        ? `${count}. The chart shows how it is now.`
        : `Step ${at} of ${steps.length}: ${this.#told(at)}`,
    )
    this.#drawSequence()
  }

  /** Drawn only when it is open. */
  #drawSequence() {
    const place = byId('sequence')
    place.querySelector('svg')?.remove()
    if (!place.open || this.#path === null) return
    const choose = at => {
      clearInterval(this.#timer)
      this.#go(at)
    }
    place.append(sequenceOf(this.#path, this.#at ?? 0, choose))
  }

  #told(at) {
    if (at === 0) return 'the beginning of the path.'
    const step = this.#path.steps[at - 1]
    return `${timeText(step.event.fields.at)} ${eventName(step.event.type)}, ${moveText(step)}`
  }
}
