/** The languages of the mails, which are those of the account page. @module */
import { DUTCH } from './dutch.ts'
import { ENGLISH } from './english.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import type { MailTexts } from './words.ts'

export const MAIL_LANGUAGES = ['en', 'nl', 'de', 'fr'] as const
export type MailLanguage = (typeof MAIL_LANGUAGES)[number]

export const MAIL_WORDS: Readonly<Record<MailLanguage, MailTexts>> = {
  en: ENGLISH,
  nl: DUTCH,
  de: GERMAN,
  fr: FRENCH,
}
