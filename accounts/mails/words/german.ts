/** The mails in German. @module */
import type { MailTexts } from './words.ts'

const daysIn = (count: number): string => (count === 1 ? '1 Tag' : `${count} Tagen`)
const hoursIn = (count: number): string => (count === 1 ? '1 Stunde' : `${count} Stunden`)
const minutesIn = (count: number): string => (count === 1 ? '1 Minute' : `${count} Minuten`)

export const GERMAN: MailTexts = {
  confirmation: (link, hours) => [
    'Bestätigen Sie Ihre E-Mail-Adresse',
    'Sie haben diese E-Mail-Adresse in Ihrer Wallet-App eingegeben. Bitte bestätigen Sie, dass sie Ihnen gehört:',
    { link },
    `Der Link kann einmal verwendet werden und ist ${hoursIn(hours)} lang gültig. Bis dahin funktioniert Ihre App ohne bestätigte Adresse.`,
    'Wenn Sie diese Adresse nicht selbst eingegeben haben, brauchen Sie nichts zu tun.',
  ],
  login: (link, minutes) => [
    'Melden Sie sich an, um Ihr Konto zu verwalten',
    'Mit diesem Link können Sie das Konto Ihrer Wallet-App ansehen und löschen:',
    { link },
    `Der Link kann einmal verwendet werden und ist ${minutesIn(minutes)} lang gültig. Geben Sie ihn nicht weiter.`,
    'Wenn Sie ihn nicht angefordert haben, brauchen Sie nichts zu tun.',
  ],
  expiry: (userName, days) => [
    'Ihr Konto wird gelöscht',
    `Das Konto ${userName} Ihrer Wallet-App wurde lange nicht benutzt.`,
    `Es wird in ${daysIn(days)} gelöscht. Wenn Sie es behalten möchten, öffnen Sie vorher Ihre Wallet-App und geben Sie Ihre PIN ein.`,
    'Sobald das Konto gelöscht ist, können die Daten in Ihrer Wallet-App nicht mehr verwendet werden.',
  ],
  deletion: (userName, days) => [
    'Ihr Konto wurde gelöscht',
    `Das Konto ${userName} Ihrer Wallet-App wurde auf Ihren Wunsch gelöscht. Ihre Wallet-App kann es nicht mehr verwenden.`,
    `Alle übrigen gespeicherten Daten dieses Kontos werden in ${daysIn(days)} gelöscht.`,
  ],
}
