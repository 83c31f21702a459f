/** Every language has every text of the mails, the account page and the sign-in page, in words of its own. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { MAIL_WORDS } from '../../accounts/mails/words/languages.ts'
import { WORDS as ACCOUNT_WORDS } from '../../http/account-page/words/languages.ts'
import { WORDS as SIGN_IN_WORDS } from '../../http/oidc/words/languages.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const LANGUAGES = { en: 'english', nl: 'dutch', de: 'german', fr: 'french' } as const
type Language = keyof typeof LANGUAGES

/** The texts of each folder, by language. */
const SETS: Readonly<Record<string, Readonly<Record<Language, object>>>> = {
  'accounts/mails/words': MAIL_WORDS,
  'http/account-page/words': ACCOUNT_WORDS,
  'http/oidc/words': SIGN_IN_WORDS,
}

/** Values for each function, so that every branch with a text of its own is read. */
const ARGUMENTS: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  event: ['PIN_CHECK_SUCCESS', 'PIN_CHECK_FAILED', 'PIN_CHECK_BLOCKED', 'PIN_CHECK_REFUSED', 'SESSION'].map(
    event => [{ event, param: 3 }],
  ),
}
const ONE_ARGUMENT = [['NAME', 7]]

/** Each text by its path. A function is replaced by the texts that it returns. */
function textsOf(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') {
    const given = ARGUMENTS[path.split('.').at(-1) ?? ''] ?? ONE_ARGUMENT
    return given.flatMap((words, i) => textsOf(value(...words), `${path}(${i})`))
  }
  if (typeof value !== 'object' || value === null) throw new Error(`${path}: expected texts, got ${value}`)
  return Object.entries(value).flatMap(([name, below]) => textsOf(below, path ? `${path}.${name}` : name))
}

/** A familiar address. German and French pages are formal. */
const FAMILIAR: Readonly<Partial<Record<Language, RegExp>>> = {
  de: /(?<!\p{L})(du|dich|dir|dein\p{L}*)(?!\p{L})/iu,
  fr: /(?<!\p{L})(tu|te|toi|ton|ta|tes|t')(?!\p{L})/iu,
}

const Words = suite('the languages of pages and mails')
const languages = Object.keys(LANGUAGES) as readonly Language[]

for (const [folder, words] of Object.entries(SETS)) {
  Words(`${folder}: one file for each language, and no other language`, () => {
    assert.equal(Object.keys(words).toSorted(), languages.toSorted())
    const files = readdirSync(join(PROJECT, folder)).map(file => file.replace('.ts', ''))
    assert.equal(files.toSorted(), [...Object.values(LANGUAGES), 'languages', 'words'].toSorted())
  })

  for (const language of languages)
    Words(`${folder}, ${language}: no text is missing, unknown, empty or left in another language`, () => {
      const [texts, english] = [textsOf(words[language]), textsOf(words.en)]
      assert.equal(texts.map(([path]) => path).toSorted(), english.map(([path]) => path).toSorted())
      const inEnglish = new Map(english)
      for (const [path, text] of texts) {
        assert.ok(text.trim() === text && text !== '', `${path}: ${text}`)
        const isLink = text === 'NAME'
        if (language !== 'en' && !isLink) assert.is.not(text, inEnglish.get(path), path)
        assert.not.match(text, FAMILIAR[language] ?? /$^/, path)
      }
    })
}

Words('this check reads nested texts and functions, and recognises a familiar address', () => {
  const paths = (value: object): readonly string[] => textsOf(value).map(([path]) => path)
  assert.equal(paths({ a: { b: 'x' }, c: () => ['y', { link: 'z' }] }), ['a.b', 'c(0).0', 'c(0).1.link'])
  assert.match('Gib dein Passwort ein', FAMILIAR.de ?? /$^/)
  assert.match('Est-ce que tu veux', FAMILIAR.fr ?? /$^/)
  assert.throws(() => textsOf({ a: 1 }), /expected texts/)
})
Words.run()
