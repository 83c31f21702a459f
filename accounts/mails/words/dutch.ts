/** The mails in Dutch. @module */
import type { MailTexts } from './words.ts'

const daysIn = (count: number): string => (count === 1 ? '1 dag' : `${count} dagen`)
const hoursIn = (count: number): string => `${count} uur`
const minutesIn = (count: number): string => (count === 1 ? '1 minuut' : `${count} minuten`)

export const DUTCH: MailTexts = {
  confirmation: (link, hours) => [
    'Bevestig je e-mailadres',
    'Je hebt dit e-mailadres in je wallet-app ingevuld. Bevestig dat het van jou is:',
    { link },
    `De link kan één keer gebruikt worden, gedurende ${hoursIn(hours)}. Tot die tijd werkt je app zonder bevestigd adres.`,
    'Heb je dit adres niet zelf ingevuld, dan hoef je niets te doen.',
  ],
  login: (link, minutes) => [
    'Log in om je account te beheren',
    'Met deze link kun je het account van je wallet-app bekijken en verwijderen:',
    { link },
    `De link kan één keer gebruikt worden, gedurende ${minutesIn(minutes)}. Geef hem aan niemand.`,
    'Heb je er niet om gevraagd, dan hoef je niets te doen.',
  ],
  expiry: (userName, days) => [
    'Je account wordt verwijderd',
    `Het account ${userName} van je wallet-app is lange tijd niet gebruikt.`,
    `Het wordt over ${daysIn(days)} verwijderd. Wil je het houden, open dan voor die tijd je wallet-app en voer je pincode in.`,
    'Is het account verwijderd, dan zijn de gegevens in je wallet-app niet meer te gebruiken.',
  ],
  deletion: (userName, days) => [
    'Je account is verwijderd',
    `Het account ${userName} van je wallet-app is verwijderd, zoals je hebt gevraagd. Je wallet-app kan het niet meer gebruiken.`,
    `Alle overige gegevens van dit account worden over ${daysIn(days)} gewist.`,
  ],
}
