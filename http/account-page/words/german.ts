/** The account page in German. @module */
import type { PageTexts } from './words.ts'

export const GERMAN: PageTexts = {
  language: 'Deutsch',
  name: 'Konto Ihrer Wallet-App',
  logOut: 'Abmelden',
  back: 'Zurück zum Konto',
  ask: {
    title: 'Ihr Konto verwalten',
    text: 'Geben Sie die E-Mail-Adresse ein, die Sie für Ihre Wallet-App bestätigt haben. Wir senden Ihnen einen Link, mit dem Sie Ihr Konto ansehen und löschen können.',
    address: 'E-Mail-Adresse',
    button: 'Link senden',
    refused: 'Das ist keine E-Mail-Adresse. Geben Sie eine Adresse wie name@example.com ein.',
    asked: 'Sehen Sie in Ihrem Postfach nach',
    look: 'Wenn diese Adresse zu einem Konto gehört, ist ein Link unterwegs. Er kann einmal verwendet werden und ist 60 Minuten lang gültig. Nichts angekommen? Sehen Sie im Spam-Ordner nach, oder fordern Sie in zwei Minuten einen neuen Link an.',
  },
  login: {
    title: 'Anmelden',
    text: 'Sie haben den Link in unserer E-Mail geöffnet. Melden Sie sich an, um Ihr Konto anzusehen. Nach 15 Minuten werden Sie abgemeldet.',
    button: 'Anmelden',
  },
  confirm: {
    title: 'E-Mail-Adresse bestätigen',
    text: 'Sie haben den Link in unserer E-Mail geöffnet. Bestätigen Sie mit der Schaltfläche, dass die Adresse Ihnen gehört.',
    button: 'Adresse bestätigen',
    done: 'Ihre Adresse ist bestätigt',
    isYours: address => `${address} gehört jetzt zu Ihrem Konto. Sie können diese Seite schließen.`,
  },
  choose: {
    title: 'Konto auswählen',
    text: address => `Diese Konten haben die Adresse ${address}.`,
    lastUsed: 'zuletzt benutzt',
  },
  account: {
    title: 'Ihr Konto',
    userName: 'Benutzername',
    willBeDeleted: day => `Dieses Konto wird am ${day} gelöscht, wenn es bis dahin nicht benutzt wird.`,
    addresses: 'E-Mail-Adressen',
    addAddress: 'Weitere E-Mail-Adresse',
    addText:
      'Geben Sie hier eine Adresse ein, um sie hinzuzufügen oder ihren Link erneut zu erhalten. Sie gehört zu Ihrem Konto, sobald Sie den Link öffnen.',
    addButton: 'Link senden',
    mailed: address => `Ein Link ist unterwegs an ${address}.`,
    notMailed:
      'An diese Adresse kann keine E-Mail zugestellt werden. Geben Sie eine Adresse wie name@example.com ein.',
    tooMany: 'An diese Adresse wurden zu viele Links gesendet. Versuchen Sie es später erneut.',
    log: 'Aktivitäten',
    nothing: 'Bisher gibt es keine Aktivitäten.',
    newer: 'Neuere',
    older: 'Ältere',
    deletion: 'Konto löschen',
    deletionText:
      'Wenn Ihr Telefon verloren oder gestohlen ist, löschen Sie das Konto. Danach kann niemand die Daten in Ihrer Wallet-App verwenden.',
    deletionButton: 'Dieses Konto löschen',
  },
  deletion: {
    title: 'Dieses Konto löschen?',
    text: userName =>
      `Das Konto ${userName} ist dann sofort unbrauchbar. Die Daten in Ihrer Wallet-App kann danach niemand mehr verwenden. Das lässt sich nicht rückgängig machen.`,
    days: days =>
      `Alle übrigen gespeicherten Daten dieses Kontos werden in ${days === 1 ? '1 Tag' : `${days} Tagen`} gelöscht.`,
    understood: 'Mir ist bewusst, dass die Daten in meiner Wallet-App verloren gehen.',
    needed: 'Setzen Sie das Häkchen, um das Konto zu löschen.',
    button: 'Endgültig löschen',
    cancel: 'Konto behalten',
    done: 'Das Konto wurde gelöscht',
    doneText: 'Ihre Wallet-App kann es nicht mehr verwenden. Wir haben Ihnen dazu eine E-Mail gesendet.',
  },
  errors: {
    elsewhere: [
      'Dieses Formular kam von einer anderen Website',
      'Es wurde nichts geändert. Öffnen Sie diese Seite selbst und füllen Sie das Formular erneut aus.',
    ],
    link: [
      'Dieser Link ist nicht gültig',
      'Er wurde bereits verwendet oder ist zu alt. Sie können einen neuen anfordern.',
    ],
    tooMany: [
      'Zu viele Links',
      'Aus Ihrem Netzwerk wurden zu viele Links angefordert. Versuchen Sie es in einer Stunde erneut.',
    ],
    notFound: [
      'Seite nicht gefunden',
      'Die Adresse dieser Seite ist falsch, oder das Konto gibt es nicht mehr.',
    ],
    later: ['Bitte versuchen Sie es später erneut', 'Der Server ist ausgelastet oder wird gerade gewartet.'],
    failed: ['Etwas ist schiefgegangen', 'Gehen Sie zurück und versuchen Sie es erneut.'],
  },
  event({ event, param }) {
    switch (event) {
      case 'PIN_CHECK_SUCCESS':
        return 'Die richtige PIN wurde eingegeben'
      case 'PIN_CHECK_FAILED':
        return `Eine falsche PIN wurde eingegeben (noch ${param === 1 ? '1 Versuch' : `${param} Versuche`})`
      case 'PIN_CHECK_BLOCKED':
        return `Nach falschen PINs für ${param} Sekunden gesperrt`
      case 'PIN_CHECK_REFUSED':
        return 'Eine PIN wurde abgelehnt, weil das Konto gesperrt war'
      case 'SESSION':
        return 'Die Wallet-App wurde in einer Sitzung verwendet'
    }
  },
}
