/** The account page has the languages of the mails. @module */
import type { MailLanguage } from '../../../accounts/mails/words/languages.ts'
import { DUTCH } from './dutch.ts'
import { ENGLISH } from './english.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import type { PageTexts } from './words.ts'

export const WORDS: Readonly<Record<MailLanguage, PageTexts>> = {
  en: ENGLISH,
  nl: DUTCH,
  de: GERMAN,
  fr: FRENCH,
}
