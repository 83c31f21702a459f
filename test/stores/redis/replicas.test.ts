/** When a node of a Redis server waits for replicas, and its writes before that. @module */
import * as assert from 'uvu/assert'
import { Replicas } from '../../../stores/redis/replicas.ts'
import { StoreError } from '../../../stores/store-error.ts'
import { suite } from '../../suite.ts'
import { failureOf } from '../other-connection.ts'

/** A node that waits for two replicas, on a server that reports how many have the data. */
function setUp(wanted = 2) {
  const state = { had: 2, touched: 1 }
  const asked: string[] = []
  const connection = {
    async ask(command: readonly string[]): Promise<unknown> {
      asked.push(command.join(' '))
      return command[0] === 'WAIT' ? state.had : state.touched
    },
  }
  const logged: string[] = []
  const failed = ({ message }: StoreError): void => void logged.push(message)
  const replicas = new Replicas({ connection, wanted, touch: ['TOUCH'], failed, name: 'here' })
  return { state, asked, logged, replicas }
}

const Waits = suite('waits for replicas of a Redis server')

Waits('writes before the start of a wait share it, and later writes have another one', async () => {
  const { asked, replicas } = setUp()
  const first = replicas.haveOwn()
  for (let i = 0; i < 20; i++) await Promise.resolve() // all promises continue, within one turn of the event loop
  await Promise.all([first, replicas.haveOwn()])
  assert.equal(asked, ['WAIT 2 1000'])
  await replicas.haveOwn()
  assert.equal(asked, ['WAIT 2 1000', 'WAIT 2 1000'])
})

Waits('to wait for commits of other nodes, a node first writes a key, and then waits', async () => {
  const { asked, replicas } = setUp()
  await Promise.all([replicas.haveOwn(), replicas.haveOthers()])
  assert.equal(asked, ['TOUCH', 'WAIT 2 1000'])
  await replicas.haveOwn()
  assert.equal(asked.slice(2), ['WAIT 2 1000'])
})

Waits('reads wait for replicas from a failed wait on until a wait succeeds', async () => {
  const { state, asked, logged, replicas } = setUp()
  await replicas.haveWhatIsRead()
  assert.equal(asked, [])
  state.had = 1
  for (const have of [() => replicas.haveOwn(), () => replicas.haveWhatIsRead()]) {
    const failure = await failureOf(have())
    assert.instance(failure, StoreError)
    assert.match(failure.message, /expected 2 replicas to have a commit within 1 s, got 1/)
  }
  assert.equal([asked, logged.length], [['WAIT 2 1000', 'TOUCH', 'WAIT 2 1000'], 2])
  state.had = 2
  await replicas.haveWhatIsRead()
  assert.is(asked.length, 5)
  await replicas.haveWhatIsRead()
  assert.is(asked.length, 5)
})

Waits('without its lease a node cannot write the key, so its wait for other nodes fails', async () => {
  const { state, replicas } = setUp()
  state.touched = 0
  assert.match((await failureOf(replicas.haveOthers())).message, /expected 2 replicas .* got 0/)
  state.touched = 1
  await replicas.haveOthers()
})

Waits('a node that needs no replicas sends no command', async () => {
  const { asked, replicas } = setUp(0)
  await replicas.haveOwn()
  await replicas.haveOthers()
  await replicas.haveWhatIsRead()
  assert.equal(asked, [])
})

Waits.run()
