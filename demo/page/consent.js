/** The question on the phone: who asks, what would be shared, and a choice wherever there is one.
 *
 *  @typedef {{ name: string, value: string | null }} Attribute
 *  @typedef {{ cards: { name: string, issuer: string, attributes: Attribute[] }[] }} Candidate  no cards: share nothing
 *  @typedef {{ candidates: Candidate[], missing: string[] }} Item  one thing that is asked; no candidates: the wallet cannot
 *  @module */
import { button, element, heading, icon } from './dom.js'

/** @param {{ host: string, items: Item[], canAnswer: boolean }} question
 *  @param {(choices: number[]) => void} share
 *  @param {() => void} refuse */
export function consent({ host, items, canAnswer }, share, refuse) {
  const submit = event => {
    event.preventDefault()
    const form = new FormData(event.target)
    share(items.map((_, i) => Number(form.get(`item-${i}`))))
  }
  return element(
    'form',
    { class: 'screen consent', onsubmit: submit },
    heading(
      element('span', { class: 'host' }, icon('globe'), host),
      canAnswer ? ' asks you to share' : ' asks for something you do not have',
    ),
    element('div', { class: 'items' }, ...items.map(item)),
    element(
      'div',
      { class: 'actions' },
      button(canAnswer ? 'Refuse' : 'Close', refuse, 'quiet'),
      canAnswer && element('button', { class: 'main' }, 'Share'),
    ),
  )
}

/** @param {Item} asked
 *  @param {number} index */
function item({ candidates, missing }, index) {
  if (candidates.length === 0)
    return element(
      'div',
      { class: 'item missing' },
      element('p', {}, `Not in this wallet: ${missing.join(' or ')}`),
    )
  if (candidates.length === 1)
    return element(
      'div',
      { class: 'item' },
      ...content(candidates[0]),
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
