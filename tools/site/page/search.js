/** Searches the text of all sections. The index is loaded when the field gets the focus. */
const MAX_FOUND = 20
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

function resultItem({ page, heading, about, place }) {
  const item = document.createElement('li')
  const link = element('a', heading === page ? page : `${page}: ${heading}`)
  link.href = `${siteTop}/${place}`
  item.append(link, element('span', about))
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
