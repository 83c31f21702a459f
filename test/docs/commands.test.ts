/** Whoever follows the README and the guides word by word comes to what they say. */
import * as assert from 'uvu/assert'
import { hasChromium, launch } from '../demo/browser.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { newCheckout } from './checkout.ts'
import { readPage } from './markdown.ts'
import { pagesWithCommands, README, textOf } from './pages.ts'
import { newReader } from './reader.ts'
import { visitWith } from './visit.ts'

const Commands = suite('the commands of the README and the guides')
const browser = isMissing('/usr/bin/chromium', hasChromium) ? null : await launch()
const reader = newReader(await newCheckout(), browser && visitWith(browser))
Commands.after(async () => {
  await reader.close()
  await browser?.close()
})

const pages = pagesWithCommands()
Commands('the README comes first, and the guides have commands too', () => {
  assert.is(pages[0], README)
  assert.ok(pages.includes('docs/requestor-guide.md'))
  assert.ok(pages.includes('docs/schemes.md'))
})

for (const page of pages)
  Commands(`${page}: every command runs as it stands, in its order, and prints what the page shows`, () =>
    reader.follow(readPage(page, textOf(page))),
  )
Commands.run()
