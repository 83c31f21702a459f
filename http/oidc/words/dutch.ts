/** The sign-in page in Dutch. @module */
import type { SignInTexts } from './words.ts'

export const DUTCH: SignInTexts = {
  title: site => `Inloggen bij ${site}`,
  name: 'Inloggen met je wallet',
  intro: 'Je wallet-app laat zien welke gegevens de site vraagt. Jij beslist in de app.',
  noScript: 'Deze pagina heeft JavaScript nodig. Zet het aan en laad de pagina opnieuw.',
  preparing: 'Een ogenblik. Er wordt een code gemaakt.',
  scan: 'Scan deze code met je wallet-app.',
  codeLabel: 'QR-code voor je wallet-app',
  openApp: 'Open de wallet-app',
  showCode: 'Toon een QR-code',
  connected: 'Volg de stappen in je wallet-app.',
  returning:
    'Ga verder op de pagina die je wallet-app heeft geopend. Opende die een andere browser, toon dan een code.',
  pairing: 'Je wallet-app toont een code van vier cijfers. Vul die hier in.',
  pairingLabel: 'Code in de app',
  pairingButton: 'Verder',
  pairingWrong: 'Dit is een andere code. Kijk in je wallet-app en vul de code opnieuw in.',
  done: 'Klaar. Je gaat terug naar de site.',
  timeout: 'De code is verlopen.',
  failed: 'Er ging iets mis. Probeer het opnieuw met een nieuwe code.',
  again: 'Maak een nieuwe code',
  cancel: 'Annuleren en terug naar de site',
  error: {
    title: 'Deze inlogpoging is afgelopen',
    text: 'Ga terug naar de site en log daar opnieuw in.',
    cookies:
      'Je browser stuurde geen cookie. Sta cookies toe voor deze pagina, want inloggen kan niet zonder.',
    request: {
      title: 'Het inloggen kan niet beginnen',
      text: 'Het verzoek van de site bevat een fout, die alleen de site kan herstellen.',
    },
    logout: {
      title: 'Uitloggen is hier niet gelukt',
      text: 'Het verzoek om uit te loggen is ongeldig of al gebruikt. Ga terug naar de site en log daar opnieuw uit.',
    },
    fault: { title: 'Er ging iets mis', text: 'Wacht een minuut en laad deze pagina opnieuw.' },
    detail: 'Voor de site',
  },
  busy: {
    title: 'Te veel logins',
    text: 'Er loggen nu te veel mensen in. Wacht een minuut en laad deze pagina opnieuw.',
  },
  logout: {
    title: 'Uitloggen',
    text: 'Wil je hier ook uitloggen? De sites waar je bent ingelogd krijgen bericht.',
    yes: 'Uitloggen',
    no: 'Ingelogd blijven',
    done: 'Je bent uitgelogd',
    doneText: 'Je kunt deze pagina sluiten.',
  },
}
