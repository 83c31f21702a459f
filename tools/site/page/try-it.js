/** Adds a form to each endpoint of the page. It calls the endpoint at the server that the reader names, and shows the answer. */
const tryPart = document.getElementById('try')
/** values of parameters that an answer gave, by name */
const known = new Map()

function made(name, text = '', properties = {}) {
  return Object.assign(document.createElement(name), { textContent: text }, properties)
}

/** A field with its label. */
function labelled(label, properties, name = 'input') {
  const part = made('label', label)
  const field = made(name, '', { spellcheck: false, autocomplete: 'off', ...properties })
  part.append(field)
  return { part, field }
}

const server = labelled('Server', { value: tryPart.dataset.server, type: 'url' })
const authorization = labelled('Authorization', { placeholder: 'none' })
const fields = made('form', '', { className: 'try' })
fields.append(server.part, authorization.part)
fields.addEventListener('submit', event => event.preventDefault())
tryPart.append(fields)
tryPart.hidden = false

/** The example of the body; null if the endpoint takes none. */
function bodyOf(endpoint) {
  const heading = [...endpoint.querySelectorAll('h3')].find(each => each.textContent === 'Body')
  let next = heading?.nextElementSibling ?? null
  while (next !== null && next.tagName !== 'PRE' && next.tagName !== 'H3') next = next.nextElementSibling
  if (heading === undefined) return null
  return next?.tagName === 'PRE' ? next.textContent : '{}'
}

function addForm(endpoint) {
  const method = endpoint.querySelector('summary b').textContent
  const path = endpoint.querySelector('summary code').textContent
  const form = made('form', '', { className: 'try' })
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const { part, field } = labelled(name, { name, required: true, value: known.get(name) ?? '' })
    form.append(part)
    return field
  })
  const example = bodyOf(endpoint)
  const body = example === null ? null : labelled('Body', { value: example, rows: 8 }, 'textarea')
  const answer = made('pre', '', { tabIndex: 0, hidden: true })
  answer.setAttribute('role', 'status')
  form.append(...(body === null ? [] : [body.part]), made('button', 'Try it'), answer)
  form.addEventListener('submit', async event => {
    event.preventDefault()
    const called = path.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(parameters.find(field => field.name === name).value),
    )
    answer.hidden = false
    answer.textContent = await call(method, called, body?.field.value).catch(
      error => `No answer from ${server.field.value}: ${error.message}`,
    )
  })
  endpoint.append(form)
}

/** @returns the status and the body of the answer */
async function call(method, path, body) {
  const headers = {}
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (authorization.field.value !== '') headers.Authorization = authorization.field.value
  const response = await fetch(server.field.value.replace(/\/$/, '') + path, { method, headers, body })
  const text = await response.text()
  return `${response.status}\n${shown(text)}`
}

/** JSON in lines. The token of a new session becomes the value of the other forms. */
function shown(text) {
  let value
  try {
    value = JSON.parse(text)
  } catch {
    return text // a text answer is shown as it came
  }
  if (typeof value?.token === 'string') note('requestorToken', value.token)
  if (typeof value?.sessionPtr?.u === 'string') note('clientToken', value.sessionPtr.u.split('/').at(-1))
  return JSON.stringify(value, null, 2)
}

function note(name, value) {
  known.set(name, value)
  for (const field of document.querySelectorAll(`.try input[name="${name}"]`)) field.value = value
}

/** An event stream has no end, and binary bodies cannot be typed. */
const canTry = ({ textContent }) => !/text\/event-stream|application\/octet-stream/.test(textContent)
for (const endpoint of document.querySelectorAll('main section > details'))
  if (endpoint.querySelector('summary b') && canTry(endpoint))
    endpoint.addEventListener('toggle', () => addForm(endpoint), { once: true })
