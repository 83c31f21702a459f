/** A site with next and next-auth, with the blocks of `docs/sign-in-recipes.md`. npm fetches them once: with about 350 MB they are no packages of this project. @module */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { freePort, startProgram, withSvc } from '../cli/run-svc.ts'
import { textOf } from '../docs/pages.ts'
import type { Person } from '../examples/sign-in/person.ts'
import type { Provider } from '../examples/sign-in/provider.ts'
import { type Addresses, block, clientOf, siteAt } from '../examples/sign-in/recipes.ts'
import { PROJECT } from '../project.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { tlsFile } from '../tls.ts'
import { untilListening } from '../until-listening.ts'

/** The packages that the page names. */
const PACKAGES =
  /`npm install (next@\S+ next-auth@\S+ react react-dom)`/
    .exec(textOf('docs/sign-in-recipes.md'))?.[1]
    ?.split(' ') ?? []
/** The files of the site, by the names of their blocks. */
const FILES = {
  'options.js': 'options.js',
  'nextauth.js': 'app/api/auth/[...nextauth]/route.js',
  'route.js': 'app/route.js',
}

/** A login, a logout, a second login and a refusal. */
export async function playNext(provider: Provider, person: () => Person): Promise<void> {
  const secret = randomBytes(32).toString('hex')
  const addresses = { provider: provider.address, sitePort: await freePort() }
  const url = siteAt(addresses.sitePort)
  await provider.start([clientOf('next', addresses, secret)])
  const folder = savedSite(addresses)
  const next = join(folder, 'node_modules/next/dist/bin/next')
  const env = {
    SHOP_SECRET: secret,
    NEXTAUTH_SECRET: randomBytes(32).toString('hex'),
    NEXTAUTH_URL: url,
    NODE_EXTRA_CA_CERTS: tlsFile('cert.pem'),
    NEXT_TELEMETRY_DISABLED: '1',
  }
  const built = startProgram(process.execPath, [next, 'build', '--webpack'], env, folder)
  const { code, stdout, stderr } = await built.finished
  assert.is(code, 0, `${stdout}${stderr}`)
  const words = [next, 'start', '--hostname', '127.0.0.1', '--port', `${addresses.sitePort}`]
  const site = startProgram(process.execPath, words, env, folder)
  await withSvc(site, async () => {
    await untilListening(addresses.sitePort, site.process)
    await play(url, person)
  })
}

async function play(url: string, person: () => Person): Promise<void> {
  const user = person()
  const submit = async (path: string) => {
    const { csrfToken } = JSON.parse((await user.get(`${url}/api/auth/csrf`)).text)
    return user.post(`${url}/api/auth/${path}`, { csrfToken, callbackUrl: url })
  }
  const isAskedToSignIn = async (): Promise<void> =>
    assert.match((await user.get(url)).text, /Sign in with .*Wallet/)
  await isAskedToSignIn()
  const first = JSON.parse((await user.answer(await submit('signin/wallet'))).text)
  assert.match(first.sub, /^[\w-]{43}$/)
  assert.equal(first, { sub: first.sub, over18: true })
  await submit('signout')
  await isAskedToSignIn()
  const again = JSON.parse((await user.answer(await submit('signin/wallet'))).text)
  assert.equal(again, first, 'the same sub at each login')
  await submit('signout')
  const refused = await user.answer(await submit('signin/wallet'), 'refuse')
  assert.match(refused.text, /Sign in with .*Wallet/)
  await isAskedToSignIn()
}

/** @returns its folder, with its packages */
function savedSite(addresses: Addresses): string {
  const kept = process.env.NEXT_AUTH_FOLDER ?? join(PROJECT, 'node_modules/.cache/next-site')
  if (!existsSync(join(kept, 'node_modules/next-auth'))) {
    mkdirSync(kept, { recursive: true })
    writeFileSync(join(kept, 'package.json'), '{"private":true}')
    const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES]
    execFileSync('npm', words, { cwd: kept, stdio: 'inherit' })
  }
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  symlinkSync(join(kept, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, path] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), block(name, addresses))
  }
  return folder
}
