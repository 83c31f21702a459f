/** The mails in English. @module */
import type { MailTexts } from './words.ts'

const daysIn = (count: number): string => (count === 1 ? '1 day' : `${count} days`)
const hoursIn = (count: number): string => (count === 1 ? '1 hour' : `${count} hours`)
const minutesIn = (count: number): string => (count === 1 ? '1 minute' : `${count} minutes`)

export const ENGLISH: MailTexts = {
  confirmation: (link, hours) => [
    'Confirm your e-mail address',
    'You have entered this e-mail address in your wallet app. Please confirm that it is yours:',
    { link },
    `The link can be used once, for ${hoursIn(hours)}. Until then your app works without a confirmed address.`,
    'If you have not entered this address yourself, you need not do anything.',
  ],
  login: (link, minutes) => [
    'Log in to manage your account',
    'With this link you can look at the account of your wallet app, and delete it:',
    { link },
    `The link can be used once, for ${minutesIn(minutes)}. Give it to nobody.`,
    'If you have not asked for it, you need not do anything.',
  ],
  expiry: (userName, days) => [
    'Your account will be deleted',
    `The account ${userName} of your wallet app has not been used for a long time.`,
    `It will be deleted in ${daysIn(days)}. To keep it, open your wallet app before that and enter your PIN.`,
    'Once the account is deleted, the data in your wallet app can no longer be used.',
  ],
  deletion: (userName, days) => [
    'Your account has been deleted',
    `The account ${userName} of your wallet app has been deleted, as you asked. Your wallet app cannot use it any more.`,
    `All other stored data of this account will be erased in ${daysIn(days)}.`,
  ],
}
