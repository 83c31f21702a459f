/** The sign-in page in German. @module */
import type { SignInTexts } from './words.ts'

export const GERMAN: SignInTexts = {
  title: site => `Anmelden bei ${site}`,
  name: 'Anmelden mit der Wallet',
  intro: 'Ihre Wallet-App zeigt, welche Daten die Website abfragt. Sie entscheiden in der App.',
  noScript: 'Diese Seite braucht JavaScript. Schalten Sie es ein und laden Sie die Seite neu.',
  preparing: 'Einen Moment. Ein Code wird erstellt.',
  scan: 'Scannen Sie diesen Code mit Ihrer Wallet-App.',
  codeLabel: 'QR-Code für Ihre Wallet-App',
  openApp: 'Wallet-App öffnen',
  showCode: 'QR-Code anzeigen',
  connected: 'Folgen Sie den Schritten in Ihrer Wallet-App.',
  returning:
    'Machen Sie auf der Seite weiter, die Ihre Wallet-App geöffnet hat. Hat sie einen anderen Browser geöffnet, zeigen Sie einen Code an.',
  pairing: 'Ihre Wallet-App zeigt einen Code aus vier Ziffern. Geben Sie ihn hier ein.',
  pairingLabel: 'Code in der App',
  pairingButton: 'Weiter',
  pairingWrong: 'Das ist ein anderer Code. Sehen Sie in der Wallet-App nach und geben Sie ihn erneut ein.',
  done: 'Fertig. Sie kehren zur Website zurück.',
  timeout: 'Der Code ist abgelaufen.',
  failed: 'Etwas ist schiefgegangen. Versuchen Sie es mit einem neuen Code.',
  again: 'Neuen Code erstellen',
  cancel: 'Abbrechen und zur Website zurück',
  error: {
    title: 'Diese Anmeldung ist beendet',
    text: 'Kehren Sie zur Website zurück und melden Sie sich dort erneut an.',
    cookies:
      'Ihr Browser hat kein Cookie gesendet. Erlauben Sie Cookies für diese Seite, denn die Anmeldung braucht sie.',
    request: {
      title: 'Diese Anmeldung kann nicht beginnen',
      text: 'Die Anfrage der Website enthält einen Fehler, den nur die Website beheben kann.',
    },
    logout: {
      title: 'Die Abmeldung ist hier nicht gelungen',
      text: 'Die Anfrage zum Abmelden ist ungültig oder wurde schon benutzt. Kehren Sie zur Website zurück und melden Sie sich dort erneut ab.',
    },
    fault: {
      title: 'Etwas ist schiefgegangen',
      text: 'Warten Sie eine Minute und laden Sie diese Seite neu.',
    },
    detail: 'Für die Website',
  },
  busy: {
    title: 'Zu viele Anmeldungen',
    text: 'Zu viele Personen melden sich gerade an. Warten Sie eine Minute, und laden Sie diese Seite neu.',
  },
  logout: {
    title: 'Abmelden',
    text: 'Möchten Sie sich auch hier abmelden? Die Websites, bei denen Sie angemeldet sind, werden benachrichtigt.',
    yes: 'Abmelden',
    no: 'Angemeldet bleiben',
    done: 'Sie sind abgemeldet',
    doneText: 'Sie können diese Seite schließen.',
  },
}
