/** The list of answers that are not yet sent completely. It does not grow with the number of calls on one connection. @module */
import { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import * as assert from 'uvu/assert'
import { PendingAnswers } from '../../http/pending-answers.ts'
import { suite } from '../suite.ts'

const Pending = suite('pending answers')

Pending('many calls on one connection add no listeners to it', () => {
  const [server, socket] = [new Server(), new Socket()]
  const pending = new PendingAnswers(server)
  const counts = Array.from({ length: 20 }, () => {
    const answer = new ServerResponse(new IncomingMessage(socket))
    server.emit('request', answer.req, answer)
    assert.is(pending.has(socket), true)
    answer.emit('close')
    assert.is(pending.has(socket), false)
    return socket.listenerCount('close')
  })
  assert.equal([...new Set(counts)], [0])
})

Pending.run()
