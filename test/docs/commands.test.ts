/** The commands of the README and the guides give the shown results if they are followed word by word. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import * as assert from 'uvu/assert'
import { hasChromium, launch } from '../demo/browser.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { type Checkout, newCheckout } from './checkout.ts'
import { readPage } from './markdown.ts'
import { pagesWithCommands, README, textOf } from './pages.ts'
import { newReader, type Reader } from './reader.ts'
import { openTerminal } from './terminals.ts'
import { visitWith } from './visit.ts'

/** The tools that the pages require. */
const TOOLS = ['bash', 'curl', 'openssl', 'sqlite3', 'python3', 'php']
const hasTool = (tool: string): boolean =>
  process.env.PATH?.split(delimiter).some(folder => existsSync(join(folder, tool))) ?? false

const Commands = suite('the commands of the README and the guides')
const lacking = TOOLS.filter(tool => isMissing(tool, hasTool(tool)))
const test = lacking.length > 0 ? Commands.skip : Commands
const browser = isMissing('/usr/bin/chromium', hasChromium) ? null : await launch()
let checkout: Checkout | undefined
let reader: Reader | undefined
Commands.after(async () => {
  await reader?.close()
  await browser?.close()
})

/** The folder for all files that the pages create. */
const TRY = 'try'
/** Files of the pages that are secret: keys, tokens, wallets and stores. */
const SECRET = /(\.(token|secret|key|sqlite)|\/sk\.pem|\/PrivateKeys\/.*\.xml|\/wallet\.json)$/

function checkoutOfPages(): Checkout {
  if (checkout === undefined) throw new Error('expected pages that were followed before')
  return checkout
}

/** Every file that the pages have created, relative to the checkout. */
function madeIn({ folder }: Checkout): readonly string[] {
  return readdirSync(join(folder, TRY), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
}

/** Tries the name below each parent folder of the file, because the test does not know which one the server serves. */
async function isServed({ folder }: Checkout, file: string, address: string): Promise<boolean> {
  const text = readFileSync(join(folder, file), 'utf8')
  const names = file.split('/').map((_, i, parts) => parts.slice(i).join('/'))
  const answers = await Promise.all(names.map(async name => (await fetch(new URL(name, address))).text()))
  return answers.includes(text)
}

const pages = pagesWithCommands()
Commands('the README comes first, and the guides have commands too', () => {
  const guides = [
    'requestor-guide',
    'first-question',
    'examples',
    'testing',
    'operator-guide',
    'coming-from-irma',
    'operating',
    'kubernetes',
    'sd-jwt',
    'keyshare',
    'sign-in',
    'schemes',
    'library',
  ].map(name => `docs/${name}.md`)
  assert.equal(pages, [README, ...guides])
})

for (const page of pages)
  test(`${page}: every command runs unchanged, in its order, and prints the output on the page`, async () => {
    checkout ??= await newCheckout()
    reader ??= newReader(checkout, browser && visitWith(browser))
    await reader.follow(readPage(page, textOf(page)))
  })

test('the server of the first question serves its page, and no other file that the pages create', async () => {
  const { folder, env, asHere } = checkoutOfPages()
  const command = readPage(README, textOf(README)).fences.find(({ content }) =>
    content.includes('--static-path'),
  )
  const terminal = openTerminal(folder, env)
  try {
    terminal.run(asHere(command?.content ?? ''))
    await terminal.shows('…svc server running…')
    const served: string[] = []
    for (const file of madeIn(checkoutOfPages()))
      if (await isServed(checkoutOfPages(), file, asHere('http://127.0.0.1:8088/'))) served.push(file)
    assert.equal(served, ['try/page/index.html', 'try/page/yivi.js'])
  } finally {
    await terminal.interrupt()
  }
})

test('only their owner can read the secret files that the pages create', () => {
  const { folder } = checkoutOfPages()
  const isPrivate = (file: string): boolean => (statSync(join(folder, file)).mode & 0o077) === 0
  const secret = madeIn(checkoutOfPages()).filter(file => SECRET.test(file))
  for (const name of ['webshop.token', 'shop.token', 'hospital.secret', 'results.key', 'wallet/wallet.json'])
    assert.ok(secret.includes(`${TRY}/${name}`), name)
  assert.equal(
    [TRY, ...secret].filter(file => !isPrivate(file)),
    [],
  )
})
Commands.run()
