//! Phrases of languages that are written with Latin letters.
//!
//! Written by hand from mail of companies, lists and programs in these languages. `|` separates
//! phrases; `*` after the last word of one matches any ending. Accents need no second spelling:
//! both sides lose them before they are compared.

use super::language::Language;

#[rustfmt::skip]
pub(super) static LANGUAGES: &[Language] = &[
    Language {
        code: "en",
        leave: "\
            remove from list|remove from mailing|remove from our|remove from my|\
            remove from this|remove from the list|remove from all|flag as|flagged as|\
            mark as junk|as junk|as spam|report junk|=junk mail|it wasn t me|it was not me|\
            wasn t you|this is not me|this isn t me|not my account|terminate my|\
            terminate subscription|terminate membership|terminate your|end my|end membership|\
            list option*|list setting*|list membership|subscriber option*|membership option*|\
            subscription option*|delivery setting*|digest mode|mailing list setting*|\
            stop writing|no more mail*|no more email*|no more message*|\
            unsubscrib*|unsub|opt out|optout|opting out|opted out|opt me out|remove me|\
            removeme|remove my|remove your|take me off|taken off|get off|stop receiving|\
            stop getting|stop these|stop this|stop all|stop mail*|stop email*|stop sending|\
            stop newsletter*|stop notif*|stop alerts|stop message*|stop further|to stop|\
            no longer wish|no longer want|no longer interested|no longer receive|\
            no longer like|don t want|dont want|do not want|do not wish|don t wish|\
            not want to receive|not wish to receive|do not email|don t email|do not contact|\
            rather not|prefer not to|not interested|leave this list|leave the list|\
            leave our list|leave this group|leave the group|leave list|be removed|\
            removed from|manage preferences|manage your|manage my|manage subscription*|\
            manage email*|manage notification*|email preference*|e mail preference*|\
            mail preference*|notification setting*|notification preference*|email setting*|\
            update preference*|update your preference*|update my preference*|\
            change preference*|change your preference*|your preference*|\
            communication preference*|subscription preference*|mailing preference*|\
            marketing preference*|contact preference*|preference cent*|subscription cent*|\
            subscription setting*|your subscription*|my subscription*|end subscription|mute|\
            unfollow|unwatch|turn off|turn these off|switch off|withdraw consent|\
            withdraw your consent|sign me off|signoff|pause email*|snooze|fewer email*|\
            less email|fewer message*|less often|too many email*|too many message*|how often|\
            email frequency|mail frequency|report abuse|report spam|report this|report it|\
            report as|report a problem with this|report phishing|mark as spam|\
            mark this as spam|this is spam|spam complaint|abuse report|file a complaint|\
            wasn t me|was not me|not you|isn t you|not your account|didn t request|\
            did not request|didn t sign up|did not sign up|didn t create|did not create|\
            didn t ask|did not ask|secure your account|secure my account|block sender|\
            block this|do not sell|don t sell|off the list|off our list|off this list|bye|\
            goodbye",
        act: "\
            resume my|resume subscription|lock my|lock card|lock the card|block my|block card|\
            block the card|freeze my|freeze card|transfer now|transfer money|transfer fund*|\
            send money|sign the document|sign the contract|sign the agreement|sign the form|\
            sign the lease|sign your|sign my|review and sign|read and sign|sign and return|\
            sign and send|sign and submit|=sign|ready to sign|sign electronically|\
            signature request*|update billing|billing detail*|billing info*|=downgrade|\
            downgrade my|downgrade plan|upgrade my|upgrade plan|change plan|change my|\
            update my|i am attending|won t attend|will not attend|not attending|deny access|\
            grant access|allow access|block access|access request|terminate account|i accept|\
            i decline|\
            fewer of these|tell the organizer|move my|release the payment|\
            release payment|this meeting to my calendar|add to my calendar|\
            get me|get us|wrong person|give us|give me|star rating|five stars|make this|\
            make it|flag this|flag it|that s me|that s my|that s mine|turn down|turn it down|\
            drop my|drop the|\
            drop out|was this you|is it really you|adjust|my seat|my place|my spot|hold my|\
            save my|let us know|sounds good|yes please|no thanks|no thank you|i m in|i m out|\
            sure|=ok|finish|=rate|=poll|=cast|confirm|confirmation|confirming|verify|\
            verification|validate|activate|activation|reactivate|approve|authorize|authorise|\
            accept|decline|reject|deny|rsvp|=vote|rate|rating|review your|review us|\
            leave a review|write a review|survey|questionnaire|feedback|tell us what|\
            tell us how|how did we|how are we|how was|how likely|how satisfied|how would you|\
            was this helpful|=helpful|thumbs up|thumbs down|respond|reply yes|reply no|\
            =attend|attending|i will attend|i ll be there|can t make it|=going|not going|\
            =maybe|count me in|cancel|cancellation|delete|erase|remove|close account|\
            close my account|close your account|deactivate|=disable|revoke|reset|recover|\
            forgot|password|passcode|unlock|sign in|signin|log in|login|log on|logon|\
            log me in|sign me in|magic link|one time|one click|single use|sign up|signup|\
            register|registration|enroll|enrol|subscribe|resubscribe|stay subscribed|keep me|\
            opt in|pay|pay now|=payment|invoice|checkout|check out now|complete your|\
            complete order|complete purchase|complete my|finish your|finish setting|\
            place order|buy now|renew|renewal|refund|redeem|=claim|get your reward|get my|\
            join|invite|invitation|invited you|download your|download once|your download|\
            your file|your files|your document|your ticket*|your order|your account|\
            my account|your profile|your device|view document|review document|track your|\
            track my|track order|track package|reschedule|change booking|change your|\
            update your|update payment|check in|sign document|sign now|e sign|esign|=agree|\
            i agree|disagree|consent|acknowledge|allow|=grant|merge now|release message|\
            release from quarantine|quarantine|moderate|=discard|get started|set up|setup|yes|\
            not now|remind me|mark as|dismiss|click to|clicking|is this you|is it you|\
            yes it was me|it was me|trust this|donate|enter now|enter to win|book now|\
            claim now|add to calendar|start trial|start your|start my|try it free|=upgrade|\
            =extend|keep my|=restore|=undo|postpone|=stop|step down|=withdraw|=resign|=assign|\
            take over|complete the|fill in|fill out|=submit",
        here: "here|click|click here|this link|the link|link|this|follow this link|\
            follow the link|tap here|press here|this page|go|ok|button|this button|open|\
            visit this|below|now|click this|click below|this url|this address|continue|\
            proceed|next|see|see also|at|there|also|cf|website|homepage|look at|for more|\
            for details|for more details|for more information|for further details|\
            for further information|for reference",
        read: "read more|more|full story|full article|read the full|read on|continue reading|\
            keep reading|learn more|read article|read the article|read story|read post|\
            read the post|read it|see more|more info|more information|details|find out more|\
            full text|source|original|original article|via|permalink|comments|discussion|\
            article|blog|documentation|docs|release notes|changelog|read the docs|wiki|\
            archive|archives",
    },
    Language {
        code: "de",
        leave: "\
            das war nicht ich|war nicht ich|bin ich nicht|war das nicht|als junk|\
            als unerwunscht*|phishing melden|listenoption*|listeneinstellung*|\
            listenmitgliedschaft|abo optionen|abooptionen|keine post mehr|\
            keine nachrichten mehr|mitgliedschaft beenden|\
            abmeld*|abgemeldet|abbestell*|austrag*|ausgetragen|newsletter abbestell*|\
            keine weiteren|keine mails|keine e mail*|keine newsletter|nicht mehr erhalten|\
            nicht mehr empfangen|nicht langer|nicht laenger|kein interesse|melden sie sich ab|\
            meld dich ab|vom newsletter|aus dem verteiler|aus der liste|von der liste|\
            aus verteiler|verteiler loschen|abo verwalten|abo beenden|abonnement verwalten|\
            abonnement beenden|abonnements verwalten|einstellungen verwalten|\
            einstellungen andern|einstellungen aendern|e mail einstellungen|\
            mail einstellungen|praferenzen|praeferenzen|benachrichtigungseinstellungen|\
            benachrichtigungen verwalten|benachrichtigungen abstellen|\
            benachrichtigungen deaktivieren|stummschalten|abschalten|widerrufen|einwilligung|\
            missbrauch melden|missbrauch|spam melden|als spam|war ich nicht|nicht von ihnen|\
            nicht von mir|haben sie das nicht|nicht angefordert|nicht bestellt|seltener|\
            weniger mails|abwahlen|ausschliessen|sperren|nicht mehr|kuendigen|kundigen",
        act: "\
            nehme teil|nehme nicht teil|nehme ich teil|werde teilnehmen|bin ich dabei|\
            nicht dabei|pausieren|zugriff gewahr*|zugang gewahr*|zugriff erlaub*|\
            zugriff verweiger*|zugang verweiger*|zugriff entzieh*|=gewahren|=verweigern|\
            =zulassen|=erlauben|karte sperr*|signieren|digital signieren|tarif wechseln|\
            uberweisen|jetzt uberweisen|zahlungsdaten|zahlungsmittel|fortsetzen|\
            bin dabei|ich bin am|kann ich am|nur noch einmal|ware schon erhalten|\
            fünf sterne|fünf sternen|\
            ich bin dabei|ich komme|bin dabei|\
            bestatig*|bestaetig*|verifizier*|prufen sie|freischalt*|freigeben|freigabe|\
            aktivier*|deaktivier*|genehmig*|zustimm*|einverstanden|annehm*|akzeptier*|ablehn*|\
            absag*|zusag*|teilnehm*|abstimm*|stimmen sie|stimme abgeben|bewert*|umfrage|\
            feedback|wie zufrieden|wie war|stornier*|losch*|loesch*|entfern*|zurucksetz*|\
            zuruecksetz*|passwort*|kennwort*|anmeld*|einlogg*|login|log in|registrier*|\
            bezahl*|zahlen|jetzt zahlen|zahlung|rechnung|einladung|beitret*|einlosen|\
            einloesen|herunterladen|konto|ihr konto|dein konto|ihr profil|bestellung|\
            ihre bestellung|termin|verschieben|unterschreib*|unterzeichn*|verlanger*|\
            verlaenger*|erneuern|beenden|stoppen|ja|nein|vielleicht|abschliessen|jetzt buchen|\
            sichern",
        here: "hier|klick|klicken|hier klicken|klicken sie hier|klick hier|diesen link|\
            diesem link|folgenden link|link|dieser link|weiter|auf den link|button|\
            schaltflache|dort",
        read: "weiterlesen|mehr lesen|mehr|zum artikel|artikel lesen|ganzer artikel|\
            mehr erfahren|mehr dazu|zum beitrag|lesen sie mehr|hier weiterlesen|quelle|\
            details|vollstandiger artikel|den ganzen artikel|weitere informationen|archiv",
    },
    Language {
        code: "fr",
        leave: "\
            n etait pas moi|n est pas moi|pas ete moi|couper les notif*|comme spam|\
            comme indesirable|options de la liste|options d abonnement|options de liste|\
            arreter la reception|mettre fin a mon|\
            desabon*|desinscri*|desincri*|se desinscrire|me desinscrire|vous desinscrire|\
            vous desabonner|ne plus recevoir|plus recevoir|ne souhaitez plus|ne desirez plus|\
            ne voulez plus|ne plus etre|retirer de la liste|retirez moi|me retirer|\
            quitter la liste|arreter les|stopper les|gerer vos preferences|gerer mes|\
            gerer vos|gerer les|preferences|parametres de notification*|parametres d e mail|\
            parametres e mail|gerer l abonnement|resilier|signaler un abus|signaler un spam|\
            signaler|signaler comme|indesirable|pas vous|n etes pas a l origine|\
            n avez pas demande|retirer mon consentement|desactiver les|moins souvent|\
            frequence|opposer|opposition",
        act: "\
            mon avis|donner un avis|laisser un avis|deposer un avis|utiliser mon bon|mon bon|\
            mon coupon|bloquer ma|bloquer la carte|verrouiller ma|verrouiller la carte|\
            geler ma|donner acces|donner l acces|accorder l acces|refuser l acces|\
            je serai present*|je serai absent*|je ne viendrai|je viendrai|j accepte|je refuse|\
            fermer mon|fermer le compte|cloturer|virer maintenant|mettre a niveau|\
            je serai là|je ne pourrai|je ne veux|mon accord|cinq étoiles|déplacer mon|\
            suspendre ma|continuer à recevoir|\
            confirm*|verifi*|valide*|valider|activer|activez|activation|desactiv*|approuv*|\
            autoris*|accepter|acceptez|accepte|decliner|declinez|refuser|refusez|rejeter|\
            rejetez|voter|votez|vote|notez|noter|evaluer|evaluez|donnez votre avis|votre avis|\
            sondage|enquete|participer|je participe|presence|annuler|annulez|annulation|\
            supprim*|effacer|effacez|retirer|reinitialis*|mot de passe|connexion|connecter|\
            se connecter|connectez*|inscription|inscri*|abonner|payer|payez|paiement|regler|\
            reglez|facture|invitation|rejoindre|rejoignez|telecharg*|votre compte|mon compte|\
            commande|votre commande|profitez|reporter|signer|signez|renouvel*|oui|non|\
            peut etre|finalis*|stop|arreter",
        here: "ici|cliquez|cliquez ici|cliquer ici|ce lien|lien|le lien|suivant|ci dessous|\
            bouton|ce bouton|suivez ce lien|continuer|clic",
        read: "lire la suite|lire plus|en savoir plus|suite|lire l article|voir l article|\
            plus|la suite|article complet|lire l article complet|source|decouvrir|\
            plus d infos|plus d informations|details",
    },
    Language {
        code: "es",
        leave: "\
            no fui yo|no he sido yo|no era yo|no soy yo|marcar como spam|es spam|\
            correo basura|opciones de la lista|opciones de lista|opciones de suscripci*|\
            terminar suscripci*|terminar mi suscripci*|no mas correos|no me escriban|\
            darse de baja|darme de baja|dar de baja|date de baja|dese de baja|de baja|\
            baja|desuscri*|dessuscri*|cancelar suscripci*|cancelar la suscripci*|\
            cancelar mi suscripci*|cancelar tu suscripci*|cancelar su suscripci*|\
            anular suscripci*|anular la suscripci*|anular su suscripci*|dejar de recibir|\
            deje de recibir|no recibir mas|no deseo|no desea recibir|no deseas recibir|\
            no desea|no quiero recibir|no quieres recibir|no quiere|ya no|eliminarme|\
            eliminar mi|borrarme|quitarme|salir de la lista|abandonar la lista|preferencias|\
            gestionar|administrar suscripci*|administrar sus|administrar tus|\
            configuracion de notificaci*|configurar notificaci*|desactivar notificaci*|\
            silenciar|denunciar|reportar|informar de abuso|correo no deseado|no fuiste tu|\
            no ha sido usted|no has sido tu|no solicitaste|no ha solicitado|\
            retirar consentimiento|menos correos|frecuencia",
        act: "\
            bloquear la tarjeta|bloquear tarjeta|congelar mi|dar acceso|conceder acceso|\
            permitir acceso|=denegar|=permitir|denegar acceso|cerrar mi cuenta|\
            cerrar la cuenta|cerrar cuenta|transferir ahora|no asistire|asistiremos|\
            actualizar pago|cambiar plan|mejorar plan|datos de pago|\
            estaré allí|no podré|no quiero|suspender la entrega|cambiar mi|\
            ya he recibido|bloquear mi|cinco estrellas|visto bueno|\
            confirm*|verific*|valid*|activar|=active|activa|activacion|desactivar|aprobar|\
            apruebe|aprueba|autoriz*|aceptar|acepte|acepta|declinar|rechaz*|votar|=vote|=vota|\
            calific*|valor*|puntua*|opinion|encuesta|asistir|asistire|asistencia|cancel*|\
            anular|anule|elimin*|borrar|borre|quitar|restablec*|contrasena|recuperar|\
            iniciar sesion|inicia sesion|inicie sesion|acceder|accede|entrar|registr*|inscri*|\
            suscri*|pagar|pague|paga|=pago|factura|invitacion|unirse|unete|canje*|descarg*|\
            su cuenta|tu cuenta|mi cuenta|pedido|tu pedido|su pedido|reprogram*|firmar|firme|\
            firma|renovar|renueve|si|no|quizas|tal vez|detener|parar|complet*",
        here: "aqui|haga clic|haz clic|haga clic aqui|haz clic aqui|pulse aqui|pulsa aqui|\
            clic aqui|este enlace|enlace|el enlace|siguiente enlace|pincha aqui|pinche aqui|\
            boton|continuar|clic",
        read: "leer mas|seguir leyendo|leer el articulo|ver mas|mas informacion|mas|saber mas|\
            leer articulo|articulo completo|noticia completa|fuente|ver noticia|\
            leer la noticia|detalles",
    },
    Language {
        code: "it",
        leave: "\
            non sono stato io|non sono stata io|non ero io|non sono io|non l ho fatto io|\
            posta indesiderata|come spam|opzioni lista|opzioni della lista|\
            opzioni di iscrizione|niente piu email|basta email|\
            disiscri*|annulla iscrizione|annulla l iscrizione|annullare l iscrizione|\
            cancellati|cancellarsi|cancellarmi|cancellami|cancella iscrizione|\
            cancellare l iscrizione|cancella la tua iscrizione|rimuovimi|rimuovermi|\
            non ricevere piu|non desideri|non desidero|non vuoi piu|non voglio|non vuole|\
            piu ricevere|smettere di ricevere|preferenze|gestisci|gestire|\
            impostazioni di notifica|impostazioni e mail|impostazioni email|\
            disattiva notific*|disattivare le notific*|segnala|segnalare|segnala abuso|\
            non sei stato tu|non hai richiesto|non ha richiesto|revoca|lascia la lista|\
            abbandona|meno email|frequenza|disdici|disdire",
        act: "\
            chiudi il mio|chiudi account|chiudi conto|chiudi l account|chiudere l account|\
            chiudere il conto|mio account|mio conto|bloccare la carta|blocca carta|\
            blocca la carta|blocca la mia|congela la|=consenti|=consentire|=nega|nega accesso|\
            concedi accesso|concedere l accesso|non parteciper*|trasferisci ora|bonifico ora|\
            aggiorna pagamento|cambia piano|\
            ci sarò|non potrò|voglio continuare|cinque stelle|ho già ricevuto|\
            bloccare la mia|toglietemi|dare il consenso|spostare il mio|\
            conferm*|verific*|convalid*|valida|attiva|attivare|attivazione|disattiv*|\
            approva*|approvo|autorizz*|accett*|declin*|rifiut*|respingi|=vota|votare|valuta|\
            valutare|valutazione|recension*|sondaggio|opinione|partecip*|annull*|cancell*|elimin*|\
            rimuov*|reimposta*|reimpostare|ripristin*|password|acced*|login|=entra|registra*|\
            iscri*|paga|pagare|pagamento|saldare|fattura|invito|unisciti|unirsi|riscatt*|\
            scarica|scaricare|il tuo account|tuo account|suo account|ordine|tuo ordine|\
            riprogramm*|firma|firmare|rinnova*|si|no|forse|ferma|fermare|interrompi|complet*",
        here: "qui|clicca|clicca qui|cliccare qui|clicchi qui|questo link|link|il link|\
            seguente link|pulsante|fai clic|fare clic|fai clic qui|fare clic qui|continua|\
            clic",
        read: "leggi tutto|continua a leggere|leggi di piu|leggi|leggi l articolo|\
            scopri di piu|approfondisci|articolo completo|altro|fonte|maggiori informazioni|\
            dettagli",
    },
    Language {
        code: "pt",
        leave: "\
            nao era eu|nao sou eu|lixo eletronico|como spam|opcoes da lista|opcoes de lista|\
            opcoes de inscri*|encerrar assinatura|terminar subscri*|nao me enviem|\
            cancelar inscri*|cancelar a inscri*|cancelar sua inscri*|cancelar assinatura|\
            cancelar a assinatura|cancelar subscri*|cancelar a subscri*|anular subscri*|\
            anular a subscri*|descadastr*|desinscre*|desinscri*|dessubscre*|sair da lista|\
            remover me|remover meu|retirar me|deixar de receber|nao receber mais|nao deseja|\
            nao desejar|nao quero|nao quer mais|nao quiser|parar de receber|preferencias|\
            gerenciar|gerir|configuracoes de notifica*|definicoes de notifica*|\
            configuracoes de e mail|desativar notifica*|silenciar|denunciar|reportar|\
            nao foi voce|nao fui eu|nao solicitou|revogar|menos e mails|frequencia|\
            cancelar o recebimento|cancelar recebimento",
        act: "\
            fechar conta|fechar a conta|fechar minha|encerrar conta|encerrar minha|\
            bloquear cartao|bloquear o cartao|bloquear meu cartao|congelar cartao|\
            conceder acesso|permitir acesso|=permitir|negar acesso|=negar|nao vou|\
            nao comparecer*|transferir agora|atualizar pagamento|mudar plano|\
            estarei lá|não poderei|quero continuar|cinco estrelas|já recebi|bloquear meu|\
            mudar minha|suspender a entrega|\
            confirm*|verific*|valid*|ativar|ative|ativacao|activar|=active|desativ*|aprovar|\
            aprove|autoriz*|aceitar|aceite|recusar|recuse|rejeit*|declin*|votar|=vote|avali*|\
            classific*|opiniao|pesquisa de satisf*|inquerito|particip*|presenca|cancel*|\
            anular|exclu*|apagar|apague|elimin*|remover|remova|redefin*|repor|senha|\
            palavra passe|recuperar|entrar|=entre|iniciar sessao|inicie sessao|fazer login|\
            login|acessar|acesse|aceder|registr*|cadastr*|inscrev*|assinar|pagar|pague|\
            pagamento|boleto|fatura|convite|junte se|participar|resgat*|baixar|baixe|\
            descarregar|sua conta|minha conta|pedido|seu pedido|reagend*|assine|renov*|sim|\
            nao|talvez|parar|complet*|conclu*",
        here: "aqui|clique|clique aqui|clicar aqui|este link|link|o link|neste link|\
            seguinte link|botao|prossiga|continuar|carregue aqui",
        read: "leia mais|ler mais|continue lendo|continuar a ler|saiba mais|ver mais|mais|\
            leia a materia|ler artigo|artigo completo|noticia completa|fonte|mais informacoes|\
            detalhes",
    },
    Language {
        code: "nl",
        leave: "\
            ik was dit niet|dit was ik niet|dat was ik niet|was ik niet|ben ik niet|\
            als ongewenst*|lijstopties|lijstinstelling*|abonnementsopties|geen berichten meer|\
            stop met mailen|\
            schrijf je hier|schrijf u hier|meld je hier|meld u hier|afmeld*|uitschrij*|\
            schrijf je uit|schrijf u uit|schrijf uit|meld je af|meld u af|meld mij af|opzeg*|\
            zeg op|niet meer ontvangen|geen mails|geen e mail*|geen nieuwsbrie*|niet langer|\
            wil je geen|wilt u geen|geen interesse|van de lijst|uit de lijst|verwijder mij|\
            verwijder me|voorkeuren|beheer*|instellingen voor meldingen|meldingsinstellingen|\
            e mailinstellingen|meldingen uit*|uitzetten|dempen|misbruik*|meld spam|\
            spam melden|als spam|niet door jou|niet aangevraagd|was jij dit niet|intrekken|\
            minder vaak|minder mail*|toestemming",
        act: "\
            =account|account sluit*|rekening sluiten|sluit account|sluit mijn|ik kom|\
            ik kom niet|ik neem deel|=toestaan|=toelaten|toegang verlen*|toegang geven|\
            toegang weiger*|kaart blokker*|blokkeer mijn|blokkeer kaart|blokkeer de kaart|\
            =opheffen|=overmaken|nu overmaken|betaalgegevens|hervat*|pauzeer*|\
            ik ben er|ik kan er|vijf sterren|goederen al ontvangen|mijn afspraak|\
            blijven ontvangen|stilzetten|\
            bevestig*|verifie*|controleer je|activeer*|activeren|deactiveer*|goedkeur*|\
            keur goed|sta toe|accepteer*|aanvaard*|weiger*|afwijz*|wijs af|=stem|stemmen|\
            beoordeel*|beoordeling|waardeer*|enquete|feedback|hoe tevreden|aanwezig*|deelnem*|\
            neem deel|annuleer*|annuleren|verwijder*|=wis|wissen|reset*|wachtwoord*|herstel*|\
            inlogg*|log in|login|aanmeld*|registreer*|inschrijv*|betaal*|betalen|betaling|\
            factuur|uitnodiging|sluit je aan|verzilver*|download*|je account|uw account|\
            bestelling|je bestelling|verzet*|ondertekenen|onderteken|verleng*|ja|nee|\
            misschien|stop|stoppen|afrond*|rond af",
        here: "hier|klik|klik hier|deze link|link|de link|volgende link|knop|deze knop|\
            ga verder|verder",
        read: "lees meer|lees verder|meer lezen|meer|lees het artikel|naar het artikel|\
            volledig artikel|meer informatie|meer weten|bron|details",
    },
    Language {
        code: "sv",
        leave: "\
            inga fler mejl|inga fler mail*|inga fler utskick|inga fler e post*|\
            inga fler meddelan*|inga fler brev|farre utskick|var inte jag|det var inte jag|\
            ar inte jag|sag upp|saga upp|uppsagning|som skrappost|som spam|listinstallning*|\
            listalternativ|\
            avregistrer*|avprenumer*|avanmal*|avsluta prenum*|avsluta din prenum*|\
            avbestall*|sluta fa|inte langre|vill inte ha|vill du inte|inte vill|ta bort mig|\
            lamna listan|installningar for avis*|aviseringsinstallningar|e postinstallningar|\
            mejlinstallningar|hantera*|stang av|rapportera*|anmal missbruk|anmal skrappost|\
            skrappost|var det inte du|inte du|inte begart|aterkalla|farre mejl|mer sallan|\
            avboj utskick|preferenser",
        act: "\
            stang konto*|stang mitt|=konto|=kontot|avsluta konto*|sparra kort*|las kort*|\
            frys kort*|=bevilja|neka atkomst|ge atkomst|=tillat|jag deltar|kommer inte|\
            overfor nu|uppgradera|nedgradera|ateruppta|=pausa|underteckna|\
            jag är med|kan tyvärr|fem stjärnor|vill fortsätta|spärra mitt|höra av er|\
            redan fått|\
            bekraft*|verifier*|validera*|aktivera|aktivering|inaktivera|godkann*|acceptera|\
            tacka ja|tacka nej|avvisa|avboj|neka|rosta|=rost|betygsatt|=betyg|omdome|enkat|\
            feedback|hur nojd|=osa|=delta|jag kommer|avboka|avbryt|annullera|radera|ta bort|\
            aterstall*|losenord*|logga in|inloggning|registrera|anmal*|prenumerera|betala|\
            betalning|faktura|inbjudan|ga med|losa in|hamta|ladda ner|ditt konto|bestallning|\
            din bestallning|boka om|signera|skriv under|forny*|ja|nej|kanske|stoppa|slutfor",
        here: "har|klicka|klicka har|denna lank|lank|lanken|foljande lank|knappen|fortsatt|\
            trycka har",
        read: "las mer|las hela|fortsatt lasa|las artikeln|mer|hela artikeln|mer information|\
            kalla",
    },
    Language {
        code: "no",
        leave: "\
            ikke send|ikke flere e post*|var ikke meg|det var ikke meg|er ikke meg|\
            som soppelpost|som spam|listeinnstilling*|listevalg|\
            melde deg|melde meg|melde av|avmeld*|meld deg av|meld meg av|\
            avslutt abonnement*|si opp|slutt a motta|ikke lenger|onsker ikke|onsker du ikke|\
            vil ikke ha|vil du ikke|fjern meg|ut av listen|forlat listen|\
            varslingsinnstillinger|e postinnstillinger|administrer*|innstillinger for varsler|\
            sla av|rapporter*|misbruk|soppelpost|var ikke deg|ikke deg|ikke bedt om|\
            trekk tilbake|samtykke|farre e post*|preferanser|stopp utsendelser",
        act: "\
            =konto|lukk konto*|steng konto*|avslutt konto*|sperr kort*|las kort*|gi tilgang|\
            nekt tilgang|=tillat|jeg deltar|kommer ikke|overfor na|oppgrader|nedgrader|\
            gjenoppta|pause abonnement*|=signer|\
            kan dessverre|ta meg av|fem stjerner|høre fra dere|\
            bekreft*|verifiser*|valider*|aktiver*|deaktiver*|godkjenn*|aksepter*|godta|\
            takk ja|takk nei|avvis*|avsla|=stem|stemme|vurder*|vurdering|undersokelse|\
            tilbakemelding|hvor fornoyd|delta|jeg kommer|avbestill*|avbryt|kanseller*|slett*|\
            fjern*|tilbakestill*|nullstill*|passord*|logg inn|logg pa|innlogging|registrer*|\
            pamelding|meld deg pa|abonner*|betal*|betaling|faktura|invitasjon|bli med|los inn|\
            last ned|din konto|kontoen din|bestilling*|endre time|signer*|underskriv|forny*|\
            ja|nei|kanskje|stopp|fullfor",
        here: "her|klikk|klikk her|trykk her|denne lenken|lenke|lenken|folgende lenke|knappen|\
            fortsett",
        read: "les mer|les hele|les videre|les saken|mer|hele saken|les artikkelen|\
            mer informasjon|kilde",
    },
    Language {
        code: "da",
        leave: "\
            ikke flere mail*|ikke flere e mail*|ikke flere beskeder|ikke flere nyhedsbrev*|\
            modtag ikke|var ikke mig|det var ikke mig|er ikke mig|uonsket mail|uonsket post|\
            som spam|som uonsket|listeindstilling*|listevalg|\
            afmeld*|frameld*|meld dig fra|meld mig fra|opsig*|afslut abonnement*|\
            ikke laengere|ikke lengere|onsker ikke|onsker du ikke|vil ikke|vil du ikke|\
            stop med at|fjern mig|forlad listen|af listen|notifikationsindstillinger|\
            e mailindstillinger|administrer*|indstillinger for|sla fra|slå fra|anmeld misbrug|\
            rapporter*|misbrug|var det ikke dig|ikke dig|ikke anmodet|traek tilbage|samtykke|\
            faerre mail*|sjaeldnere|praeferencer|slip for|ikke modtage",
        act: "\
            =konto|luk konto*|luk min|afslut konto*|spaer kort*|las kort*|giv adgang|\
            afvis adgang|naegt adgang|=tillad|jeg deltager|kommer ikke|overfor nu|opgrader|\
            nedgrader|genoptag|underskriv|\
            kan desværre|fem stjerner|høre fra jer|\
            bekraeft*|bekraft*|verificer*|valider*|aktiver*|deaktiver*|godkend*|accepter*|\
            tak ja|tak nej|afvis*|afsla|=stem|stemme|bedom*|anmeldelse|vurder*|sporgeskema|\
            undersogelse|feedback|hvor tilfreds|deltag*|jeg kommer|afbestil*|annuller*|=slet|\
            slette|fjern*|nulstil*|adgangskode*|kodeord*|log ind|login|log pa|registrer*|\
            tilmeld*|abonner*|betal*|betaling|faktura|invitation|deltag|bliv medlem|indlos*|\
            =hent|download*|din konto|ordre|bestilling*|din ordre|flyt tid|underskriv*|forny*|\
            ja|nej|maske|stop|faerdiggor",
        here: "her|klik|klik her|tryk her|dette link|link|linket|folgende link|knappen|\
            fortsaet",
        read: "laes mere|laes hele|laes videre|mere|hele artiklen|laes artiklen|\
            mere information|kilde",
    },
    Language {
        code: "fi",
        leave: "\
            en ollut mina|en se mina ollut|en se ollut mina|se en ollut mina|en mina ollut|\
            se en ole mina|roskapostiksi|listan asetuk*|listan valinna*|ala laheta|ei enempaa|\
            peruuta tilau*|peru tilau*|peruuttaa tilau*|peruuta uutiskir*|lopeta tilau*|\
            lopettaa tilau*|tilauksen peru*|tilauksen lopet*|poistu listalta|poistua listalta|\
            eroa listalta|en halua|et halua|ei enaa|emme enaa|lopeta viestit|poista minut|\
            hallitse*|hallinnoi*|ilmoitusasetuk*|sahkopostiasetuk*|asetukset|\
            poista ilmoitukset|mykista|ilmoita vaarinkay*|ilmoita roskapost*|ilmianna|\
            roskapost*|et ollut sina|etko pyytanyt|et pyytanyt|peru suostumus|harvemmin|\
            uutiskirjeen peru*|peruuttamaan|perua|kielto|mieltymyk*",
        act: "\
            sulje tili*|=tili|lukitse kort*|sulje kort*|jaadyta kort*|myonna paasy|esta paasy|\
            salli paasy|evaa|en osallistu|en tule|siirra nyt|paivita maksu*|muuta tilau*|\
            jatka tilau*|keskeyta*|\
            pois postituslistalta|pois listalta|en pääse|en valitettavasti|viisi tähteä|\
            siirrä aika*|\
            vastaa*|kysely*|vahvist*|varmenn*|varmist*|tarkista|aktivoi*|ota kayttoon|\
            poista kaytosta|hyvaksy*|salli|hylkaa*|hylata|kieltaydy*|torju|aanesta*|aanestys|\
            arvioi*|arvostele*|palaute|kysely|kuinka tyytyvainen|osallistu*|ilmoittaudu*|\
            peruuta*|peruuttaa|peru|poista*|nollaa*|palauta|salasana*|kirjaudu*|sisaankirjau*|\
            rekisteroidy*|rekisteroi|tilaa|liity*|maksa*|maksu|lasku|kutsu*|lunasta*|lataa*|\
            tilisi|tililla*|tilauksesi|tilaus|siirra aika|allekirjoita*|uusi tilau*|kylla|ei|\
            ehka|lopeta*|pysayta*|viimeistele*",
        here: "tasta|tata linkkia|klikkaa|klikkaa tasta|napsauta|napsauta tasta|paina tasta|\
            linkki|linkista|tama linkki|seuraava linkki|painike|jatka",
        read: "lue lisaa|lue koko|jatka lukemista|lue artikkeli|lisaa|koko juttu|\
            koko artikkeli|lisatietoja|lahde|katso lisaa",
    },
    Language {
        code: "pl",
        leave: "\
            to nie ja|to nie bylem ja|to nie bylam ja|jako spam|opcje listy|ustawienia listy|\
            opcje subskrypcj*|zakoncz subskr*|wypowiedz umow*|nie wysylaj*|\
            wypisz*|wypisa*|zrezygn*|rezygnac*|rezygnuj*|anuluj subskr*|anulowac subskr*|\
            anulowanie subskr*|odsubskr*|nie chcesz|nie chce|nie zycz*|przestan|usun mnie|\
            usunac mnie|usun moj|z listy|opusc list*|ustawienia powiadomien|zarzadz*|\
            preferencj*|wylacz powiadom*|wycisz*|zglos*|naduzyc*|spam|to nie ty|nie ty|\
            nie prosil*|wycofuje zgod*|wycofac zgode|wycofaj zgode|rzadziej|mniej wiadomosci|\
            wyrejestr*",
        act: "\
            zablokuj kart*|zamroz kart*|zamknij konto|zamknij moje|udziel dostep*|\
            zezwol na dostep|odmow dostep*|nie wezme|=przyjde|nie przyjde|wykonaj przelew|\
            przelej|zmien plan|wznow*|wstrzymaj*|\
            będę w|nie mogę w|chcę nadal|pięć gwiazdek|już otrzymałem|wstrzymaj|\
            zablokuj moj*|\
            ocenia*|ocen*|aktywacj*|potwierd*|potwierdz*|zweryfik*|weryfik*|aktyw*|\
            dezaktyw*|zatwierd*|zatwierdz*|zaakcept*|akcept*|zezwol*|odrzu*|odmow*|odmaw*|\
            zaglosuj|glosuj|glosow*|ocen|ocenic|ocena|oceny|ankiet*|opini*|wez udzial|udzial|\
            anuluj*|anulow*|odwolaj|usun*|skasuj|wyczysc|zresetuj*|reset*|hasl*|zaloguj*|\
            logow*|zarejestr*|rejestr*|zapisz sie|subskrybuj|zaplac*|oplac*|platnosc*|faktur*|\
            zapros*|dolacz*|odbierz|pobierz|twoje konto|konto|zamowien*|przeloz|podpisz*|\
            odnow*|przedluz*|tak|nie|moze|zatrzym*|dokoncz*",
        here: "tutaj|tu|kliknij|kliknij tutaj|kliknij tu|ten link|link|tego linku|\
            ponizszy link|przycisk|dalej|klikajac|odnosnik",
        read: "czytaj wiecej|czytaj dalej|czytaj calosc|wiecej|przeczytaj|przeczytaj wiecej|\
            caly artykul|dowiedz sie wiecej|zrodlo|wiecej informacji|szczegoly",
    },
    Language {
        code: "cs",
        leave: "\
            nebyl jsem to|nebyla jsem to|to jsem nebyl*|to nejsem ja|nebyl to ja|jako spam|\
            jako nevyzadan*|nastaveni seznamu|moznosti seznamu|ukoncit clenstvi|neposilejte|\
            odhlas*|odhlaseni|zrusit odber|zruste odber|zruseni odber*|zrusit zasilani|\
            zrusit newsletter|nechcete|nechci|nepreji|neprejete|uz nechc*|odstranit me|\
            vyradit|opustit seznam|ze seznamu|spravovat*|sprava odber*|predvolb*|\
            nastaveni oznam*|nastaveni upozorn*|nastaveni e mail*|vypnout*|ztlumit|nahlasit*|\
            zneuziti|spam|nebyli jste|nejste to vy|nezadali|odvolat souhlas|mene casto|\
            mene e mail*|ukoncit odber",
        act: "\
            zablokovat kart*|zablokujte kart*|uzavrit ucet|udelit pristup|odeprit pristup|\
            zamitnout pristup|povolit pristup|neprijdu|nezucastn*|prevest nyni|zmenit tarif|\
            přijdu|nemůžu přijít|chci dál|pět hvězdiček|už dostal|pozastavit|\
            aktivac*|vypln*|potvrd*|potvrz*|overit|overte|overeni|aktivov*|aktivuj*|\
            deaktiv*|schval*|povol*|prijm*|prijem*|prijmout|akcept*|odmit*|zamit*|hlas*|\
            hlasov*|ohodno*|hodnoc*|recenz*|dotaznik|anket*|zpetna vazba|\
            zpetnou vazbu|zpetne vazby|zucast*|zrus*|storn*|\
            smaz*|odstran*|obnov*|resetov*|hesl*|prihlas*|registr*|odebir*|zaplat*|platb*|\
            uhrad*|faktur*|pozvan*|pripoj*|uplatn*|stahn*|vas ucet|ucet|objednav*|presun*|\
            podeps*|prodlouz*|ano|ne|mozna|zastav*|dokonc*",
        here: "zde|klikn*|kliknete|kliknete zde|kliknutim|tento odkaz|odkaz|na odkaz|tlacitk*|\
            pokracovat|tady|sem",
        read: "cist dale|cist vice|vice|pokracovat ve cteni|cely clanek|precist|\
            zobrazit clanek|vice informaci|zdroj|podrobnosti|vice zde",
    },
    Language {
        code: "sk",
        leave: "\
            nebol som to|nebola som to|to som nebol*|to nie som ja|nebol to ja|ako spam|\
            nastavenia zoznamu|moznosti zoznamu|ukoncit clenstvo|neposielajte|\
            odhlas*|odhlasenie|zrusit odber|zruste odber|zrusenie odber*|nechcete|nechcem|\
            nezelam*|nezelate|uz nechc*|vyradit|odstranit ma|opustit zoznam|zo zoznamu|\
            spravovat*|predvolb*|nastavenia oznam*|nastavenia upozorn*|nastavenia e mail*|\
            vypnut*|stlmit|nahlasit*|zneuzit*|neboli ste|nie ste to vy|neziadali|\
            odvolat suhlas|menej casto|ukoncit odber",
        act: "\
            zablokovat kart*|zablokujte kart*|zatvorit ucet|udelit pristup|odopriet pristup|\
            povolit pristup|neprid*|nezucast*|podpisat|\
            aktivac*|vypln*|potvrd*|overit|overte|overeni|aktivov*|aktivuj*|deaktiv*|\
            schval*|povol*|prijm*|prijat|akcept*|odmiet*|zamiet*|hlas*|ohodno*|hodnot*|\
            recenz*|dotaznik|anket*|spatna vazba|spatnu vazbu|\
            spatnej vazby|zucast*|zrus*|storn*|zmaz*|vymaz*|odstran*|\
            obnov*|resetov*|hesl*|prihlas*|registr*|odober*|zaplat*|platb*|uhrad*|faktur*|\
            pozvan*|pripoj*|uplatn*|stiahn*|vas ucet|ucet|objednav*|presun*|podpis*|predlz*|\
            ano|nie|mozno|zastav*|dokonc*",
        here: "tu|kliknite|kliknite sem|kliknutim|tento odkaz|odkaz|tlacid*|pokracovat|sem",
        read: "citat dalej|citat viac|viac|pokracovat v citani|cely clanok|precitat|\
            viac informacii|zdroj|podrobnosti",
    },
    Language {
        code: "hu",
        leave: "\
            nem en voltam|ez nem en|nem en csinal*|spamkent|keretlenkent|listabeallit*|\
            lista beallit*|elofizetes megszuntet*|ne kuldj*|\
            leirat*|leiratkoz*|feliratkozas torl*|feliratkozas megsz*|nem szeretne*|\
            nem kivan*|nem kerek|nem ker|nem akar*|tovabbi level*|ne kapjak|torles a list*|\
            lista elhagy*|iratkozzon le|iratkozz le|beallitasok kezel*|ertesitesi beallit*|\
            e mail beallit*|ertesitesek kikapcs*|kikapcsol*|nemit*|visszaeles*|spam jelent*|\
            jelentem a spam*|jelentse a spam*|\
            bejelent*|nem on volt|nem te voltal|nem on kerte|hozzajarulas vissz*|\
            ritkabban|preferenci*|lemond*|levelezesi beallit*",
        act: "\
            kartya letilt*|kartya zarol*|kartyam letilt*|fiok bezar*|hozzaferes megad*|\
            hozzaferes megtag*|megtagad*|ott leszek|nem leszek ott|nem veszek reszt|\
            utalas most|\
            vegyenek le|nem tudok menni|öt csillag*|továbbra is kérek|\
            megerosit*|erositse|erositsd|igazol*|hitelesit*|ellenoriz*|aktival*|inaktival*|\
            jovahagy*|hagyja jova|engedelyez*|elfogad*|fogadja el|elutasit*|utasitsa|\
            visszautasit*|szavaz*|ertekel*|velemeny*|kerdoiv*|felmeres*|reszt vesz*|reszvet*|\
            torol*|torles*|megszakit*|visszavon*|eltavolit*|visszaallit*|uj jelszo|jelszo*|\
            jelszav*|bejelentkez*|belep*|regisztr*|feliratkoz*|fizet*|fizess*|szamla|meghiv*|\
            csatlakoz*|bevalt*|letolt*|fiok*|rendel*|megrendel*|lemondas*|idopont*|alair*|\
            megujit*|hosszabbit*|igen|nem|talan|leallit*|befejez*|veglegesit*",
        here: "ide|itt|kattints*|kattintson|kattintson ide|kattints ide|erre a linkre|\
            ez a link|link|linkre|hivatkozas*|gomb*|tovabb",
        read: "tovabb olvas*|olvass tovabb|bovebben|reszletek|tovabbi informacio*|teljes cikk|\
            olvasd el|elolvasom|forras|meg tobb",
    },
    Language {
        code: "ro",
        leave: "\
            nu am fost eu|nu eu am|nu sunt eu|ca spam|optiuni lista|optiunile listei|\
            setarile listei|incheie abonament*|nu mai trimite*|\
            dezabon*|dezinscri*|anula abonament*|anulati abonament*|anulare abonament*|\
            renunt*|nu mai dor*|nu mai primi*|nu mai vreau|nu doriti|nu dori*|nu vreau|\
            elimina ma|sterge ma|parasi lista|din lista|preferint*|gestion*|administr*|\
            setari notific*|setari de notific*|setarile notific*|dezactiveaza notific*|\
            dezactivati notific*|dezactivarea notific*|raport*|\
            abuz*|spam|nu ai fost tu|nu ati fost dumn*|nu ati solicitat|nu ai solicitat|\
            retrage consim*|mai rar|mai putine e mail*",
        act: "\
            blocheaza card*|blocati card*|inchide cont*|acorda acces*|permite acces*|\
            refuza acces*|respinge acces*|=permite|nu voi participa|nu particip|\
            nu pot participa|transfera acum|\
            scoateți mă|scoate mă|voi fi acolo|nu pot veni|cinci stele|\
            confirm*|verific*|valid*|activ*|dezactiv*|aprob*|autoriz*|accept*|refuz*|\
            respin*|declin*|vot*|evalu*|recenz*|sondaj|chestionar|parere*|particip*|anul*|\
            sterg*|elimin*|reset*|parol*|autentific*|conect*|logare|intra in cont|inregistr*|\
            inscri*|abone*|platit|plateste|platiti|plata facturii|achit*|factur*|invitat*|\
            alatur*|revendic*|descarc*|contul*|comand*|reprogram*|semn*|reinnoi*|prelung*|da|\
            nu|poate|opri*|finaliz*",
        here: "aici|click aici|apasati aici|apasa aici|clic aici|acest link|link|linkul|\
            urmatorul link|buton*|continua",
        read: "citeste mai mult|citeste mai departe|citeste|mai mult|mai multe|\
            articol complet|afla mai multe|citeste articolul|sursa|detalii|\
            mai multe informatii",
    },
    Language {
        code: "hr",
        leave: "\
            nisam to bio ja|nisam to bila ja|nisam bio ja|nisam bila ja|to nisam ja|\
            nisam to ja|kao spam|kao nezeljen*|postavke popisa|opcije popisa|\
            odjav*|otkazite pretplat*|otkazivanje pretplat*|\
            otkazi pretplat*|ne zel*|vise ne zel*|ne primati|\
            prestani primati|ukloni me|napusti list*|s popisa|upravlja*|postavke obavijest*|\
            iskljuci obavijest*|prijavi zloupotreb*|prijavi spam|zloupotreb*|niste vi|nisi ti|\
            niste zatrazili|povuci privolu|rjede|sklonosti|odjavljiv*|izpis*|odjaviti|odjava",
        act: "\
            zatvori racun|blokiraj kartic*|zakljucaj kartic*|dopusti pristup|odbij pristup|\
            dozvoli|necu doci|ne dolazim|\
            potvrd*|provjer*|aktivir*|deaktivir*|odobri*|prihvat*|odbij*|odbaci|glasaj*|\
            glasuj*|ocijeni*|ocjen*|anket*|misljenj*|sudjeluj*|dolazim|otkazi*|otkazat*|\
            ponisti*|izbrisi*|obrisi*|ukloni*|resetir*|lozink*|zapork*|prijavi se|prijava|\
            registrir*|pretplati se|plati*|placanj*|racun|pozivnic*|pridruzi*|preuzmi*|\
            vas racun|narudzb*|premjesti|potpisi*|obnovi*|produzi*|da|ne|mozda|zaustavi*|\
            dovrsi*|preveri*|glasovanj*|gesl*|placil*",
        here: "ovdje|kliknite|kliknite ovdje|ovu poveznicu|poveznic*|link|sljedeci link|gumb|\
            nastavi|tukaj|kliknite tukaj|povezav*",
        read: "procitaj vise|procitajte vise|nastavi citati|vise|cijeli clanak|saznaj vise|\
            izvor|vise informacija|preberi vec|vec",
    },
    Language {
        code: "tr",
        leave: "\
            ben degildim|ben degilim|bu ben degil*|ben yapmadim|spam olarak|istenmeyen olarak|\
            liste secenek*|liste ayar*|uyeligi sonlandir*|aboneligi sonlandir*|gondermeyin|\
            abonelikten|abonelig*|uyelikten ayril*|uyelikten cik*|listeden cik*|\
            listeden ayril*|listeden cikar*|cikmak icin|ayrilmak icin|almak istemiyor*|\
            almak istemez*|istemiyorum|artik istem*|e posta almay*|bultenden|tercihler*|\
            bildirim ayar*|e posta ayar*|yonet*|bildirimleri kapat*|sessize al*|\
            kotuye kullanim*|spam bildir*|sikayet*|bildir*|siz degilseniz|siz degil|sen degil|\
            talep etmedi*|izni geri|onayi geri|daha az|iptal et|aboneligi iptal",
        act: "\
            karti kilitle*|kartimi kilitle*|karti dondur*|kartimi dondur*|kartimi bloke*|\
            erisim ver*|erisime izin|erisimi reddet*|=izin ver*|hesabi kapat*|katilmayacag*|\
            katilacag*|simdi gonder|\
            gelemeyeceğim|orada olacağım|beş yıldız|listenizden çıkar*|\
            onayla*|onay|dogrula*|etkinlestir*|aktif*|aktivasyon|devre disi|kabul et*|kabul|\
            reddet*|geri cevir*|oy ver*|oyla*|oy kullan*|degerlendir*|puan*|anket*|gorus*|\
            katil*|iptal*|=sil|silmek|silin|kaldir*|sifirla*|sifre*|parola*|oturum ac*|\
            giris yap*|giris|kaydol*|kayit ol*|uye ol*|abone ol*|=ode|odeme*|odeyin|fatura*|\
            davet*|kullan|indir*|hesab*|siparis*|ertele*|imzala*|yenile*|uzat*|evet|hayir|\
            belki|durdur*|tamamla*",
        here: "buraya|burayi|buradan|burada|tikla*|tiklayin|buraya tiklayin|bu baglanti*|\
            baglanti*|link*|dugme*|devam|butona",
        read: "devamini oku*|devami|daha fazla|haberin devami|tamamini oku*|oku|makaleyi oku*|\
            ayrintilar|kaynak|daha fazla bilgi|detaylar",
    },
    Language {
        code: "vi",
        leave: "\
            không phải tôi|đánh dấu là spam|thư rác|tùy chọn danh sách|chấm dứt đăng ký|\
            ngừng đăng ký|đừng gửi|\
            hủy đăng ký|huỷ đăng ký|hủy nhận|ngừng nhận|ngưng nhận|dừng nhận|\
            không muốn nhận|không còn muốn|từ chối nhận|không nhận|rời danh sách|\
            rời khỏi danh sách|xóa tôi|bỏ đăng ký|bỏ theo dõi|tùy chọn|tuỳ chọn|quản lý|\
            cài đặt thông báo|tắt thông báo|báo cáo lạm dụng|báo cáo|báo spam|không phải bạn|\
            không yêu cầu|rút lại đồng ý|ít hơn",
        act: "\
            khóa thẻ|khoá thẻ|cấp quyền|từ chối quyền|cho phép|không tham dự|sẽ tham dự|\
            chuyển tiền ngay|nâng cấp gói|\
            năm sao ngay|tôi sẽ đến|bỏ tôi khỏi|không đến được|\
            xác nhận|xác minh|xác thực|kích hoạt|vô hiệu|phê duyệt|duyệt|chấp nhận|đồng ý|\
            từ chối|bỏ phiếu|bình chọn|đánh giá|khảo sát|phản hồi|tham gia|tham dự|hủy|huỷ|\
            xóa|xoá|gỡ|đặt lại|mật khẩu|khôi phục|đăng nhập|đăng ký|thanh toán|trả tiền|\
            hóa đơn|lời mời|mời|nhận ngay|tải xuống|tải về|tài khoản|đơn hàng|dời lịch|ký|\
            gia hạn|có|không|có thể|dừng|hoàn tất",
        here: "tại đây|ở đây|vào đây|đây|nhấp|nhấp vào đây|bấm vào đây|nhấn vào đây|liên kết|\
            liên kết này|đường dẫn|nút|tiếp tục",
        read: "đọc thêm|xem thêm|đọc tiếp|chi tiết|xem chi tiết|toàn bộ bài|đọc bài|nguồn|\
            tìm hiểu thêm",
    },
    Language {
        code: "id",
        leave: "\
            jangan kirim*|bukan saya|saya bukan|sebagai spam|opsi milis|opsi daftar|\
            akhiri langganan|akhiri keanggotaan|\
            berhenti berlanggan*|berhenti langganan|berhenti menerima|batalkan langganan|\
            batal langganan|membatalkan langganan|keluar dari daftar|keluar dari milis|\
            tidak ingin|tidak mau|tak ingin|hapus saya|preferensi|kelola|mengelola|\
            pengaturan notifikasi|pengaturan email|matikan notifikasi|nonaktifkan notifikasi|\
            bisukan|laporkan|penyalahgunaan|bukan anda|tidak meminta|cabut persetujuan|\
            lebih jarang|henti langganan|berhenti melanggan|nyahlanggan|hentikan email|\
            stop email",
        act: "\
            tutup akun|kunci kartu|blokir kartu|bekukan kartu|beri akses|berikan akses|\
            tolak akses|=izinkan|tidak hadir|tidak bisa hadir|transfer sekarang|\
            bintang lima|lima bintang|akan datang hari|keluarkan saya|\
            konfirmasi*|mengonfirmasi|verifikasi*|validasi|aktifkan|aktivasi|nonaktifkan|\
            setujui|menyetujui|terima|tolak|menolak|beri suara|pilih suara|voting|nilai|\
            beri nilai|ulasan|survei|umpan balik|hadir|ikut serta|batalkan|batal|hapus|\
            menghapus|atur ulang|setel ulang|reset|kata sandi|password|masuk|login|daftar|\
            langganan|bayar|pembayaran|tagihan|faktur|undangan|bergabung|gabung|klaim|unduh|\
            akun anda|akun|pesanan|jadwalkan ulang|tanda tangan*|perpanjang*|ya|tidak|mungkin|\
            hentikan|selesaikan|sahkan|luluskan",
        here: "di sini|disini|klik|klik di sini|klik disini|tautan|tautan ini|tautan berikut|\
            link ini|link|tombol|lanjut|lanjutkan|sini",
        read: "baca selengkapnya|selengkapnya|baca lebih lanjut|baca juga|baca artikel|baca|\
            lanjut baca|lebih lanjut|detail|sumber|info lebih lanjut|baca lagi",
    },
    Language {
        code: "ca",
        leave: "\
            no vull|no vols|no voleu|no he estat jo|no era jo|no soc jo|elimineu me|elimina m|\
            esborreu me|correu brossa|opcions de la llista|com a brossa|\
            donar se de baixa|donar me de baixa|dona t de baixa|de baixa|\
            cancel la subscripci*|cancellar la subscripci*|anul la subscripci*|\
            deixar de rebre|no vols rebre|no voleu rebre|no desitj*|preferencies|gestiona*|\
            denuncia|baixa*",
        act: "\
            tancar el compte|tanca el compte|tancar compte|el meu compte|=compte|\
            bloqueja la targeta|bloquejar la targeta|permet|denega|donar acces|\
            no hi assistir*|hi assistir*|signar|\
            confirm*|verifica*|activa*|aprova*|accepta*|rebutja*|vota*|valora*|enquesta|\
            assist*|cancel*|elimina*|esborra*|restabl*|contrasenya|inicia la sessio|\
            iniciar sessio|=entra|paga*|factura|invitaci*|uneix*|baixa|el vostre compte|\
            comanda|signa*|renova*|si|no|potser|atura|aturar|aturem|atureu",
        here: "aqui|feu clic|fes clic|cliqueu aqui|enllac|aquest enllac|boto|continua",
        read: "llegir mes|llegeix mes|mes informacio|continua llegint|llegiu mes|\
            article complet|font",
    },
    Language {
        code: "baltic",
        leave: "\
            is saraso|pasalinkite mane|tai ne as|tai buvau ne as|tai ne mes|nebesiusk*|\
            no saraksta|nonemt mani|tas nebiju es|nebiju es|nesutiet|eemalda mind|nimekirjast|\
            polnud mina|see ei olnud mina|ei olnud mina|arge saatke|kaip slamst*|ka mesteni*|\
            rampspost*|\
            atsisak*|atsisakyti|prenumeratos|nebenor*|nenor*|islipti|tvarkyt*|nustatymai|\
            atrakst*|atteikt*|anulet abon*|vairs nevel*|nevel*|parvald*|iestatijumi|pranesti|\
            zinot par|loobu*|tuhista tellimus|ei soovi|tellimusest|halda*|eelistus*|teata*|\
            lahku nimekirjast|uudiskirjast",
        act: "\
            uzdaryti paskyr*|paskyr*|apmoket*|pasiras*|atnaujinti prenumerat*|\
            atnaujinkite prenumerat*|\
            uzblokuoti kortel*|uzblokuokite kortel*|\
            slegt kont*|=kontu|=konts|paraksti*|bloket kart*|sulge konto|\
            =konto|allkirjasta*|blokeeri kaart|luba juurdepaas*|keela juurdepaas*|\
            patvirtin*|aktyvuo*|priim*|atmes*|balsuo*|ivertin*|apklaus*|atsauk*|istrin*|\
            slaptazod*|prisijung*|apmoke*|kvietim*|apstiprin*|aktivize*|pienem*|noraid*|\
            balso*|novert*|aptauj*|atcel*|dzes*|parol*|pieslegt*|apmaks*|maksat|ielug*|\
            kinnita*|aktiveeri*|noustu*|keeldu*|haaleta*|hinda*|kusitlus|tuhista*|kustuta*|\
            parool*|logi sisse|maksa|kutse|taip|ne|ja|ei",
        here: "cia|spauskite|spauskite cia|nuorod*|seit|spiediet|noklikskiniet|saite|siin|\
            vajuta|klopsa|klikkige siin|link|lingi*|paspauskite",
        read: "skaityti daugiau|daugiau|skaityti toliau|lasit vairak|vairak|lasit talak|\
            loe edasi|loe rohkem|edasi|saltinis|avots|allikas",
    },
    Language {
        code: "sl",
        leave: "ne zelim*|ne zelite|odjav*|izpis*|odstrani me|odstranite me|s seznama|z liste|\
            prekini naroc*|preklici naroc*|preklic naroc*|nastavitve obvest*|\
            nastavitve seznama|prijavi zlorab*|kot nezeleno|nezelena post*|nezelene poste|\
            nisem bil jaz|\
            nisem bila jaz|to nisem jaz|to nisem bil*|ne posiljajte",
        act: "zavrn*|sprejmi*|sprejmite|povabil*|prijava|prijavi se|potrdi*|potrditev|aktivir*|\
            odobri*|odobrit*|glasuj*|oceni*|anket*|udelezi*|udelezil*|ne pridem|=pridem|\
            izbrisi*|zapri racun|zaprite racun|ponastavi*|placaj*|placil*|obnovi naroc*|\
            podaljsaj*|podpisi*|podpisite|registrir*|pridruzi*|blokiraj kartic*|\
            zakleni kartic*|dovoli dostop|zavrni dostop|dovoli|prestavi termin",
        here: "tukaj|kliknite|kliknite tukaj|povezav*|to povezavo|gumb|nadaljuj",
        read: "preberi vec|preberite vec|vec|vec informacij|celoten clanek|podrobnosti|vir",
    },
    Language {
        code: "ms",
        leave: "jangan hantar*|buang saya|daripada senarai|nyahlanggan|henti langganan|\
            batal langganan|batalkan langganan|bukan saya|laporkan|lapor spam|sebagai spam|\
            tetapan pemberitahuan|tetapan e mel|urus langganan|=keutamaan|tidak mahu|\
            berhenti menerima|pilihan senarai",
        act: "tutup akaun|padam akaun|padamkan|akaun anda|akaun saya|akaun|=undi|undi sekarang|\
            kata laluan*|sahkan*|pengesahan|aktifkan|jemputan|luluskan|log masuk|daftar masuk|\
            bayar bil|bayar sekarang|tinjauan|maklum balas|tidak hadir|tandatangan*|\
            perbaharui*|kunci kad|sekat kad|beri akses|=benarkan|muat turun",
        here: "di sini|klik|klik di sini|pautan|pautan ini|butang|teruskan",
        read: "baca lagi|selanjutnya|maklumat lanjut|lebih lanjut|baca seterusnya|sumber",
    },
];
