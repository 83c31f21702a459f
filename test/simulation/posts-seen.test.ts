/** A post that arrives before the requestor knows its session is not lost to the checker. */
import * as assert from 'uvu/assert'
import type { PostLine } from '../history/lines.ts'
import { suite } from '../suite.ts'
import { PostsSeen } from './posts-seen.ts'

const Posts = suite('posts of a simulation')

const POST = { what: 'callback', at: 1, key: 'k', body: 'b', says: {}, answered: 'accepted' } as const

Posts('each post is written once, with the name of its session, as soon as the name is known', () => {
  const lines: PostLine[] = []
  const posts = new PostsSeen(line => lines.push(line))
  posts.seen('token', POST)
  posts.seen('token', { ...POST, at: 2 })
  posts.seen('another', POST)
  assert.equal(lines, [])
  posts.noted('s1', 'token')
  posts.noted('s1', 'token')
  posts.seen('token', { ...POST, at: 3 })
  assert.equal(
    lines,
    [1, 2, 3].map(at => ({ ...POST, at, session: 's1' })),
  )
})
Posts.run()
