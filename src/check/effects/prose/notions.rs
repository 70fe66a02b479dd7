//! Phrases of fifty languages for what a button does, by notions: parcels, approval, refusal,
//! votes, registrations, sessions, payments, appointments, accounts, lists. Written as in `west`,
//! which has them by languages; `=` restricts the names of things to short texts, where they are
//! buttons.

use super::language::Language;

const NOTHING: Language = Language { code: "notions", leave: "", act: "", here: "", read: "" };

/// Phrases of languages that separate words by blanks.
#[rustfmt::skip]
pub(super) static LANGUAGES: &[Language] = &[
    // Where a parcel is.
    Language {
        act: "\
            track parcel|track the parcel|track it|track shipment|track the shipment|\
            track delivery|track the delivery|track this|where s my|where is my|where is it|\
            =my parcel|=my delivery|=my shipment|=tracking|=sendung*|sendung verfolg*|\
            paket verfolg*|sendungsverfolgung|=sendungsstatus|lieferung verfolg*|suivre mon|\
            suivre ma|suivre le colis|suivre votre|=colis|=suivi|suivi de|seguir mi|\
            seguir el envío|seguir envío|rastrear*|=envío|=paquete|sigue tu|traccia*|\
            segui il pacco|segui la spedizione|segui il tuo|=spedizione|=pacco|\
            acompanhar encomenda|acompanhar pedido|acompanhe seu|acompanhe o|=encomenda|\
            seguir encomenda|volg je|volg uw|volg mijn|volg pakket|pakket volgen|=pakket|\
            =zending|zending volgen|=spåra*|=paketet|=försändelse*|följ paket*|følg pakken|\
            følg pakke|følg din|=pakken|=forsendelse*|spor pakke*|spor forsendelse*|\
            spor sending*|=spor|=sendingen|seuraa paket*|seuraa lähety*|=paketti*|=lähetys*|\
            =śledź*|śledzenie|=przesyłk*|=paczk*|gdzie jest moja|sledovat zásilk*|sledovat balík|\
            =zásilk*|=balík|kde je moje|kde je můj|sledovať zásielk*|sledovať balík|=zásielk*|\
            csomagkövet*|csomag követ*|kövesse|=csomag*|hol a csomag*|urmăreș*|urmări coletul|\
            urmărire colet|=colet*|prati pošilj*|praćenje pošilj*|=pošiljk*|prati paket*|\
            sledi pošilj*|sledenje pošilj*|прати пошиљ*|праћење пошиљ*|=пошиљк*|следи пратка*|\
            проследи*|проследяване|=пратк*|отследить*|отслеж*|=посылк*|где моя|где мой|відстеж*|\
            =посилк*|де моя|адсачыць|παρακολούθηση δέματος|παρακολούθηση παραγγελίας|\
            παρακολούθηση αποστολής|εντοπισμός|=δέμα*|kargo takib*|kargom*|takip et|\
            gönderi takib*|siparişimi takip|theo dõi đơn|theo dõi kiện|tra cứu đơn|=bưu kiện|\
            =kiện hàng|=lacak*|pantau kiriman|=paket saya|=jejak*|=bungkusan|sekti siunt*|\
            =siunt*|izsekot*|=sūtījum*|jälgi paki*|jälgi saadetis*|=saadetis*|\
            segueix l enviament|segueix el teu|=enviament|seguir o envío|paketea jarraitu|\
            jarraitu bidalketa|rekja sending*|=sending*|olrhain*|rianaigh*|lorg do|=ndrji*|\
            gjurmo*|=següi|=segwi*|bağlamanı izlə*|жүкті бақыла*|жөнелтілім*|sundan ang|\
            subaybayan*|fuatilia*|spoor pakkie|volg pakkie|ٹریک کر*|=پارسل*|илгээмж*|\
            jo‘natmani kuzat*|landau iwwer",
        ..NOTHING
    },
    // Agreeing: approval and consent.
    Language {
        act: "\
            looks good|ship it|go ahead|give my consent|give consent|give my ok|green light|\
            sign off on|permit|let him in|let her in|let them in|let it through|einwilligen|\
            absegnen|gutheiss*|bewillig*|erlaubnis|zustimmung|grünes licht|stattgeben|donner mon|\
            donner votre|donner l accord|d accord|visto bueno|dar el visto|conceder|=concede*|\
            benestare|consenti*|acconsent*|dar aval|deferir|akkoord|toestaan|toestemming|\
            instemmen|=medge|bifall*|tillåt*|tillad*|tillat*|samtykk*|hyväksyntä|suostu*|=salli*|\
            zgadzam*|zezwól*|zezwalam|souhlas*|povolit*|povoliť|súhlas*|hozzájárul*|beleegye*|\
            sunt de acord|=de acord|suglas*|dopusti*|dozvol*|soglaš*|согласован*|согласую|\
            дозволити|зацверд*|=ухвал*|сагласан*|συμφων*|συναίνεσ*|συγκατάθ*|έγκρισ*|izin ver*|\
            uygun bul*|cho phép|tán thành|beri izin|izinkan|patvirtinti|sutikt*|leisti|saskaņo*|\
            atļaut*|piekrīt*|kiida heaks|=luba*|=nõus|=bekit*|=бекіт*|=бекит*|зөвшөөр*|тасдиқ*|\
            təsdiqlə*|tasdiqla*|miratoj*|aprovoj*|approva*|kubali*|idhinish*|goedkeur*|toestem*|\
            bipejir*|gunyaza|payagan*|bestäteg*|konfirm*|=idhin*",
        ..NOTHING
    },
    // Declining, sending back, contesting.
    Language {
        act: "\
            send it back|send back|send this back|turn this down|turn him down|turn her down|\
            say no|not approve|=veto|push back|kick back|zurückweis*|zurückgeb*|zurücksend*|\
            verwerfen|verweiger*|abweisen|leider nein|nein danke|renvoyer|repousser|=rejet|\
            non merci|désapprouv*|rechazo|devolver|denegar|denegad*|denego|respinta|respingere|\
            rimanda*|=nega|negare|indeferir|=negar|devolva|afkeuren|terugsturen|weigering|\
            nee bedankt|afwijs*|=avböj*|=avslå*|skicka tillbaka|=afslå*|send retur|avslag|\
            palauta*|=hylkä*|=evätä|=epää|=odmaw*|odrzucam|=zwróć|=zwrot*|zamítnut*|vrátit|\
            vrátiť|zamietn*|odmietn*|visszaküld*|elutasít*|retrimite|respinge*|=vrati*|odbijam|\
            odbijanje|=zavrn*|=vrni*|вернуть*|возврат*|отвергн*|отклоня*|повернути|відхил*|\
            =адхіл*|отхвърлям|=врати*|одбија*|απόρριψ*|απορρίπτ*|geri gönder*|=reddi|=ret|\
            trả lại|không duyệt|kembalikan|tolakan|tidak setuju|grąžin*|atmest*|noraid*|atgriez*|\
            lükka tagasi|keeldu*|=hafna*|endursend*|torna enrere|rebutj*|rexeitar|gwrthod|\
            diúltaigh*|refuzoj*|irrifjuta*|қабылдамау|бас тарт*|четке каг*|татгалз*|рад кардан|\
            rədd et*|rad et*|=kataa*|tanggi*|=weier*|irrofja|red bike|واپس بھیج*",
        ..NOTHING
    },
    // Attending.
    Language {
        act: "\
            i m coming|i am coming|i ll come|i will come|we ll come|i will join|i ll join|\
            i ll pass|can t go|cannot go|will be there|see you there|save a seat|save me a seat|\
            =regrets|=coming|ich komme|wir kommen|bin verhindert|kann nicht|=dabei|komme gern*|\
            sage zu|sage ab|je viens|je participerai|je ne peux|serai présent*|=présent|=absent|\
            =iré|asistiré|no podré|no asistiré|voy a ir|contad conmigo|cuenten conmigo|ci sarò|\
            =verrò|non verrò|non potrò|non ci sarò|parteciper*|vou estar|estarei|não vou|\
            não poderei|conte comigo|=irei|comparecer*|ik kom|ik ben erbij|ben erbij|ik ben er|\
            ik doe mee|doe mee|ik kan niet|kom niet|jag kommer|kommer inte|jag är med|vara med|\
            deltar|jeg kommer|kommer ikke|jeg er med|jeg deltar|jeg deltager|være med|\
            tulen paikalle|tulen mukaan|=tulen|en tule|en osallistu|osallistu*|olen mukana|=będę|\
            przyjdę|nie będzie mnie|wezmę udział|biorę udział|=přijdu|nepřijdu|zúčastn*|=budu|\
            =prídem|neprídem|=budem|=jövök|eljövök|nem jövök|ott leszünk|részt veszek|=vin|\
            =voi veni|=particip*|=doći ću|dolazimo|bit ću|pridem|ne bom|udeleži*|долазимо|\
            доћи ћу|ќе дојдам|ќе присуств*|ще участвам|=идвам|=буду|я приеду|буду участв*|\
            приму участие|не буду|візьму участь|прыйду|не прыйду|=έρχομαι|θα είμαι|θα παραβρεθ*|\
            δεν θα είμαι|θα συμμετ*|=geliyorum|=gelemem|katılıyorum|katılmıyorum|sẽ đến|\
            sẽ có mặt|không đến|saya hadir|saya datang|saya ikut|tidak ikut|tidak datang|\
            akan hadir|dalyvausiu|nedalyvausiu|ateisiu|piedalīšos|nepiedalīšos|=nākšu|osalen|\
            ei osale|hi aniré|no hi aniré|assistiré|hi seré|ez naiz|joango|=kem|ég mæti|\
            mæti ekki|dof i|byddaf|beidh mé|ní bheidh|do të vij|nuk vij|=vij|=ġej|se niġi|\
            барамын|келемін|қатысамын|ирэхгүй|=ирнэ|gələcəyəm|gəlmirəm|boraman|kelaman|dadalo|\
            makakapunta|nitakuja|nitahudhuria|ek kom|sal daar wees|آؤں گ*|میں شرکت|прийду|завітаю",
        ..NOTHING
    },
    // Voting and rating.
    Language {
        act: "\
            cast my|cast your|your ballot|your pick|pick one|pick your|=star|=stars|1 star|\
            2 stars|3 stars|4 stars|5 stars|one star|two stars|three stars|four stars|\
            add your name|add my name|thank this|=thanks|=restack|=boost|=upvote|=downvote|\
            your verdict|score us|grade us|recommend us|=rank|stimm ab|stimme für|\
            gib deine stimme|deine stimme|ihre stimme|=sterne|=stern|=sternen|weiterempfehl*|\
            benote*|ma voix|votre voix|je vote|=étoile|=étoiles|=noter*|emitir voto|emite tu|\
            tu voto|su voto|=estrella|=estrellas|=calific*|=punt*|esprimi il|il tuo voto|=stella|\
            =stelle|=valut*|=estrelas|=estrela|=avali*|seu voto|dê sua nota|breng je stem|\
            je stem uit|stem voor|stem op|=ster|=sterren|uitbrengen|beoordeel*|=rösta*|=stjärna|\
            =stjärnor|betygs*|=stjerne|=stjerner|stem på|stemme på|=bedøm*|=tähti|=tähteä|\
            äänest*|arvost*|oddaj głos|głos na|=gwiazdk*|=oceń*|dej hlas|hlasuj*|=hvězd*|hodnot*|\
            =hviezd*|hlas pre|csillag*|adja le szavazat*|szavazok|=stea|=stele|noteaz*|dă o notă|\
            =zvjezdic*|=zvezdic*|=звездиц*|=звезд*|проголосов*|=глас*|=оценк*|=зірк*|=галас*|\
            прагаласав*|=зорк*|ψηφίζω|ψηφίστε|=αστέρι*|=oyumu|=yıldız*|puanla*|biểu quyết|=sao|\
            chấm điểm|=bintang|pilih saya|nilai kami|beri bintang|=undi*|balsuok*|=žvaigžd*|\
            įvertin*|nobalso*|=zvaigzn*|hääleta*|=täht|=tärni|hindan|=estrelles|vota per|puntua*|\
            =izar|=bozka*|=stjörnu*|greiða atkvæði|=seren|pleidlais*|vótáil|=réalta|voto për|\
            =yje|=votoj*|ivvota|=дауыс*|жұлдыз*|саналаа|санал ө*|səs ver*|ovoz ber*|=iboto|\
            bumoto|piga kura|stem vir|ووٹ د*",
        ..NOTHING
    },
    // Finishing what was begun: a registration, an order, an address.
    Language {
        act: "\
            last step|one step|one more step|one click|finish sign*|finish your|finish the|\
            complete sign*|complete registration|complete the registration|sign me up|sign us up|\
            sign up|activate*|prove that|prove you|validate*|keep my|keep me on|i want to keep|\
            still looking|abzuschliess*|abschliess*|abgeschlossen|fertigstell*|vervollständig*|\
            noch ein klick|letzter schritt|ein schritt|registrierung|finaliser|finalisez|\
            terminer votre|compléter votre|dernière étape|encore un clic|encore une étape|\
            je m inscris|m inscrire|effective|completar*|complete su|complete el|finalice*|\
            finalizar*|último paso|un clic más|un paso más|quedará activad*|quiero suscrib*|\
            =alta|=registr*|completare|completa la|completa il|ultimo passo|ancora un passo|\
            sarà attiv*|mi iscrivo|iscriver*|=iscrizione|concluir|conclua|finalizar|último passo|\
            só um passo|só falta|=cadastro|inscrever|inscrição|afronden|af te ronden|voltooi*|\
            nog één stap|laatste stap|aanmelding|inschrijving|schrijf me in|slutför*|\
            sista steget|ett steg kvar|=anmälan|=anmäl*|=registrering*|fullfør*|siste steg|\
            påmelding|færdiggør|sidste skridt|et skridt|tilmeld*|viimeistele*|viimeinen vaihe|\
            vielä yksi|rekisteröit*|ilmoittaudu*|dokończ*|ostatni krok|jeszcze jeden krok|\
            będzie aktywne|rejestracj*|zapisz się|dopełnij|dokonč*|poslední krok|jeden krok|\
            bude aktivní|=registrac*|posledný krok|registráci*|befejezés*|utolsó lépés|\
            még egy lépés|regisztrác*|véglegesítés*|finaliza*|ultimul pas|un singur pas|\
            înregistrare*|dovrši*|posljednji korak|još jedan korak|=registracij*|dokonča*|\
            zadnji korak|последњи корак|још један корак|регистрациј*|уште еден чекор|\
            последен чекор|завърши*|още една стъпка|последна стъпка|завершить*|завершен*|\
            последний шаг|остался один|один шаг|останній крок|один крок|реєстрац*|апошні крок|\
            завяршыць|ολοκληρώσ*|ολοκλήρωσ*|ένα βήμα|τελευταίο βήμα|tamamlamak|son adım|bir adım|\
            kaydı tamamla*|kaydınız*|hoàn thành|một bước|bước cuối|hoàn tất*|menyelesaikan|\
            selesaikan*|langkah terakhir|satu langkah|=pendaftaran|lengkapkan|lengkapi|užbaig*|\
            paskutinis žingsnis|liko vienas|pabeig*|pēdējais solis|viens solis|reģistrāc*|\
            lõpeta*|viimane samm|üks samm|registreeri*|completar el registre|últim pas|\
            un pas més|azken urrats|=ljúka*|síðasta skref|cam olaf|cwblha*|críochna*|\
            hapi i fundit|përfundo*|aħħar pass|=lesti*|соңғы қадам|тіркел*|сүүлийн алхам|\
            бүртгэл*|son addım|qeydiyyat*|oxirgi qadam|ro yxatdan|huling hakbang|kumpletuhin|\
            hatua ya mwisho|kamilisha|laaste stap|voltooi|registrasie|=aliĝo*|=aliĝi|رجسٹریشن|\
            اندراج*",
        ..NOTHING
    },
    // Joining, and a new session.
    Language {
        act: "\
            let me in|let us in|take me in|get in|bring me in|start meeting|enter without|=board|\
            accept the invitation|be part of|become a member|trete bei|mitglied werden|mitmachen|\
            direkt einloggen|reinlassen|zugang erhalten|nous rejoindre|je rejoins|adhérer|\
            me connecter|entrer dans|=únete|unirme|unirse|=hazte|entrar sin|entrar con|entrar en|\
            ingresar|unisciti|entra nel|=accesso|diventa socio|aderisci|juntar se|junte se|\
            =participar|aderir|doe mee|word lid|deelnemen|log me in|gå med|bli medlem|logga mig|\
            meld deg inn|bliv medlem|log mig ind|logg meg inn|bli med|=liity*|kirjaa minut|\
            dołącz*|przystąp*|zaloguj*|přidat se|připoj*|pridať sa|pripoj*|csatlakoz*|lépj be|\
            alătur*|intră în|pridruži*|učlani*|придружи*|присъедини*|вступить|вступите|=войти*|\
            долучи*|приєдн*|далучыцца|увайсці|εγγραφείτε|γίνετε μέλος|μπείτε|συνδεθ*|=katıl*|\
            üye ol*|tham gia|gia nhập|sertai*|gabung*|masuk ke|prisijunk*|prisijungti|pievieno*|\
            =liitu*|logi mind|=uneix*|unir se|=batu|elkartu|skráðu|ganga í|=ymuno|ymunwch|\
            bí linn|bashkohu*|ingħaqad|=қосыл*|=кошул*|=нэгд*|=qoşul*|qo shil*|sumali|jiunge|\
            sluit aan|شامل ہو*|لاگ ان*",
        ..NOTHING
    },
    // A new password, a code, a login of another.
    Language {
        act: "\
            new password|choose a password|pick a password|requested a new|passphrase|pin code|\
            neues passwort|neues kennwort|passwort vergeben|kennwort vergeben|nouveau mot|\
            nueva contraseña|contraseña nueva|nuova password|nova senha|nova palavra|\
            nieuw wachtwoord|nytt lösenord|ny adgangskode|nytt passord|uusi salasana|salasana*|\
            nowe hasło|=hasło|nové heslo|új jelszó|parolă nouă|nova lozinka|novo geslo|\
            нова лозинка|нова парола|новый пароль|новий пароль|новы пароль|νέος κωδικός|\
            νέο κωδικό|yeni şifre|=şifr*|mật khẩu mới|kata sandi baru|kata laluan baharu|\
            naujas slaptaž*|jauna parole|uus parool|nova contrasenya|pasahitz berria|\
            nýtt lykilorð|cyfrinair newydd|pasfhocal nua|fjalëkalim*|password ġdida|жаңа құпия*|\
            шинэ нууц|нууц үг|yeni parol|yangi parol|bagong password|nenosiri*|nuwe wagwoord|\
            wagwoord*|نیا پاس ورڈ",
        ..NOTHING
    },
    // Paying, renewing, redeeming.
    Language {
        act: "\
            settle*|pay up|pay the|pay my|pay your|clear the balance|top up|=topup|add funds|\
            give 10|=donate|double my|prolong*|extend my|extend the|=redeem|use my voucher|\
            use voucher|apply coupon|activate coupon|begleichen|bezahlen|überweis*|=aufladen|\
            einlös*|gutschein*|leihfrist*|verläng*|spenden|régler*|acquitter|=recharger|\
            prolonger*|mon prêt|bon d achat|bon cadeau|faire un don|abonar*|saldar*|liquidar|\
            =pague|renovar*|préstamo|=canje*|=cupón|=vale|=donar|recarg*|=salda*|saldare|=paga|\
            rinnov*|riscatt*|=buono|prestito|=ricarica|dona ora|boleto|=quite|quitar|resgat*|\
            =cupom|vale presente|recarreg*|=doar|=renove|afrekenen|voldoen|voldoe|verleng*|\
            inwissel*|verzilver*|tegoedbon|cadeaubon|doneer|opwaarder*|betala*|lös in|\
            presentkort|förläng*|=skänk|=betal*|løs inn|indløs*|gavekort|forleng*|forlæng*|\
            =maksa*|=maksu*|lunasta*|lahjakort*|pidennä*|uusi laina|jatka lainaa|lahjoita|\
            zapłać*|=opłać*|ureguluj*|zrealizuj*|=kupon*|=bon|przedłuż*|doładuj*|wesprzyj|\
            zaplaťte|uhradit*|=uhraď*|uplatni*|poukaz*|prodlouži*|prodluž*|předlouž*|predĺž*|\
            uhradiť|kifizet*|rendez*|bevált*|utalvány*|meghosszabbít*|feltölt*|=plăti*|=plata|\
            achită|=voucher*|prelung*|=plati*|uplati*|iskoristi*|produži*|podaljša*|unovči*|\
            =plača*|=плати*|уплати*|искористи*|продужи*|продължи*|заплати*|оплати*|погасить*|\
            активировать купон|промокод*|продлить*|сплати*|погасити|продовжити*|аплаці*|прадоўж*|\
            εξόφλησ*|=εξοφλ*|πληρώσ*|πληρωμ*|εξαργύρ*|κουπόνι|παράτασ*|=öde*|ödəniş*|\
            kullan kupon|=uzat*|süre uzat*|thanh toán|=trả|nạp tiền|=đổi|=voucher|gia hạn*|\
            =bayar*|lunasi|=tebus*|=tukar*|=kupon|perpanjang*|lanjut*|apmokėk*|mokėti|sumokė*|\
            panaudok*|pratęs*|samaks*|izmanto kup*|pagarin*|pikenda*|=pagar|bescanv*|prorroga*|\
            ordaindu*|luzatu|greiða|greiða reikning|=borga|innleys*|framlengja|=talu|adnewyddu|\
            =íoc|athnuaigh|paguaj*|paguej|rinovo|ħallas|ġedded|=төле*|=төлөө*|төлбөр*|=ödə*|\
            to la*|=bayad*|magbayad*|=lipa*|ongeza muda|betaal*|=hernu|=pagi|bezuelen|ادا کر*|\
            بل ادا",
        ..NOTHING
    },
    // Cancelling, moving, ending.
    Language {
        act: "\
            call off|call it off|appointment off|booking off|call the|drop this|take back|\
            roll back|=rollback|put off|move the|another day|another time|new time|=unbook|\
            end my contract|close it|let it expire|freeze*|rückgängig|=absag*|abzusag*|absage|\
            verleg*|verschieb*|auflös*|aufgelös*|storno*|décommand*|déplac*|=annul*|reporter|\
            anular*|desconvoc*|=aplaz*|cambiar la cita|cambiar cita|=cita|=disdi*|disdett*|\
            sposta*|rimand*|desmarc*|remarc*|=adiar|=consulta|=afzeg*|afgezegd|annuler*|verzet*|\
            verplaats*|=afspraak|avboka*|ställ in|boka om|=aflys*|afbestil*|=flyt*|=avlys*|\
            avbestill*|=flytt*|=timen|=peru*|siirrä*|=odwoł*|anuluj*|przełóż*|przełoż*|=zruš*|\
            zrušiť|přeobjedn*|přesun*|presun*|lemond*|mondja le|áthelyez*|=anule*|=amân*|=otkaž*|\
            otkazi*|pomakn*|preklič*|prekliči*|prestavi*|=откаж*|=отказ*|=помер*|премест*|\
            =отмен*|анулир*|перенес*|=скасу*|адмяні*|скасав*|ακύρωσ*|ματαίωσ*|μετάθεσ*|\
            μετακίνησ*|=iptal*|ertele*|huỷ lịch|hủy lịch|=hủy*|=dời*|đổi lịch|batalk*|=tunda|\
            ubah jadwal|tangguh*|atšauk*|atšaukt*|perkel*|=atcel*|pārcel*|tühista*|muuda aeg*|\
            lükka edasi|cancel*|ajorna*|canvia l hora|baliogabetu|atzeratu|afbóka*|afpanta|\
            gohirio|canslo|cealaigh|=anulo*|=shty*|ikkanċella|тоқтат*|болдырма*|=цуцал*|\
            хойшлуул*|ləğv et*|=bekor*|ikansela|kanselahin|ghairi|ahirisha|kanselleer|=skuif*|\
            nuligi|ofsoen|=منسوخ*",
        ..NOTHING
    },
    // Deleting an account or data.
    Language {
        act: "\
            erase my|=erase*|wipe my|remove my data|forget me|close it for good|konto auflösen|\
            profil löschen|daten löschen|=lösch*|fermer*|=effac*|supprim*|=borra*|elimin*|\
            dar de baja mi|cancella il|elimina il|=exclu*|=apag*|encerrar|verwijder*|wis mijn|\
            opheffen|ta bort*|radera*|avsluta*|=slet*|=slett*|luk min|=poist*|sulje tili|=usuń*|\
            skasuj*|zlikwiduj|=smaž*|=smaza*|=zmaza*|=vymaž*|odstran*|=töröl*|megszüntet*|\
            șterge*|închide*|obriši*|izbriši*|zatvori*|обриши*|избриши*|=изтри*|затвор*|=удал*|\
            =стер*|закрыть|=видал*|закрити|=выдал*|διαγραφή*|διαγράψ*|κλείσιμο*|=sil*|=kapat*|\
            =xoá*|=xóa*|=hapus*|=padam*|tutup akun|ištrin*|panaikin*|=dzēst*|=slēgt*|kustuta*|\
            =sulge*|esborra*|=tanca*|ezabat*|itxi kontua|=eyða*|loka reikn*|=dileu*|scrios*|\
            =fshi*|mbyll llog*|ħassar*|=żarma|=жою|=өшір*|=устга*|=sil|o chir*|=burah*|tanggal*|\
            =futa*|=skrap*|vee uit|forigi|läschen|حذف کر*|=مٹا*",
        ..NOTHING
    },
    // The link for a session, and what to do if another person began one.
    Language {
        act: "\
            =i am in|=i m in|=we re in|=we are in|sign in link|login link|magic link|loginlink|\
            anmeldelink|anmelde link|ohne passwort an|ohne kennwort an|lien de connexion|\
            enlace de acceso|enlace para iniciar|enlace de inicio|link di accesso|\
            link per accedere|link de acesso|ligação de acesso|inloglink|aanmeldlink|\
            inloggningslänk*|innloggingslenk*|påloggingslenk*|kirjautumislink*|innskráningarten*|\
            innskráningarhlekk*|link do logowania|linku do logowania|\
            přihlašovací odkaz|přihlašovacím odkaz*|prihlasovací odkaz|bejelentkezési link*|\
            belépési link*|link de autentificare|linkul de autentificare|linkul de conectare|\
            poveznica za prijavu|veza za prijavu|povezava za prijavo|povezavo za prijavo|\
            веза за пријаву|врска за најава|връзка за вход|ссылка для входа|ссылку для входа|\
            ссылке для входа|посилання для входу|спасылка для ўваходу|σύνδεσμος σύνδεσης|\
            σύνδεσμο σύνδεσης|σύνδεσμος εισόδου|giriş bağlantı*|oturum açma bağlantı*|\
            liên kết đăng nhập|link đăng nhập|đặt lại mật khẩu|tautan masuk|tautan login|\
            pautan log masuk|enllaç d accés|enllaç per iniciar|ligazón para iniciar|\
            ligazón de acceso|prisijungimo nuorod*|pieteikšanās saite|sisselogimislin*|\
            saioa hasteko esteka|dolen mewngofnodi|lidhja e hyrjes|pag log in|mag log in|\
            aanmeldskakel*|kiungo cha kuingia|ensalutlig*|giriş keçid*|kirish havolasi|\
            кіру сілтеме*|\
            bedt om nytt|bett om nytt|no ho heu demanat|no ho has demanat|tai ne jūs|tai buvote ne|\
            tas nebijāt jūs|see polnud teie|see ei olnud teie|zuk eskatu ez|pakikumpirma|\
            kung hindi ikaw|gyfrinair newydd|nuk e keni kërkuar|nuk e kërkuat|siz istəməmi*|\
            non o pediu|non foi vostede",
        leave: "non quere recibir|non queres recibir|dderbyn rhagor",
        ..NOTHING
    },
    // Leaving a list, in words that the tables of single languages lack.
    Language {
        leave: "\
            leave us|out of here|enough of|had enough|rather not hear|hear from us|hear less|\
            hear from you|writing to me|sending me|sending this|stop sending|\
            these emails anymore|no emails|no mail|no more letters|from our list|off the mailing|\
            this is junk|it s junk|=junk|=spam|mute this|mute the|email less|less mail|\
            write less|paperless|stop watching|notify me|keine weiteren mails|keine mails mehr|\
            nicht mehr wünschen|nicht mehr wollen|nicht mehr anschreiben|abzumelden|\
            abzubestellen|seltener post|genug von|kein spam|plus de courriels|plus de mails|\
            ne plus m|me désabonner|retirer mon|à l origine|vous désinscrire|\
            courrier indésirable|no quiero|ya no quiero|no recibir|quitarme|quítame|bórrame|\
            sácame|salir de la|correo no deseado|non voglio più|non ricever*|cancellarsi|\
            cancellami|disiscriv*|toglimi|toglietemi|posta indesiderata|non desider*|não quero|\
            sair da lista|me remova|remover me|retire me|descadastr*|deixar de receber|\
            lixo eletrônico|geen mail meer|geen mails|geen berichten|geen post|af te melden|\
            uit te schrijven|haal me|meld me af|niet meer ontvangen|ongewenst|sluta skicka|\
            inte längre|vill inte|slippa|ta bort mig|skräppost|frameld*|afmeld*|ikke længere|\
            ikke lenger|slutt å|stop med at|meld meg|uønsket|fjern meg|fjern mig|en halua|\
            lopeta*|poistu*|roskapost*|ei enää|nie chcę|nie chcesz|=wypis*|wypisz*|przestań*|\
            mniej maili|už nechc*|nechci*|nechcem*|odhlás*|odhlas*|nežiad*|nevyžád*|\
            nem szeretné*|ne küldj*|leiratkoz*|ne kapjak|levélszemét|nu mai vreau|nu mai dori*|\
            scoate*|dezabon*|nesolicitat*|ne želim*|više ne želi*|odjavi*|не желим*|не желите|\
            одјави*|не сакам*|не сакате|=отпиш*|не желая*|не хочу*|не хотите|больше не|=отпис*|\
            не жела*|не бажа*|не хоч*|=адпіс*|не жадае*|больш не|δεν θέλ*|δεν επιθυμ*|\
            σταματήστε να|απεγγραφ*|διαγραφή από|istemiyor*|almak istem*|gönderme*|listeden*|\
            không muốn*|đừng gửi|ngừng gửi|bỏ nhận|tidak ingin*|tidak mahu*|berhenti*|\
            keluar dari*|jangan kirim*|nyahlanggan*|nebenor*|=nenor*|atsisak*|nevēlos|\
            vairs nevēl*|atrakst*|ei soovi*|=loobu*|lõpeta tellim*|no vull*|no vols*|\
            donar se de baixa|desubscri*|ez dut nahi|baja eman*|non quero*|ef þú vilt ekki|\
            ekki fá|vil ekki|afskrá*|=hætta*|um tú ikki|ikki longur|avmelda*|ddim eisiau|\
            dad danysgrif*|díliostáil*|níl uaim|nuk dëshiro*|nuk dua|çregjistrohu*|ma rridx*|\
            ma tridx|neħħini*|=neħħi|жазылымнан*|алғыңыз келмесе|алгыңыз келбесе|баш тарт*|\
            жазылуудан*|гирифтан нахо*|обунаро*|abunəlikdən*|almaq istəm*|obunani*|istamas*|\
            ayaw ko*|=huwag*|sitaki*|hutaki|jiondoe|teken uit|wil nie|nie meer*|malaboni*|\
            ne plu*|ofmell*|net méi*|naxwaz*|betal bike|khansela|ungasafuni|=soke|ba ka son|\
            ka bax|aan rabin|digouman*|ne fell*|=tolle|fagilé|kò bá fẹ|چاہتے ہیں کہ نہ|نہیں چاہ*|\
            نه غواړئ|=لغوه*",
        ..NOTHING
    },
    // Preferences.
    Language {
        leave: "\
            change settings|change my settings|my settings|my subscriptions|my notifications|\
            =notification*|how often|einstellung*|abos verwalten|=gérer*|=abonnements|\
            préférences|preferencias|mis suscripciones|preferenze|modifica le|preferências|\
            alterar pref*|voorkeur*|instellingen|inställning*|ändra inst*|indstilling*|\
            innstilling*|asetuks*|ustawien*|zmień ust*|preferencj*|nastavení|předvolb*|\
            =nastaven*|predvoľb*|beállítás*|=setăr*|preferinț*|postavk*|podešavanj*|nastavitv*|\
            подешавањ*|поставк*|настройк*|налаштуван*|налады|ρυθμίσεις|προτιμήσ*|=ayarlar*|\
            tercih*|cài đặt|tùy chỉnh|pengaturan*|tetapan|keutamaan|nustatym*|iestatījum*|seaded|\
            muuda sead*|configuració|ezarpen*|stillingar|gosodiadau|socruithe|cilësime*|\
            preferenzi|баптау*|тохиргоо|parametrlər|sozlamalar|mga setting|mipangilio|\
            instellings|agordoj|astellungen|ترتیبات",
        ..NOTHING
    },
    // Telling, asking, waking a machine.
    Language {
        act: "\
            =approves|=rejects|=confirms|=declines|=cancels|=deletes|=unsubscribes|tell us about|\
            =retry|retry deploy*|=deploy|=rerun|=restart|=reboot|acknowledge*|put me|put us|\
            put my|bring a|let bob|share my|shared folder|apply with|=apply now|file now|\
            send meter|meter reading|switch to|pause for|=pause|excuse my|leave with|leave at|\
            choose another|choose your|propose a|propose new|increase my|raise my|return items|\
            return this|add a bag|always trust|=like|like back|=dislike|=follow|back to my|\
            my basket|my cart|my appointment|my tickets|my ticket|=proof of|report this|spam it",
        ..NOTHING
    },
];

/// Phrases of languages whose words are searched for anywhere in a text.
#[rustfmt::skip]
pub(super) static GLUED: &[Language] = &[
    // The link for a session, and what to do if another person began one.
    Language {
        act: "\
            קישור הכניסה|קישור התחברות|קישור ההתחברות|رابط الدخول|رابط تسجيل الدخول|\
            لینک ورود|این درخواست را نداده|लॉगिन लिंक|लॉग इन लिंक|\
            ลิงก์เข้าสู่ระบบ|ลิงก์สำหรับเข้าสู่ระบบ|\
            ログインリンク|ログイン用リンク|登录链接|登錄鏈接|登入連結|로그인 링크|შესვლის ბმული|\
            մուտքի հղում|կջնջվի",
        ..NOTHING
    },
    // Where a parcel is.
    Language {
        act: "\
            追踪|追蹤|物流|包裹|快递|快遞|查件|荷物|配送状況|お届け状況|追跡|배송|택배|พัสดุ|تتبع|الشحنة|شحنتي|طردي|\
            מעקב|המשלוח|החבילה|پیگیری|مرسوله|ट्रैक|पार्सल|ট্র্যাক|পার্সেল|கண்காணி|\
            பார்சல்|ట్రాక్|ട്രാക്ക്|ટ્રૅક|ਟਰੈਕ|ಟ್ರ್ಯಾಕ್|თვალყური|ამანათი|հետևել|ծանրոց|\
            តាមដាន|ຕິດຕາມ",
        ..NOTHING
    },
    // Agreeing: approval and consent.
    Language {
        act: "\
            核可|许可|許可する|准许|准予|放行|同意する|可決|허락|동의함|อนุมัต|ยินยอม|اعتمد|أوافق|מאשר|تصویب|\
            मंजूर|स्वीकृत|मान्य|মঞ্জুর|ஒப்புதல்|அனுமதி|ఆమోదం|അംഗീകരി|മഞ്ജൂര|મંજૂર|ਮਨਜ਼ੂਰ|\
            ಅನುಮೋದ|අනුමත|អនុម័ត|យល់ព្រម|ອະນຸມັດ|အတည်ပြု|ခွင့်ပြု|አጽድቅ|დამტკიც|თანხმობა|\
            հաստատ|համաձայն",
        ..NOTHING
    },
    // Declining, sending back, contesting.
    Language {
        act: "\
            差し戻|差戻|返却|退回|打回|不同意|不批准|駁回|却下する|반송|돌려보내|부결|ส่งกลับ|ไม่อนุมัติ|إعادة الطلب|\
            أرفض|דוחה|השב|رد درخواست|برگشت|वापस भेज|नामंजूर|अस्वीकृत|ফেরত|நிராகர|\
            తిరస్కర|നിരസി|નામંજૂર|ਰੱਦ|ತಿರಸ್ಕ|ප්\u{200d}රතික්ෂේප|បដិសេធ|ປະຕິເສດ|ငြင်း|უარყ|მերժ|\
            մերժ",
        ..NOTHING
    },
    // Attending.
    Language {
        act: "\
            行く|参ります|出ます|伺います|会去|会来|参加する|不去|去不了|会参加|到場|가겠|갑니다|참석함|못 가|เข้าร่วม|ไปร่วม|\
            ฉันไป|จะไป|سأكون|سأشارك|أشارك|לא אוכל|אגיע|אני בא|מגיעים|میآیم|می\u{200c}آیم|\
            خواهم آمد|आऊंगा|आऊंगी|आएंगे|আসব|যাব|வருவேன்|வர முடியாது|వస్తాను|రాలేను|വരും|\
            വരില്ല|આવીશ|ਆਵਾਂਗਾ|ಬರುತ್ತೇನೆ|მოვდივარ|ვერ მოვალ|կմասնակցեմ|ចូលរួម|\
            ເຂົ້າຮ່ວມ|တက်ရောက်",
        ..NOTHING
    },
    // Voting and rating.
    Language {
        act: "\
            投给|打分|点赞|點讚|给分|星評価|つ星|星をつけ|投票する|별점|별을|투표하|ดาว|ให้ดาว|لتصويت|صوّت|نجمة|نجوم|\
            הצביע|כוכב|دادن رای|ستاره|सितार|मतदान|তারকা|ভোট দ|வாக்கு|நட்சத்திர|నక్షత్ర|\
            ഓട്ട്|വോട്ട്|നക്ഷത്ര|મત આપ|ਵੋਟ|ಮತ ಹಾಕ|បោះឆ្នោត|ລົງຄະແນນ|မဲပေး|\
            ხმა მიე|ვარსკვლავ|ձայն տալ|աստղ",
        ..NOTHING
    },
    // Finishing what was begun: a registration, an order, an address.
    Language {
        act: "\
            最后一步|最後一步|只差一步|一歩|登録を完了|登録が完了|会員登録|注册就完成|完成注册|完成註冊|마지막 단계|한 단계|가입을 완료|등록을 완료|\
            ขั้นตอนสุดท้าย|การลงทะเบียน|خطوة واحدة|الخطوة الأخيرة|לסיום|צעד אחרון|להשלמת|\
            آخرین مرحله|یک قدم|अंतिम चरण|एक कदम|पंजीयन|শেষ ধাপ|নিবন্ধন|கடைசி படி|பதிவை|\
            చివరి దశ|നമസ്|അവസാന|രജിസ്|છેલ્લું પગ|ਆਖਰੀ ਕਦਮ|ನೋಂದಣಿ|ලියාපදිංචි|ការចុះឈ្មោះ|\
            ການລົງທະບຽນ|မှတ်ပုံတင်|რეგისტრაც|ბოლო ნაბიჯ|գրանցում|վերջին քայլ",
        ..NOTHING
    },
    // Joining, and a new session.
    Language {
        act: "\
            加入团|加入群|参加チーム|入会|合流|가입하|참여하|เข้าร่วมทีม|انضمام|הצטרפ|לצטרף|پیوست|ورود به|\
            शामिल हो|জড়িত|যোগদান|சேர்|చేరండి|చేర|ചേരുക|જોડા|ਸ਼ਾਮਲ|ಸೇರಿ|ចូលរួមក្រុម|\
            ເຂົ້າທີມ|ပူးပေါင်း|შემოგვ|გაწევრიან|միանալ",
        ..NOTHING
    },
    // A new password, a code, a login of another.
    Language {
        act: "\
            新密码|新密碼|新しいパスワード|새 비밀|รหัสผ่านใหม่|كلمة مرور جديدة|סיסמה חדשה|رمز جدید|\
            नया पासवर्ड|নতুন পাস|புதிய கடவு|కొత్త పాస్|പാസ്വേഡ്|പാസ്\u{200c}വേഡ്|નવો પાસ|\
            ਨਵਾਂ ਪਾਸ|ಗುಪ್ತಪದ|මුරපදය|ពាក្យសម្ងាត់|ລະຫັດຜ່ານ|စကားဝှက်|የይለፍ ቃል|ახალი პაროლ|\
            նոր գաղտնաբառ",
        ..NOTHING
    },
    // Paying, renewing, redeeming.
    Language {
        act: "\
            结清|結清|缴纳|繳納|支付|付清|续借|續借|兑现|兌現|使用优惠|支払う|払う|精算|借りる期間|引換|クーポン|납부|결제하|쿠폰|연장하|\
            ชำระเงิน|ใช้คูปอง|ต่อเวลา|سدد|ادفع|تسديد|استبدل|قسيمة|תשלום|לשלם|לממש|שובר|\
            הארכ|تسویه|بپرداز|کوپن|चुका|भुगतान|कूपन|পরিশোধ|টাকা দ|কুপন|செலுத்து|கூப்பன்|\
            చెల్లించ|కూపన్|പണമട|അടയ്ക്ക|કૂપન|ચૂકવ|ਭੁਗਤਾਨ|ಪಾವತಿ|ගෙවන්න|បង់ប្រាក់|ຈ່າຍ|\
            ငွေပေး|ክፈል|გადაიხად|კუპონ|վճար|կտրոն",
        ..NOTHING
    },
    // Cancelling, moving, ending.
    Language {
        act: "\
            撤回|取消预约|取消預約|改约|改約|解除预约|取りやめ|予約取消|予約を変更|日時を変更|취소하|예약 변경|미루|ยกเลิกนัด|\
            เลื่อนนัด|ألغ|إلغاء الموعد|تأجيل|בטל|ביטול התור|לדחות תור|لغو نوبت|به تعویق|\
            रद्द कर|टाल|বাতিল কর|স্থগিত|ரத்து செய்|రద్దు చేయ|റദ്ദാക്ക|રદ કર|ਰੱਦ ਕਰ|\
            ರದ್ದು|අවලංගු|លុបចោល|ຍົກເລີກ|ပယ်ဖျက်|ሰርዝ|გაუქმ|გადადება|չեղարկ",
        ..NOTHING
    },
    // Deleting an account or data.
    Language {
        act: "\
            注销|註銷|删掉|刪掉|清空|销户|銷戶|アカウントを削|退会する|消す|계정 삭제|탈퇴하|ลบบัญชี|حذف حساب|أزل|\
            מחק חשבון|מחיקת|हटा|मिटा|মুছে ফেল|நீக்கு|అకౌంట్|తొలగించు|ഇല്ലാതാക്ക|ഡിലീറ്റ്|\
            કાઢી નાખ|ਮਿਟਾ|ಅಳಿಸ|මකන්න|លុបគណនី|ລຶບ|ဖျက်|አጥፋ|წაშლ|ջնջ",
        ..NOTHING
    },
    // Leaving a list, in words that the tables of single languages lack.
    Language {
        leave: "\
            移出名单|移出列表|移出清單|不想要|不要再|别再发|別再寄|取消订|取消訂|不是我|送信しないで|送らない|配信を解除|いらない|不要です|그만 보내|\
            받지 않겠|수신하지|ไม่อยากรับ|ไม่รับ|เลิกส่ง|لا أرغب|لا ترسل|إزالة اشتراك|הסר|די לי|\
            אל תשלח|نمی\u{200c}خواه|نمیخواه|لغو عضو|नहीं चाह|हटना चाह|नको|नचाह|रद्द गर्नुहोस्|\
            सदस्यता रद्द|सदस्यत्व|চাই না|না চাইলে|বাদ দিন|வேண்டாம்|விலக|వద్దు|అన్\u{200c}సబ్|\
            అన్సబ్|വേണ്ട|അൺസബ്|മതി|નથી|સબ્સ્ક્રિપ્શન|ਗਾਹਕੀ|ਨਹੀਂ ਚਾਹ|ಬೇಡ|ಚಂದಾದಾರ|දායකත්ව|\
            අකමැති|ឈប់ជាវ|មិនចង់|ບໍ່ຕ້ອງການ|ຍົກເລີກການ|မလိုချင်|စာရင်းမှ|ምዝገባ|ካልፈለጉ|აღარ|\
            გამოწერ|չեմ ուզ|ապաբաժ|բաժանորդագր",
        ..NOTHING
    },
    // Preferences.
    Language {
        leave: "\
            设置|設定変更|偏好|설정 변경|수신 설정|ตั้งค่า|الإعدادات|הגדרות|تنظیمات|सेटिंग|সেটিংস|\
            அமைப்பு|సెట్టింగ్|ക്രമീകരണ|સેટિંગ|ਸੈਟਿੰਗ|ಸೆಟ್ಟಿಂಗ್|සැකසුම්|ការកំណត់|\
            ການຕັ້ງຄ່າ|ဆက်တင်|პარამეტრ|կարգավորում",
        ..NOTHING
    },
];
