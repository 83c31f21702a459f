/** Serves `examples/next` like next does, as far as these files need it. Route handlers get a `Request` and the names in their folder, and the page is a React
 *  component in a browser. It is a separate program, with `PORT`. @module */
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { PROJECT } from '../project.ts'

const APP = join(PROJECT, 'examples/next/app')

/** The used part of React: elements are created once, and the single state is a text node inside them. */
const REACT = `
let shown
export const Fragment = 'fragment'
export const useState = first => [shown = document.createTextNode(first), value => { shown.data = value }]
export const useEffect = act => setTimeout(act)
export function jsx(type, { children = [], style, ...attributes }) {
  if (type === Fragment) return children
  const node = Object.assign(document.createElement(type), attributes)
  node.append(...[children].flat())
  return node
}
export const jsxs = jsx`
const react: Plugin = {
  name: 'react',
  setup(bundle) {
    bundle.onResolve({ filter: /^react(\/jsx-runtime)?$/ }, () => ({ path: 'react', namespace: 'react' }))
    bundle.onLoad({ filter: /./, namespace: 'react' }, () => ({ contents: REACT }))
  },
}

async function bundlePage(): Promise<string> {
  const contents = "import Page from './page.jsx'; document.body.append(...Page())"
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: APP },
    plugins: [react],
    bundle: true,
    write: false,
    jsx: 'automatic',
  })
  return outputFiles[0]?.text ?? ''
}

const routeOf = (folder: string) => import(pathToFileURL(join(APP, 'api', folder, 'route.js')).href)
const [starting, result] = await Promise.all([routeOf('start'), routeOf('result/[id]')])
const page = await bundlePage()

async function answer({ method = '', url = '' }: IncomingMessage): Promise<Response> {
  const html = { headers: { 'Content-Type': 'text/html' } }
  if (url === '/') return new Response('<!doctype html><body><script src="page.js"></script></body>', html)
  if (url === '/page.js') return new Response(page)
  const request = new Request(new URL(url, 'http://site.example'), { method })
  if (url === '/api/start') return starting[method](request, { params: Promise.resolve({}) })
  const [, id] = /^\/api\/result\/([^/]+)$/.exec(url) ?? []
  if (id !== undefined) return result[method](request, { params: Promise.resolve({ id }) })
  return new Response(null, { status: 404 })
}

const { PORT } = process.env
createServer(async (request, response) => {
  const { status, headers, body } = await answer(request)
  response.writeHead(status, Object.fromEntries(headers))
  for await (const chunk of body ?? []) response.write(chunk)
  response.end()
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://127.0.0.1:${PORT}/`))
