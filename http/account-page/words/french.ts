/** The account page in French. A space that does not break stands before a colon and a question mark. @module */
import type { PageTexts } from './words.ts'

export const FRENCH: PageTexts = {
  language: 'Français',
  name: 'Compte de votre application de portefeuille',
  logOut: 'Se déconnecter',
  back: 'Retour au compte',
  ask: {
    title: 'Gérer votre compte',
    text: "Saisissez l'adresse e-mail que vous avez confirmée pour votre application de portefeuille. Nous vous enverrons un lien qui permet de consulter votre compte et de le supprimer.",
    address: 'Adresse e-mail',
    button: 'Envoyer le lien',
    refused: "Ce n'est pas une adresse e-mail. Saisissez une adresse telle que nom@example.com.",
    asked: 'Consultez votre messagerie',
    look: "Si cette adresse appartient à un compte, un lien vient de lui être envoyé. Il ne peut être utilisé qu'une seule fois, pendant 60 minutes. Vous n'avez rien reçu\u00a0? Vérifiez vos courriers indésirables ou demandez un autre lien dans deux minutes.",
  },
  login: {
    title: 'Se connecter',
    text: 'Vous avez ouvert le lien reçu par e-mail. Connectez-vous pour consulter votre compte. Vous serez déconnecté après 15 minutes.',
    button: 'Se connecter',
  },
  confirm: {
    title: 'Confirmer votre adresse e-mail',
    text: "Vous avez ouvert le lien reçu par e-mail. Appuyez sur le bouton pour confirmer que l'adresse vous appartient.",
    button: "Confirmer l'adresse",
    done: 'Votre adresse est confirmée',
    isYours: address => `${address} est désormais associée à votre compte. Vous pouvez fermer cette page.`,
  },
  choose: {
    title: 'Choisir un compte',
    text: address => `Ces comptes sont associés à l'adresse ${address}.`,
    lastUsed: 'dernière utilisation',
  },
  account: {
    title: 'Votre compte',
    userName: "Nom d'utilisateur",
    willBeDeleted: day => `Ce compte sera supprimé le ${day}, sauf s'il est utilisé d'ici là.`,
    addresses: 'Adresses e-mail',
    addAddress: 'Autre adresse e-mail',
    addText:
      'Pour ajouter une adresse ou recevoir de nouveau son lien, saisissez-la ici. Elle sera associée à votre compte dès que vous aurez ouvert le lien.',
    addButton: 'Envoyer le lien',
    mailed: address => `Un lien vient d'être envoyé à ${address}.`,
    notMailed:
      'Aucun e-mail ne peut parvenir à cette adresse. Saisissez une adresse telle que nom@example.com.',
    tooMany: 'Trop de liens ont été envoyés à cette adresse. Réessayez plus tard.',
    log: 'Activité',
    nothing: 'Aucune activité pour le moment.',
    newer: 'Plus récent',
    older: 'Plus ancien',
    deletion: 'Supprimer le compte',
    deletionText:
      'En cas de perte ou de vol de votre téléphone, supprimez le compte. Plus personne ne pourra alors utiliser les données de votre application de portefeuille.',
    deletionButton: 'Supprimer ce compte',
  },
  deletion: {
    title: 'Supprimer ce compte\u00a0?',
    text: userName =>
      `Le compte ${userName} sera aussitôt inutilisable. Plus personne ne pourra utiliser les données de votre application de portefeuille. Cette action est irréversible.`,
    days: days =>
      `Les autres données enregistrées de ce compte seront effacées dans ${days === 1 ? '1 jour' : `${days} jours`}.`,
    understood: 'Je comprends que les données de mon application de portefeuille seront perdues.',
    needed: 'Cochez la case pour supprimer le compte.',
    button: 'Supprimer définitivement',
    cancel: 'Conserver le compte',
    done: 'Le compte a été supprimé',
    doneText:
      "Votre application de portefeuille ne peut plus l'utiliser. Nous vous avons envoyé un e-mail à ce sujet.",
  },
  errors: {
    elsewhere: [
      "Ce formulaire provient d'un autre site",
      "Rien n'a été modifié. Ouvrez vous-même cette page et remplissez de nouveau le formulaire.",
    ],
    link: [
      "Ce lien n'est pas valable",
      'Il a déjà été utilisé ou il est trop ancien. Vous pouvez en demander un autre.',
    ],
    tooMany: [
      'Trop de liens',
      'Trop de liens ont été demandés depuis votre réseau. Réessayez dans une heure.',
    ],
    notFound: ['Page introuvable', "L'adresse de cette page est incorrecte, ou le compte n'existe plus."],
    later: ['Veuillez réessayer plus tard', 'Le serveur est surchargé ou en maintenance.'],
    failed: ["Une erreur s'est produite", 'Revenez en arrière et réessayez.'],
  },
  event({ event, param }) {
    switch (event) {
      case 'PIN_CHECK_SUCCESS':
        return 'Le bon code PIN a été saisi'
      case 'PIN_CHECK_FAILED':
        return `Un code PIN erroné a été saisi (il reste ${param === 1 ? '1 essai' : `${param} essais`})`
      case 'PIN_CHECK_BLOCKED':
        return `Bloqué pendant ${param} secondes après des codes PIN erronés`
      case 'PIN_CHECK_REFUSED':
        return 'Un code PIN a été refusé, car le compte était bloqué'
      case 'SESSION':
        return "L'application de portefeuille a été utilisée dans une session"
    }
  },
}
