/** The comparison of two logins on the page of the tour. @module */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { site } from './browser.ts'

/** The visible part of the proofs, and the JSON of both. */
export async function expectTwoProofs(page: Page): Promise<void> {
  const patterns = await site(page)
    .getByRole('img', { name: /^Pattern/ })
    .all()
  const drawn = await Promise.all(patterns.map(pattern => pattern.innerHTML()))
  assert.equal([drawn.length, new Set(drawn).size], [2, 2])
  const first = await jsonOf(page, 'First login, as JSON')
  const second = await jsonOf(page, 'Second login, as JSON')
  assert.equal(first?.a_disclosed, second?.a_disclosed)
  for (const number of ['A', 'c', 'e_response', 'v_response'] as const)
    assert.is.not(first?.[number], second?.[number])
}

type Proof = { readonly [name in 'A' | 'c' | 'e_response' | 'v_response' | 'a_disclosed']: unknown }

async function jsonOf(page: Page, label: string): Promise<Proof | undefined> {
  await site(page).getByText(label).click()
  const text = await site(page).getByRole('region', { name: label }).innerText()
  const message: { readonly proofs: readonly Proof[] } = JSON.parse(text)
  return message.proofs[0]
}
