/** The account page speaks the languages of the mails. @module */
import type { MailLanguage } from '../../../accounts/mails/texts.ts'
import { DUTCH } from './dutch.ts'
import { ENGLISH } from './english.ts'
import type { PageTexts } from './words.ts'

export const LANGUAGES = ['en', 'nl'] as const satisfies readonly MailLanguage[]

export const WORDS: Readonly<Record<MailLanguage, PageTexts>> = { en: ENGLISH, nl: DUTCH }
