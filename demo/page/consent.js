/** The question on the phone: the requestor, the attributes to share, the message to sign or the cards to receive, and choices.
 *
 *  @typedef {{ name: string, value: string | null }} Attribute
 *  @typedef {{ name: string, issuer: string, attributes: Attribute[] }} Card
 *  @typedef {{ cards: Card[] }} Candidate  no cards: share nothing
 *  @typedef {{ candidates: Candidate[], missing: string[], unprovable: string[], isRepeated: boolean }} Item  one item of the request; no
 *    candidates: the wallet cannot answer; unprovable: why matching cards cannot be used; repeated: from the previous session
 *  @typedef {{ host: string, kind: 'disclosing' | 'signing' | 'issuing', items: Item[], message: string | null,
 *    offers: (Card & { expiresAtSec: number, isRevocable: boolean })[], canAnswer: boolean }} Question
 *  @module */
import { button, element, heading, icon } from './dom.js'

const ASKS = { disclosing: ' asks you to share', signing: ' asks you to sign', issuing: ' has cards for you' }
const ANSWER = { disclosing: 'Share', signing: 'Sign', issuing: 'Receive' }
/** Heading above the attributes, in sessions that sign or issue. */
const JOINED = { signing: 'Signed together with', issuing: 'If you share' }

/** @param {Question} question
 *  @param {(choices: number[]) => void} share
 *  @param {() => void} refuse */
export function consent({ host, kind, items, message, offers, canAnswer }, share, refuse) {
  const submit = event => {
    event.preventDefault()
    const form = new FormData(event.target)
    share(items.map((_, i) => Number(form.get(`item-${i}`))))
  }
  const rows = items.map((asked, i) => ({ row: item(asked, i), isRepeated: asked.isRepeated }))
  const fresh = rows.filter(({ isRepeated }) => !isRepeated).map(({ row }) => row)
  const repeated = rows.filter(({ isRepeated }) => isRepeated).map(({ row }) => row)
  const label = kind === 'issuing' && fresh.length > 0 ? 'Share and receive' : ANSWER[kind]
  return element(
    'form',
    { class: 'screen consent', onsubmit: submit },
    heading(
      element('span', { class: 'host' }, icon('globe'), host),
      canAnswer ? asks(kind, offers) : lacks(items),
    ),
    element(
      'div',
      { class: 'items' },
      message !== null && element('blockquote', { class: 'message', tabindex: 0 }, message),
      ...offers.map(offer),
      fresh.length > 0 && kind !== 'disclosing' && element('h4', {}, JOINED[kind]),
      ...fresh,
      repeated.length > 0 && element('h4', {}, 'Shown again, by the same wallet'),
      ...repeated,
    ),
    element(
      'div',
      { class: 'actions' },
      button(canAnswer ? 'Refuse' : 'Close', refuse, 'quiet'),
      canAnswer && element('button', { class: 'main' }, label),
    ),
  )
}

function lacks(items) {
  const isUnprovable = items.some(
    ({ candidates, unprovable }) => candidates.length === 0 && unprovable.length > 0,
  )
  return isUnprovable ? ' asks for a card that still counts' : ' asks for something you do not have'
}

function asks(kind, offers) {
  return kind === 'issuing' && offers.length === 1 ? ' has a card for you' : ASKS[kind]
}

/** @param {Card & { expiresAtSec: number, isRevocable: boolean }} offered */
function offer({ name, issuer, attributes, expiresAtSec, isRevocable }) {
  const until = new Date(expiresAtSec * 1000).toLocaleDateString('en-GB', { dateStyle: 'long' })
  return element(
    'div',
    { class: 'item offered', 'data-issuer': issuer },
    element('strong', { class: 'title' }, name),
    element(
      'dl',
      {},
      ...attributes.map(attribute =>
        element(
          'div',
          {},
          element('dt', {}, attribute.name),
          element('dd', {}, attribute.value ?? element('em', {}, 'made by both of you')),
        ),
      ),
    ),
    element('small', {}, `${issuer}, until ${until}${isRevocable ? ' or until it is revoked' : ''}`),
  )
}

/** @param {Item} asked
 *  @param {number} index */
function item({ candidates, missing, unprovable }, index) {
  const why = unprovable.map(sentence => element('p', { class: 'why' }, sentence))
  if (candidates.length === 0) {
    const absent = element('p', {}, `Not in this wallet: ${missing.join(' or ')}`)
    return element('div', { class: 'item missing' }, ...(why.length > 0 ? why : [absent]))
  }
  if (candidates.length === 1)
    return element(
      'div',
      { class: 'item' },
      ...content(candidates[0]),
      ...why,
      element('input', { type: 'hidden', name: `item-${index}`, value: 0 }),
    )
  const isOptional = candidates.some(({ cards }) => cards.length === 0)
  return element(
    'fieldset',
    { class: 'item' },
    element('legend', {}, isOptional ? 'Only if you like' : 'Choose one'),
    ...candidates.map((candidate, i) =>
      element(
        'label',
        { class: 'candidate' },
        element('input', { type: 'radio', name: `item-${index}`, value: i, checked: i === 0 }),
        element('span', {}, ...content(candidate)),
      ),
    ),
    ...why,
  )
}

/** @param {Candidate} candidate */
function content({ cards }) {
  if (cards.length === 0) return [element('strong', {}, 'Share nothing here')]
  return cards.map(({ name, issuer, attributes }) =>
    element(
      'span',
      { class: 'from', 'data-issuer': issuer },
      ...attributes.map(attribute =>
        element(
          'span',
          { class: 'attribute' },
          element('span', { class: 'name' }, attribute.name),
          element('strong', {}, attribute.value ?? 'empty'),
        ),
      ),
      element('small', {}, icon('card'), `${name}, ${issuer}`),
    ),
  )
}
