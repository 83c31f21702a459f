/** The positions of the parts of the drawing of a delivery. `npm run docs` writes this file. @module */
import type { Layout } from './layout.ts'

export const DELIVERY_LAYOUT: Layout = {
  width: 1094,
  height: 171,
  states: {
    'begin chart': [16, 42, 10, 10],
    waiting: [62, 16, 138, 61],
    sending: [386, 25, 101, 34],
    delivered: [673, 19, 123, 34],
    givenUp: [684, 89, 101, 34],
    forgotten: [955, 25, 123, 34],
  },
  lines: {
    'begin chart line': [26, 47, 62, 47],
    'waiting sending': [200, 36, 386, 36],
    'sending delivered': [487, 36, 673, 36],
    'sending givenUp': [487, 48, 505, 48, 505, 106, 684, 106],
    'sending waiting': [386, 48, 368, 48, 368, 110, 218, 110, 218, 57, 200, 57],
    'delivered forgotten': [796, 36, 955, 36],
    'givenUp forgotten': [785, 106, 937, 106, 937, 48, 955, 48],
  },
  blocks: {
    'waiting sending': [256, 20],
    'sending delivered': [523, 20],
    'sending givenUp': [530, 72],
    'sending waiting': [236, 65],
    'delivered forgotten': [832, 28],
    'givenUp forgotten': [832, 98],
  },
}
