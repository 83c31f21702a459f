/** The pictures of the pages show the programs of today. */
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { hashOfSources, PICTURES, readTaken } from './pictures.ts'

const Pictures = suite('pictures of the pages')

for (const picture of PICTURES)
  Pictures(`${picture} was taken with the current program`, () => {
    assert.is(
      readTaken()[picture],
      hashOfSources(picture),
      `${picture}: expected a picture of these pages, got an older one; take it with npm run pictures, and look at it`,
    )
  })

Pictures.run()
