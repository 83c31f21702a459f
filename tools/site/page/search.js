/** Searches the text of all sections. The index is loaded when the field gets the focus. */
const MAX_FOUND = 20
/** Maximum number of characters of a section in a result, and of those before the first found word. */
const MAX_ABOUT = 160
const BEFORE = 60
const siteTop = document.documentElement.dataset.top
const field = document.getElementById('words')
const found = document.getElementById('found')
let index = null

function loadIndex() {
  if (document.querySelector('script[data-index]')) return
  const script = document.createElement('script')
  script.src = `${siteTop}/search-index.js`
  script.dataset.index = ''
  script.onload = () => {
    index = MiniSearch.loadJSON(SEARCH_INDEX, SEARCH_OPTIONS)
    show()
  }
  document.head.append(script)
}

function element(name, text) {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

/** Adds a text to an element, with every found word marked. */
function addMarked(place, text, found) {
  for (const [i, piece] of text.split(found).entries())
    place.append(i % 2 === 1 ? element('mark', piece) : piece)
}

/** The text around the first found word. */
function around(text, found) {
  const at = Math.max(0, text.search(found) - BEFORE)
  const from = at === 0 ? 0 : text.indexOf(' ', at) + 1
  return `${from === 0 ? '' : '… '}${text.slice(from, from + MAX_ABOUT)}`
}

function resultItem({ page, heading, text, place, terms }) {
  const words = terms.map(term => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const found = new RegExp(`(${words})`, 'i')
  const [item, link, about] = ['li', 'a', 'span'].map(name => element(name, ''))
  addMarked(link, heading === page ? page : `${page}: ${heading}`, found)
  addMarked(about, around(text, found), found)
  // the browser marks the word on the page, if it knows how
  const mark = 'fragmentDirective' in document ? `:~:text=${encodeURIComponent(terms[0])}` : ''
  link.href = `${siteTop}/${place}${mark}`
  item.append(link, about)
  return item
}

function show() {
  const words = field.value.trim()
  found.replaceChildren()
  if (words === '' || index === null) return
  const results = index.search(words, {
    prefix: true,
    combineWith: 'AND',
    boost: { page: 2, heading: 3 },
  })
  results.sort((a, b) => a.isReference - b.isReference || b.score - a.score)
  const list = document.createElement('ul')
  list.append(...results.slice(0, MAX_FOUND).map(resultItem))
  const count = results.length === 1 ? '1 section' : `${results.length} sections`
  const shown = results.length > MAX_FOUND ? `${count}, the first ${MAX_FOUND} here` : count
  found.append(element('p', shown), list)
}

field.form.hidden = false
field.addEventListener('focus', loadIndex)
field.addEventListener('input', show)
field.form.addEventListener('submit', event => {
  event.preventDefault()
  found.querySelector('a')?.click()
})
field.form.addEventListener('keydown', event => {
  if (event.key !== 'Escape') return
  field.value = ''
  show()
})
