/** The options that a program may give, and the errors for all others. @module */
import * as assert from 'uvu/assert'
import { type SessionServerOptions, settingsOfProgram } from '../../server/settings/of-program.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { suite } from '../suite.ts'

const Options = suite('options of a program')

const SHOP = { authMethod: 'token', key: 'x'.repeat(20) }

/** @returns the resolved options, or the error; a program without types may give any value */
function resolved(options: object | null | undefined) {
  try {
    const file = settingsOfProgram(options as SessionServerOptions, sessionServer)
    return sessionServer.resolve({ flags: {}, variables: {}, file }).options
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : ''
  }
}

Options('an object without a prototype is accepted as options', () => {
  const options = Object.assign(Object.create(null), { maxStreams: 5 })
  assert.is(Object(resolved(options)).max_streams, 5)
})

const HIDDEN: Readonly<Record<string, readonly [object | null | undefined, string]>> = {
  'no options': [null, 'options: expected a plain object, got null'],
  'a list': [[], 'options: expected a plain object, got a list'],
  'a map': [new Map([['noAuth', false]]), 'options: expected a plain object, got another one'],
  'options that are inherited': [
    Object.create({ noAuth: false }),
    'options: expected a plain object, got another one',
  ],
  'a map of requestors': [
    { requestors: new Map([['shop', SHOP]]) },
    'requestors in options: expected a plain object, got another one',
  ],
  'a list of requestors': [
    { requestors: [SHOP] },
    'requestors in options: expected a plain object, got a list',
  ],
  'requestors that are inherited': [
    { requestors: Object.create({ shop: SHOP }) },
    'requestors in options: expected a plain object, got another one',
  ],
  'a requestor that is inherited in part': [
    { requestors: { shop: Object.assign(Object.create({ disclosePerms: ['*'] }), SHOP) } },
    'requestors.shop in options: expected a plain object, got another one',
  ],
  'a list as a requestor': [
    { requestors: { shop: [SHOP] } },
    'requestors.shop in options: expected a plain object, got a list',
  ],
}

for (const [title, [options, message]] of Object.entries(HIDDEN))
  Options(`a value that would be ignored silently is refused: ${title}`, () => {
    assert.is(resolved(options), `SettingsError: ${message}`)
  })

const STREAMS = 'maxStreams in options: expected an integer from 1 to 1000000'
const TIMEOUT = 'stopTimeout in options: expected a duration such as 50ms, 1s, 15m or 2h, of at most 596h'

for (const [options, message] of [
  [{ maxStreams: Number.NaN }, `${STREAMS}, got NaN`],
  [{ maxStreams: Number.POSITIVE_INFINITY }, `${STREAMS}, got Infinity`],
  [{ maxStreams: 5n }, `${STREAMS}, got 5`],
  [{ maxStreams: () => 5 }, `${STREAMS}, got a function`],
  [{ stopTimeout: 20 }, `${TIMEOUT}, got 20`],
] as const)
  Options(`a wrong value is quoted in the error: ${message}`, () => {
    assert.is(resolved(options), `SettingsError: ${message}`)
  })

Options('stopDelay may be 0s, written in this form only', () => {
  for (const stopDelay of ['0s', '500ms']) assert.is(Object(resolved({ stopDelay })).stop_delay, stopDelay)
  for (const stopDelay of ['0', '0ms', '00s', '1', '-1s', '5d', '597h', '0s1s'])
    assert.match(
      String(resolved({ stopDelay })),
      /stopDelay in options: expected 0s, or a duration such as 50ms, 1s or 2m, of at most 596h/,
    )
})

Options('a duration has at most 596 h, because a longer timer would fire at once', () => {
  assert.is(Object(resolved({ stopTimeout: '596h' })).stop_timeout, '596h')
  assert.is(resolved({ stopTimeout: '597h' }), `SettingsError: ${TIMEOUT}, got "597h"`)
})

Options.run()
