/** Which calls are answered without asking the router. @module */
import type { Context } from 'koa'
import * as assert from 'uvu/assert'
import { HotRoutes } from '../../http/hot-routes.ts'
import { suite } from '../suite.ts'

const TOKEN = 'aB3'.repeat(7).slice(1)

/** What was asked: rows by their path, the router by its name; and what the log and the endpoint are told. */
function asked(method: string, path: string): readonly unknown[] {
  const routes = new HotRoutes()
  const called: string[] = []
  const note = (name: string) => async () => void called.push(name)
  for (const [row, name = row] of [
    ['/session{/}'],
    ['/session/:requestorToken{/}'],
    ['/session/:requestorToken/result'],
    ['/session/:other/result', 'a later row'],
    ['/session/:requestorToken/result/:number'],
    ['/files/{*rest}'],
  ] as const)
    routes.add('GET', row, note(name))
  const ctx = { method, path } as Context
  void routes.routes()(ctx, note('router'))
  return [...called, ctx._matchedRoute, ctx.params].filter(each => each !== undefined)
}

const Hot = suite('calls that the router is not asked about')

Hot('a row without a parameter, and one whose parameter is a token', () => {
  assert.equal(asked('GET', '/session'), ['/session{/}', '/session{/}', {}])
  const requestorToken = TOKEN
  const row = '/session/:requestorToken/result'
  assert.equal(asked('GET', `/session/${TOKEN}/result`), [row, row, { requestorToken }])
  const short = '/session/:requestorToken{/}'
  assert.equal(asked('GET', `/session/${TOKEN}`), [short, short, { requestorToken }])
})

Hot('everything else is asked of the router, which is told nothing', () => {
  for (const [method, path] of [
    ['POST', '/session'],
    ['HEAD', '/session'],
    ['GET', '/session/'],
    ['GET', '/Session'],
    ['GET', '/session/:/result'],
    ['GET', `/session/${TOKEN.slice(1)}/result`],
    ['GET', `/session/${TOKEN}x/result`],
    ['GET', `/session/${TOKEN.slice(3)}%61/result`],
    ['GET', `/session/${TOKEN}/result/`],
    ['GET', `/session/${TOKEN}/result/1`],
    ['GET', `/session/${TOKEN}/result/${TOKEN}`],
    ['GET', `/session/${TOKEN}/result/:`],
    ['GET', `/files/${TOKEN}`],
    ['GET', '/files/{*rest}'],
    ['GET', `/${TOKEN}`],
  ] as const)
    assert.equal(asked(method, path), ['router'], `${method} ${path}`)
})

Hot.run()
