import * as assert from 'uvu/assert'
import { type OnClose, opened } from '../../server/closable.ts'
import { suite } from '../suite.ts'

const Opened = suite('a whole whose parts are opened one after the other')

/** Opens three parts. The parts in `failing` fail to close. */
function threeParts(closed: string[], failing: readonly string[] = []) {
  return async (onClose: OnClose): Promise<string> => {
    for (const part of ['store', 'sessions', 'listener'])
      onClose(async () => {
        closed.push(part)
        if (failing.includes(part)) throw new Error(`${part} did not close`)
      })
    return 'whole'
  }
}

async function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no error',
    (error: Error) => error.message,
  )
}

Opened('its parts are closed in the opposite order', async () => {
  const closed: string[] = []
  const { whole, close } = await opened(threeParts(closed))
  assert.equal([whole, closed], ['whole', []])
  await close()
  assert.equal(closed, ['listener', 'sessions', 'store'])
})

Opened('a second call of close waits for the same end and gets the same outcome', async () => {
  const closed: string[] = []
  const { close } = await opened(threeParts(closed, ['store']))
  const messages = await Promise.all([messageOf(close()), messageOf(close())])
  assert.equal(messages, ['store did not close', 'store did not close'])
  assert.is(closed.length, 3)
})

Opened('if a part fails to close, the others are still closed, and the first failure is thrown', async () => {
  const closed: string[] = []
  const { close } = await opened(threeParts(closed, ['listener', 'sessions']))
  assert.is(await messageOf(close()), 'listener did not close')
  assert.equal(closed, ['listener', 'sessions', 'store'])
})

Opened('if a part cannot be opened, the parts before it are closed, and its error is thrown', async () => {
  const closed: string[] = []
  const open = async (onClose: OnClose): Promise<never> => {
    await threeParts(closed, ['sessions'])(onClose)
    throw new Error('the address is taken')
  }
  assert.is(await messageOf(opened(open)), 'the address is taken')
  assert.equal(closed, ['listener', 'sessions', 'store'])
})
Opened.run()
