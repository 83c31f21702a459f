/** Mutations of any text: characters, pieces, repetitions and numbers at the limits of their types. @module */
import type { Random } from './random.ts'

const ODD_CHARACTERS = [
  ...'\0\t\n\r "\'%&+,-./:;<=>?@[\\]_{|}~\x7f',
  '\u0080',
  '\u00ff',
  '\u2028',
  '\ud800',
  '\udc00',
  '\ufeff',
  '\uffff',
  'é',
  'İ',
  '😀',
]
export const ODD_TEXTS = [
  ...['', '0', '-0', '-1', '1e999', '1.5', '0x10', '007', 'NaN', 'Infinity', 'null', 'true', 'undefined'],
  ...['2147483648', '4294967296', '9007199254740993', '18446744073709551616', '9'.repeat(400)],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'length',
    '*',
    '..',
    '../..',
    '%00',
  ],
  ...['AQ==', 'AQ', '====', '-_', 'a.b.c', 'a.b.c.d', 'svc-demo.gov.idcard', '2026-11-27T00:00:00Z', '1.0.0'],
  ...['http://127.0.0.1/', 'https://a:b@[::1]:99999/?#', 'javascript:0', 'é', '\u202e', '😀'],
]
/** The longest text that a mutation makes. */
const LONGEST = 100_000

/** @param words pieces of recorded inputs, which are inserted */
export function mutateText(text: string, random: Random, words: readonly string[]): string {
  let changed = text
  for (let count = 1 + random.int(4); count > 0; count--) changed = mutateOnce(changed, random, words)
  return changed.slice(0, LONGEST)
}

function mutateOnce(text: string, random: Random, words: readonly string[]): string {
  const from = random.int(text.length + 1)
  const to = Math.min(text.length, from + 1 + random.int(random.chance(0.2) ? text.length + 1 : 8))
  const [before, piece, after] = [text.slice(0, from), text.slice(from, to), text.slice(to)]
  switch (random.int(9)) {
    case 0:
      return before + after
    case 1:
      return before + random.pick(ODD_CHARACTERS) + piece + after
    case 2:
      return before + random.pick(ODD_TEXTS) + after
    case 3:
      return before + (words.length > 0 ? random.pick(words) : piece) + after
    case 4:
      return before + piece.repeat(2 + random.int(random.chance(0.02) ? 3_000 : 6)) + after
    case 5:
      return before
    case 6:
      return before + String.fromCharCode(random.int(256)) + after
    case 7:
      return before + flipped(piece, random) + after
    default:
      return before + after + piece
  }
}

function flipped(piece: string, random: Random): string {
  const code = piece.charCodeAt(0)
  return Number.isNaN(code) ? '' : String.fromCharCode(code ^ (1 << random.int(8))) + piece.slice(1)
}

/** Bytes, as a text with a character for each, in place of `mutateText`. */
export function mutateBytes(text: string, random: Random): string {
  let changed = text
  for (let count = 1 + random.int(4); count > 0; count--) {
    const mutated = mutateOnce(changed, random, [])
    changed = [...mutated].every(char => char.charCodeAt(0) < 256)
      ? mutated
      : Buffer.from(mutated).toString('latin1')
  }
  return changed.slice(0, LONGEST)
}

/** The words of texts: names, numbers and values that a grammar may combine. */
export function wordsIn(texts: readonly string[]): readonly string[] {
  const words = texts.flatMap(text => text.slice(0, 20_000).match(/[\w@][\w.:/@+=-]{0,60}/g) ?? [])
  return [...new Set(words)].slice(0, 2_000)
}
