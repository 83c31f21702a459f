/** Writes the package `attribute-session-client` to `dist.client/`: the client and `askFor`, in ES modules that need only jose, with their types. It needs a build.
 *  `npm run packages` packs it beside the server. @module */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'

const folder = process.argv[2] ?? 'dist.client'
const NAME = 'attribute-session-client'
const FRAMEWORKS = ['express', 'fastify', 'hono', 'koa', 'next']
/** The entries of the package, by the path of their import; each is the path of a module without its ending. */
const ENTRIES = {
  client: 'libraries/client',
  ...Object.fromEntries(FRAMEWORKS.map(name => [name, `libraries/client/ask/${name}`])),
}
const README = `# ${NAME}

The client of a session server for web sites: it starts sessions, waits for them, and checks signed results. \`askFor\` does this for express, fastify, hono, koa
and next. The types of the results follow the request. The package needs Node 20.19 or newer, or a browser, and only the package jose.
Guide: https://github.com/attribute-session-service/attribute-session-service/blob/main/docs/ask-in-typescript.md
`
const FROM = /from ["'](\.[^"']+)\.ts["']/g

/** Copies the types of a module and of all modules that it imports. */
function copyTypes(path, copied = new Set()) {
  if (copied.has(path)) return
  copied.add(path)
  const text = readFileSync(join('dist', `${path}.d.ts`), 'utf8')
  const target = join(folder, 'types', `${path}.d.ts`)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
  for (const [, next] of text.matchAll(FROM)) copyTypes(join(dirname(path), next), copied)
}

/** @returns the packages whose code is in the bundles */
async function bundle() {
  const { metafile } = await build({
    entryPoints: Object.entries(ENTRIES).map(([out, path]) => ({ in: `dist/${path}.js`, out })),
    outdir: folder,
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'neutral', target: 'es2022' },
    minifyWhitespace: true, // the package has a limit of size; names stay readable in stacks
    ...{ external: ['jose'], mainFields: ['module', 'main'], metafile: true, logLevel: 'warning' },
  })
  const inputs = Object.keys(metafile.inputs).filter(path => path.startsWith('node_modules/'))
  return [...new Set(inputs.map(path => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)[1]))]
}

function packageOf({ version, engines, license, repository, bugs, dependencies }) {
  const exported = name => ({ types: `./types/${ENTRIES[name]}.d.ts`, default: `./${name}.js` })
  const frameworks = Object.fromEntries(FRAMEWORKS.map(name => [`./${name}`, exported(name)]))
  return {
    ...{
      name: NAME,
      version,
      description: 'Asks the visitors of a web site for attributes, by a session server.',
    },
    ...{ type: 'module', sideEffects: false, engines, license, repository, bugs },
    keywords: ['attributes', 'irma', 'selective-disclosure', 'yivi'],
    exports: { '.': exported('client'), ...frameworks, './package.json': './package.json' },
    dependencies: { jose: dependencies.jose },
  }
}

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const bundled = await bundle()
for (const path of Object.values(ENTRIES)) copyTypes(path)
const own = JSON.parse(readFileSync('package.json', 'utf8'))
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageOf(own), null, 2)}\n`)
copyFileSync('LICENSE', join(folder, 'LICENSE'))
for (const name of bundled) copyFileSync(`node_modules/${name}/LICENSE`, join(folder, `LICENSE.${name}`))
writeFileSync(join(folder, 'README.md'), README)
