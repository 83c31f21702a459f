import * as assert from 'uvu/assert'
import { type OnClose, opened } from '../../server/closable.ts'
import { suite } from '../suite.ts'

const Opened = suite('what is opened part by part')

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

Opened('is closed in the opposite order', async () => {
  const closed: string[] = []
  const { whole, close } = await opened(threeParts(closed))
  assert.equal([whole, closed], ['whole', []])
  await close()
  assert.equal(closed, ['listener', 'sessions', 'store'])
})

Opened('is closed once, and whoever closes it again waits for the same end', async () => {
  const closed: string[] = []
  const { close } = await opened(threeParts(closed, ['store']))
  const messages = await Promise.all([messageOf(close()), messageOf(close())])
  assert.equal(messages, ['store did not close', 'store did not close'])
  assert.is(closed.length, 3)
})

Opened('a part that fails to close keeps none from being closed; the first failure is told', async () => {
  const closed: string[] = []
  const { close } = await opened(threeParts(closed, ['listener', 'sessions']))
  assert.is(await messageOf(close()), 'listener did not close')
  assert.equal(closed, ['listener', 'sessions', 'store'])
})

Opened('a part that cannot be opened closes those before it, and its reason is told', async () => {
  const closed: string[] = []
  const open = async (onClose: OnClose): Promise<never> => {
    await threeParts(closed, ['sessions'])(onClose)
    throw new Error('the address is taken')
  }
  assert.is(await messageOf(opened(open)), 'the address is taken')
  assert.equal(closed, ['listener', 'sessions', 'store'])
})
Opened.run()
