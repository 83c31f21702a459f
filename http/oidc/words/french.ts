/** The sign-in page in French. @module */
import type { SignInTexts } from './words.ts'

export const FRENCH: SignInTexts = {
  title: site => `Se connecter à ${site}`,
  name: 'Se connecter avec votre portefeuille',
  intro:
    "Votre application de portefeuille indique les données que le site demande. C'est vous qui décidez dans l'application.",
  noScript: 'Cette page a besoin de JavaScript. Activez-le, puis rechargez la page.',
  preparing: 'Un instant. Un code est en cours de création.',
  scan: 'Scannez ce code avec votre application de portefeuille.',
  codeLabel: 'Code QR pour votre application de portefeuille',
  openApp: "Ouvrir l'application de portefeuille",
  showCode: 'Afficher un code QR',
  connected: 'Suivez les étapes dans votre application de portefeuille.',
  returning:
    'Continuez sur la page que votre application de portefeuille a ouverte. Si elle a ouvert un autre navigateur, affichez un code.',
  pairing: 'Votre application de portefeuille affiche un code à quatre chiffres. Saisissez-le ici.',
  pairingLabel: "Code affiché dans l'application",
  pairingButton: 'Continuer',
  pairingWrong: "Ce n'est pas le bon code. Vérifiez-le dans votre application, puis saisissez-le de nouveau.",
  done: 'Terminé. Vous retournez sur le site.',
  timeout: 'Le code a expiré.',
  failed: "Une erreur s'est produite. Réessayez avec un nouveau code.",
  again: 'Créer un nouveau code',
  cancel: 'Annuler et retourner sur le site',
  error: {
    title: 'Cette connexion est terminée',
    text: 'Retournez sur le site et connectez-vous de nouveau.',
    cookies:
      "Votre navigateur n'a envoyé aucun cookie. Autorisez les cookies pour cette page, car la connexion en a besoin.",
    request: {
      title: 'Cette connexion ne peut pas commencer',
      text: 'La demande du site contient une erreur, que seul le site peut corriger.',
    },
    logout: {
      title: 'La déconnexion a échoué ici',
      text: "La demande de déconnexion n'est pas valable ou a déjà servi. Retournez sur le site et déconnectez-vous de nouveau.",
    },
    fault: { title: "Une erreur s'est produite", text: 'Attendez une minute, puis rechargez cette page.' },
    detail: 'Pour le site',
  },
  busy: {
    title: 'Trop de connexions',
    text: 'Trop de personnes se connectent en ce moment. Attendez une minute, puis rechargez cette page.',
  },
  logout: {
    title: 'Se déconnecter',
    text: 'Voulez-vous aussi vous déconnecter ici\u00a0? Les sites sur lesquels vous êtes connecté en seront informés.',
    yes: 'Se déconnecter',
    no: 'Rester connecté',
    done: 'Vous êtes déconnecté',
    doneText: 'Vous pouvez fermer cette page.',
  },
}
