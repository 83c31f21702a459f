/** Whoever follows the README and the guides word by word comes to what they say. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import * as assert from 'uvu/assert'
import { hasChromium, launch } from '../demo/browser.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { newCheckout } from './checkout.ts'
import { readPage } from './markdown.ts'
import { pagesWithCommands, README, textOf } from './pages.ts'
import { newReader, type Reader } from './reader.ts'
import { visitWith } from './visit.ts'

/** What the pages ask their reader to have. */
const TOOLS = ['bash', 'curl', 'openssl']
const hasTool = (tool: string): boolean =>
  process.env.PATH?.split(delimiter).some(folder => existsSync(join(folder, tool))) ?? false

const Commands = suite('the commands of the README and the guides')
const lacking = TOOLS.filter(tool => isMissing(tool, hasTool(tool)))
const test = lacking.length > 0 ? Commands.skip : Commands
const browser = isMissing('/usr/bin/chromium', hasChromium) ? null : await launch()
let reader: Reader | undefined
Commands.after(async () => {
  await reader?.close()
  await browser?.close()
})

const pages = pagesWithCommands()
Commands('the README comes first, and the guides have commands too', () => {
  const guides = ['requestor-guide', 'operator-guide', 'schemes', 'library'].map(name => `docs/${name}.md`)
  assert.equal(pages, [README, ...guides])
})

for (const page of pages)
  test(`${page}: every command runs as it stands, in its order, and prints what the page shows`, async () => {
    reader ??= newReader(await newCheckout(), browser && visitWith(browser))
    await reader.follow(readPage(page, textOf(page)))
  })
Commands.run()
