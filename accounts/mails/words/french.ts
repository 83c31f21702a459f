/** The mails in French. @module */
import type { MailTexts } from './words.ts'

const daysIn = (count: number): string => (count === 1 ? '1 jour' : `${count} jours`)
const hoursIn = (count: number): string => (count === 1 ? '1 heure' : `${count} heures`)
const minutesIn = (count: number): string => (count === 1 ? '1 minute' : `${count} minutes`)

export const FRENCH: MailTexts = {
  confirmation: (link, hours) => [
    'Confirmez votre adresse e-mail',
    "Vous avez saisi cette adresse e-mail dans votre application de portefeuille. Veuillez confirmer qu'elle vous appartient\u00a0:",
    { link },
    `Le lien ne peut être utilisé qu'une seule fois et reste valable ${hoursIn(hours)}. D'ici là, votre application fonctionne sans adresse confirmée.`,
    "Si vous n'avez pas saisi cette adresse vous-même, vous n'avez rien à faire.",
  ],
  login: (link, minutes) => [
    'Connectez-vous pour gérer votre compte',
    'Ce lien vous permet de consulter le compte de votre application de portefeuille et de le supprimer\u00a0:',
    { link },
    `Le lien ne peut être utilisé qu'une seule fois et reste valable ${minutesIn(minutes)}. Ne le communiquez à personne.`,
    "Si vous ne l'avez pas demandé, vous n'avez rien à faire.",
  ],
  expiry: (userName, days) => [
    'Votre compte va être supprimé',
    `Le compte ${userName} de votre application de portefeuille n'a pas été utilisé depuis longtemps.`,
    `Il sera supprimé dans ${daysIn(days)}. Pour le conserver, ouvrez d'ici là votre application de portefeuille et saisissez votre code PIN.`,
    'Une fois le compte supprimé, les données de votre application de portefeuille ne pourront plus être utilisées.',
  ],
  deletion: (userName, days) => [
    'Votre compte a été supprimé',
    `Le compte ${userName} de votre application de portefeuille a été supprimé, comme vous l'avez demandé. Votre application ne peut plus l'utiliser.`,
    `Les autres données enregistrées de ce compte seront effacées dans ${daysIn(days)}.`,
  ],
}
