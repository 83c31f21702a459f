/** The languages of the sign-in page. @module */
import type { Context } from 'koa'
import { DUTCH } from './dutch.ts'
import { ENGLISH } from './english.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import type { SignInTexts } from './words.ts'

export const LANGUAGES = ['en', 'nl', 'de', 'fr'] as const
export type Language = (typeof LANGUAGES)[number]

export const WORDS: Readonly<Record<Language, SignInTexts>> = {
  en: ENGLISH,
  nl: DUTCH,
  de: GERMAN,
  fr: FRENCH,
}

/** The first language of `ui_locales` that the page speaks, else the one that the browser prefers.
 *  @param uiLocales as in the request of the site: language tags, separated by spaces */
export function languageOf(ctx: Pick<Context, 'acceptsLanguages'>, uiLocales: string): Language {
  const asked = uiLocales.split(' ').map(tag => tag.split('-')[0]?.toLowerCase())
  const named = asked.flatMap(tag => LANGUAGES.filter(language => language === tag))
  const preferred = ctx.acceptsLanguages(...LANGUAGES)
  return named[0] ?? LANGUAGES.find(language => language === preferred) ?? 'en'
}
