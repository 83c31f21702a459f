/** Puts the parts of the page together: the messages of the feed, the chosen actor, and the painting of the page. @module */
import { Actors, fits } from './actors.js'
import { Beats } from './beats.js'
import { byId, element, setText } from './dom.js'
import { light, loadDrawings, statusesOf } from './drawing.js'
import { PageFeed } from './feed.js'
import { nameOf } from './find.js'
import { List } from './list.js'
import { Log } from './log.js'
import { Path } from './path.js'
import { offerStately } from './stately.js'
import { factText, forgotten, isForgotten, placeText, shortName, statesText } from './words.js'

/** The shortest time between two paintings, in ms: however much comes, the page stays calm. */
const CALM_MS = 200
/** How long the filters must stay unchanged before the lists are read again, in ms. */
const SETTLED_MS = 300
/** How often ages are counted on, in ms. */
const TICK_MS = 1_000
/** How often the lists are read again, in ms: another server on the same store may have moved an actor, and a filter or the bound may have kept a step away. */
const ANEW_MS = 10_000
const NAMES = { session: 'Sessions', delivery: 'Deliveries', login: 'Accounts' }

const actors = new Actors()
/** the actors whose paths are kept, as they were last seen, by their ids */
const kept = new Map()
const list = new List(choose)
const log = new Log(choose)
const path = new Path(
  message => feed.send(message),
  () => paintChosen(),
)
const beats = new Beats(() => paintChosen())
const filters = byId('filters').elements
let charts = []
/** the clock of the server is that far ahead of the one of the page */
let ahead = 0
let chosen = ''
/** how the chosen actor was last seen, also when no list has it any more */
let lastKnown = null
let isPainting = false
let settling = 0

const feed = new PageFeed(
  location.hash.slice(1),
  hear,
  (words, isOver) => {
    setText(byId('connection'), words)
    byId('connection').classList.toggle('bad', isOver)
    byId('again').hidden = !isOver
  },
  () => askForToken('The token is another one'),
)

const HEARD = {
  async 'svc.hello'(message) {
    ahead = message.now - performance.now()
    charts = message.charts.toSorted(deliveriesLast)
    actors.begin(message.bounds.listed)
    kept.clear()
    for (const actor of message.kept) kept.set(actor.id, actor)
    setText(byId('connection'), 'Connected. What you see is committed.')
    sendFilter()
    if (chosen !== '') feed.send({ type: 'choose', id: chosen })
    if (kept.has(chosen))
      feed.send({ type: 'path', id: chosen }) // it has gone on meanwhile
    else path.set({ id: chosen, path: null })
    await loadDrawings(charts)
    offerChoices()
  },
  'svc.list'(message) {
    actors.setList(message)
    const now = actors.get(chosen)
    if (now) seeChosen(now)
  },
  'svc.step'(step) {
    see(step.id, step.actor)
    log.add(step)
    path.add(step)
    if (step.id !== chosen) return
    lastKnown = step.actor ?? (lastKnown && forgotten(lastKnown))
    beats.add(step)
  },
  'svc.changed'({ id, actor }) {
    see(id, actor, actor?.version === 1)
    if (id === chosen) seeChosen(actor)
    if (actor === null) return
    if (actor.chart !== 'session' || actor.version !== 1 || !byId('follow').checked) return
    follow(id)
    if (scrollY === 0) showChosen() // a page that its reader has scrolled stays there
  },
  'svc.skipped'({ count }) {
    byId('skipped').hidden = false
    byId('skipped').replaceChildren(
      `${count} steps were left out, because more came than this page is sent in a second: the list is a sample. `,
      element('button', { type: 'button', class: 'plain', onclick: readLists }, 'Read the lists again'),
    )
  },
  'svc.found'({ id, actor }) {
    see(id, actor)
    if (id === chosen) return seeChosen(actor)
    if (actor) return choose(id)
    setText(byId('find-hint'), 'There is no such actor, neither in memory nor in the store.')
  },
  'svc.path'(message) {
    if (message.path === null) kept.delete(message.id)
    else kept.set(message.id, kept.get(message.id) ?? endOf(message.path))
    path.set(message)
  },
}

/** The first chart is shown until an actor is chosen: sessions or accounts. */
function deliveriesLast(one, other) {
  return Number(one === 'delivery') - Number(other === 'delivery')
}

/** @param actor null: it is stored no longer */
function see(id, actor, isNew = false) {
  if (actor) actors.put(actor, isNew)
  else actors.forget(id)
  const before = kept.get(id)
  if (before) kept.set(id, actor ?? forgotten(before))
}

/** The actor of a path at the time when the path was read. */
function endOf({ first, steps }) {
  const last = steps.at(-1)
  return last === undefined ? first : (last.actor ?? forgotten(first))
}

function hear(message) {
  HEARD[message.type]?.(message)
  paintSoon()
}

function paintSoon() {
  if (isPainting) return
  isPainting = true
  setTimeout(() => {
    isPainting = false
    paint()
  }, CALM_MS)
}

function paint() {
  const now = performance.now() + ahead
  const isFiltered = Object.values(filter()).some(value => value !== '')
  const nobody = isFiltered ? 'No actor on the lists fits the filter.' : 'There is no actor yet.'
  list.show(listed(), { now, chosen, kept }, nobody)
  log.show(byId('only').checked ? chosen : '')
  paintCounts()
  paintChosen()
}

/** An actor whose path is kept stays on the list, even if it is no longer stored. */
function listed() {
  const unlisted = [...kept.values()].filter(({ id }) => !actors.get(id))
  return [...unlisted.filter(actor => fits(actor, filter())), ...actors.chosenBy(filter())]
}

function paintCounts() {
  const counts = charts.map(chart => {
    const [listed, total] = [actors.listed(chart), actors.total(chart)]
    const sample = listed < total ? ` (a sample: the newest ${listed.toLocaleString('en')})` : ''
    return element('span', {}, `${NAMES[chart]}: ${total.toLocaleString('en')}${sample}`)
  })
  if (byId('counts').textContent !== counts.map(node => node.textContent).join(''))
    byId('counts').replaceChildren(...counts)
}

function paintChosen() {
  const actor = actors.get(chosen) ?? lastKnown
  if (!actor) return light(filters.chart.value || charts[0], [], [])
  const { states, edges } = path.shown ?? beats.lit ?? { states: actor.states, edges: [] }
  setText(byId('chosen-title'), `${actor.chart} ${shortName(actor.id)}`)
  setText(byId('state'), `${path.shown ? 'In the path: ' : ''}${statesText(states)}`)
  light(actor.chart, states, edges)
  const facts = {
    'internal name': actor.id,
    commits: actor.version,
    place: placeText(actor),
    ...actor.facts,
  }
  const rows = Object.entries(facts).flatMap(([name, value]) => [
    element('dt', {}, name),
    element('dd', {}, factText(name, value)),
  ])
  if (byId('facts').textContent !== rows.map(node => node.textContent).join(''))
    byId('facts').replaceChildren(...rows)
}

function filter() {
  const { chart, status, requestor } = filters
  return { chart: chart.value, status: status.value, requestor: requestor.value }
}

function sendFilter() {
  feed.send({ type: 'filter', ...filter() })
}

function readLists() {
  byId('skipped').hidden = true
  feed.send({ type: 'list' })
}

/** @param {string} id */
function choose(id) {
  byId('follow').checked = false
  follow(id)
  showChosen()
}

/** On a narrow window, the chart is far from the list and from the events. */
function showChosen() {
  const { top } = byId('chosen').getBoundingClientRect()
  if (top < 0 || top > innerHeight / 2) byId('chosen').scrollIntoView()
}

function follow(id) {
  chosen = id
  lastKnown = actors.get(id) ?? kept.get(id) ?? null
  beats.begin(lastKnown?.states ?? null)
  feed.send({ type: 'choose', id })
  path.choose(id, kept.has(id))
  paintSoon()
}

/** The state of the chosen actor from a message other than its steps, which may have arrived earlier.
 *  @param actor null: it is stored no longer */
function seeChosen(actor) {
  const isKnown = actor ? lastKnown?.version >= actor.version : !lastKnown || isForgotten(lastKnown)
  if (isKnown) return
  lastKnown = actor ?? forgotten(lastKnown)
  beats.begin(lastKnown.states)
}

function offerChoices() {
  const wanted = filters.chart.value
  const statuses = [...new Set(charts.filter(chart => wanted === '' || chart === wanted).flatMap(statusesOf))]
  setChoices(filters.chart, charts)
  setChoices(
    filters.status,
    statuses.filter(status => status !== 'forgotten'),
  )
}

function setChoices(select, values) {
  const before = select.value
  select.replaceChildren(...['', ...values].map(value => element('option', { value }, value || 'all')))
  select.value = values.includes(before) ? before : ''
}

byId('filters').addEventListener('input', () => {
  offerChoices()
  list.begin()
  sendFilter()
  paint()
  clearTimeout(settling)
  settling = setTimeout(readLists, SETTLED_MS) // actors that another filter hid may have changed meanwhile
})
byId('filters').addEventListener('submit', event => event.preventDefault())
byId('find').addEventListener('submit', async event => {
  event.preventDefault()
  const id = await nameOf(byId('token').value)
  setText(byId('find-hint'), 'A token or a whole pointer. It is hashed in this browser and never sent.')
  if (actors.get(id) ?? kept.get(id)) choose(id)
  else feed.send({ type: 'find', id })
})
for (const id of ['only', 'more', 'pause']) byId(id).addEventListener('click', paint)
byId('again').addEventListener('click', () => feed.openAgain())
setInterval(paintSoon, TICK_MS)
setInterval(() => {
  if (document.hidden) return
  feed.send({ type: 'list' })
  if (chosen !== '') feed.send({ type: 'choose', id: chosen })
}, ANEW_MS)
offerStately(
  () => location.hash.slice(1),
  words => setText(byId('connection'), words),
)
startTheme()
if (location.hash.length > 1) feed.open()
else askForToken('The token is missing')

function askForToken(title) {
  const dialog = byId('opener')
  setText(byId('opener-title'), title)
  dialog.addEventListener('close', () => {
    location.hash = byId('opener-token').value.trim()
    location.reload()
  })
  dialog.addEventListener('cancel', event => event.preventDefault())
  dialog.showModal()
}

function startTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const isDark = () =>
    (document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark'
  const name = () => setText(byId('theme'), isDark() ? 'Light theme' : 'Dark theme')
  dark.addEventListener('change', name)
  byId('theme').addEventListener('click', () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark'
    name()
  })
  name()
}
