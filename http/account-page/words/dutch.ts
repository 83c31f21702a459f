/** The account page in Dutch. @module */
import type { PageTexts } from './words.ts'

export const DUTCH: PageTexts = {
  language: 'Nederlands',
  name: 'Account van je wallet-app',
  logOut: 'Uitloggen',
  back: 'Terug naar het account',
  ask: {
    title: 'Beheer je account',
    text: 'Vul het e-mailadres in dat je voor je wallet-app hebt bevestigd. We sturen je een link waarmee je je account kunt bekijken en verwijderen.',
    address: 'E-mailadres',
    button: 'Stuur de link',
    refused: 'Dit is geen e-mailadres. Vul er een in zoals naam@voorbeeld.nl.',
    asked: 'Kijk in je mail',
    look: 'Hoort dit adres bij een account, dan is er een link naar onderweg. Die kan één keer gebruikt worden, gedurende 60 minuten. Niets ontvangen? Kijk bij de ongewenste mail, of vraag over twee minuten een nieuwe link aan.',
  },
  login: {
    title: 'Inloggen',
    text: 'Je hebt de link in onze mail gevolgd. Log in om je account te bekijken. Na 15 minuten word je uitgelogd.',
    button: 'Inloggen',
  },
  confirm: {
    title: 'Bevestig je e-mailadres',
    text: 'Je hebt de link in onze mail gevolgd. Druk op de knop om te bevestigen dat het adres van jou is.',
    button: 'Adres bevestigen',
    done: 'Je adres is bevestigd',
    isYours: address => `${address} hoort vanaf nu bij je account. Je kunt deze pagina sluiten.`,
  },
  choose: {
    title: 'Kies een account',
    text: address => `Deze accounts hebben het adres ${address}.`,
    lastUsed: 'laatst gebruikt',
  },
  account: {
    title: 'Je account',
    userName: 'Gebruikersnaam',
    willBeDeleted: day => `Dit account wordt op ${day} verwijderd, tenzij het voor die tijd wordt gebruikt.`,
    addresses: 'E-mailadressen',
    addAddress: 'Nog een e-mailadres',
    addText:
      'Wil je een adres toevoegen, of de link ervan opnieuw ontvangen, vul het dan hier in. Het hoort bij je account zodra je de link volgt.',
    addButton: 'Stuur de link',
    mailed: address => `Er is een link onderweg naar ${address}.`,
    notMailed: 'Op dit adres kan geen mail aankomen. Vul er een in zoals naam@voorbeeld.nl.',
    tooMany: 'Er zijn te veel links naar dit adres gestuurd. Probeer het later opnieuw.',
    log: 'Wat er is gebeurd',
    nothing: 'Er is nog niets gebeurd.',
    newer: 'Nieuwer',
    older: 'Ouder',
    deletion: 'Het account verwijderen',
    deletionText:
      'Is je telefoon kwijt of gestolen, verwijder dan het account: daarna kan niemand de gegevens in je wallet-app nog gebruiken.',
    deletionButton: 'Verwijder dit account',
  },
  deletion: {
    title: 'Dit account verwijderen?',
    text: userName =>
      `Het account ${userName} is dan meteen onbruikbaar. De gegevens in je wallet-app kunnen daarna nooit meer gebruikt worden, door niemand. Dit kan niet ongedaan gemaakt worden.`,
    days: days =>
      `Alle overige gegevens van dit account worden over ${days === 1 ? '1 dag' : `${days} dagen`} gewist.`,
    understood: 'Ik begrijp dat de gegevens in mijn wallet-app verloren gaan.',
    needed: 'Vink het vakje aan om het account te verwijderen.',
    button: 'Definitief verwijderen',
    cancel: 'Houd het account',
    done: 'Het account is verwijderd',
    doneText: 'Je wallet-app kan het niet meer gebruiken. We hebben je er een mail over gestuurd.',
  },
  errors: {
    elsewhere: [
      'Dit formulier kwam van een andere site',
      'Er is niets veranderd. Open deze pagina zelf, en vul het formulier opnieuw in.',
    ],
    link: ['Deze link is niet te gebruiken', 'Hij is al gebruikt, of te oud. Je kunt een nieuwe aanvragen.'],
    tooMany: [
      'Te veel links',
      'Vanaf je netwerk zijn te veel links aangevraagd. Probeer het over een uur opnieuw.',
    ],
    notFound: ['Hier is niets', 'Het adres van deze pagina klopt niet, of het account is er niet meer.'],
    later: ['Probeer het later opnieuw', 'De server heeft het druk of wordt gerepareerd.'],
    failed: ['Er ging iets mis', 'Ga terug en probeer het opnieuw.'],
  },
  event({ event, param }) {
    switch (event) {
      case 'PIN_CHECK_SUCCESS':
        return 'De juiste pincode is ingevoerd'
      case 'PIN_CHECK_FAILED':
        return `Een verkeerde pincode is ingevoerd (nog ${param === 1 ? '1 poging' : `${param} pogingen`})`
      case 'PIN_CHECK_BLOCKED':
        return `Geblokkeerd voor ${param} seconden na verkeerde pincodes`
      case 'PIN_CHECK_REFUSED':
        return 'Een pincode is geweigerd, omdat het account geblokkeerd was'
      case 'SESSION':
        return 'De wallet-app is in een sessie gebruikt'
    }
  },
}
